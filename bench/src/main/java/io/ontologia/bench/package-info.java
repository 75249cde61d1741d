/** Measurements against floors of the same run. */
@NullMarked
package io.ontologia.bench;

import org.jspecify.annotations.NullMarked;
