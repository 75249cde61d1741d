/** The nameservice in memory. */
@NullMarked
package io.ontologia.nameservice.internal.memory;

import org.jspecify.annotations.NullMarked;
