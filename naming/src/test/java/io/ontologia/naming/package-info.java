/** Tests of stores under names. */
@NullMarked
package io.ontologia.naming;

import org.jspecify.annotations.NullMarked;
