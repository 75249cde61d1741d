/** {@code onto schema}, {@code onto verify}, {@code onto migrate}: the types of a store and their versions. */
@NullMarked
package io.ontologia.cli.internal.schema;

import org.jspecify.annotations.NullMarked;
