/** The operator's console: {@code onto}, runnable as a process or inside another program. */
@NullMarked
package io.ontologia.cli;

import org.jspecify.annotations.NullMarked;
