/** {@code onto demo}: the product shown on a small store, by running real commands. */
@NullMarked
package io.ontologia.cli.internal.demo;

import org.jspecify.annotations.NullMarked;
