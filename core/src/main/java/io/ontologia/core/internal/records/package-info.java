/** How Java records become types and rows, and back. */
@NullMarked
package io.ontologia.core.internal.records;

import org.jspecify.annotations.NullMarked;
