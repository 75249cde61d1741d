/** How rows of one version of a type's schema become rows of another one. */
@NullMarked
package io.ontologia.core.internal.evolution;

import org.jspecify.annotations.NullMarked;
