/** {@code onto query} and {@code onto aggregate}: questions about rows, now and in the past. */
@NullMarked
package io.ontologia.cli.internal.query;

import org.jspecify.annotations.NullMarked;
