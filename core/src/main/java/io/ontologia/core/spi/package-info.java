/** What a storage backend implements. Users of the library have no need of it. */
@NullMarked
package io.ontologia.core.spi;

import org.jspecify.annotations.NullMarked;
