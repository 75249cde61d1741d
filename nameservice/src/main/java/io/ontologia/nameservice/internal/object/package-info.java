/** The nameservice in a folder or an object store, in three layouts. */
@NullMarked
package io.ontologia.nameservice.internal.object;

import org.jspecify.annotations.NullMarked;
