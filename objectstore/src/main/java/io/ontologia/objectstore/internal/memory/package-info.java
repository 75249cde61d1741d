/** The object store in memory. */
@NullMarked
package io.ontologia.objectstore.internal.memory;

import org.jspecify.annotations.NullMarked;
