/** How stores tell where they stand. */
@NullMarked
package io.ontologia.naming.internal;

import org.jspecify.annotations.NullMarked;
