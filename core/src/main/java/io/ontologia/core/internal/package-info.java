/** How the core does it; not for use outside this module. */
@NullMarked
package io.ontologia.core.internal;

import org.jspecify.annotations.NullMarked;
