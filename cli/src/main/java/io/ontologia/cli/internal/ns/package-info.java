/** {@code onto ns}: where stores and indexes stand. */
@NullMarked
package io.ontologia.cli.internal.ns;

import org.jspecify.annotations.NullMarked;
