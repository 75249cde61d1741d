/** Finding every problem before telling any. */
@NullMarked
package io.ontologia.core.internal.validation;

import org.jspecify.annotations.NullMarked;
