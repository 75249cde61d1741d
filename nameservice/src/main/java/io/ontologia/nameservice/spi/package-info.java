/** For backends: the provider that is found by {@link java.util.ServiceLoader}, and the rules and forms all of them share. */
@NullMarked
package io.ontologia.nameservice.spi;

import org.jspecify.annotations.NullMarked;
