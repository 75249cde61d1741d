/** Immutable objects on the local disk, shared by all processes of the machine. */
@NullMarked
package io.ontologia.objectstore.internal.cache;

import org.jspecify.annotations.NullMarked;
