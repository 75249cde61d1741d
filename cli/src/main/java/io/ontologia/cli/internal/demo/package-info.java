/** {@code onto demo}. */
@NullMarked
package io.ontologia.cli.internal.demo;

import org.jspecify.annotations.NullMarked;
