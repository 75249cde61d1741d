/** Follows relations from entity to entity. */
@NullMarked
package io.ontologia.core.internal.graph;

import org.jspecify.annotations.NullMarked;
