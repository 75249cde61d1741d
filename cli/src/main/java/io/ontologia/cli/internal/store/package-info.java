/** {@code onto store}: commands about the object store itself, below any data in it. */
@NullMarked
package io.ontologia.cli.internal.store;

import org.jspecify.annotations.NullMarked;
