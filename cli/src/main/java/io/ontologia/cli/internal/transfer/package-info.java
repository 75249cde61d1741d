/** {@code onto export} and {@code onto import}: the rows of a store as lines of JSON, and back. */
@NullMarked
package io.ontologia.cli.internal.transfer;

import org.jspecify.annotations.NullMarked;
