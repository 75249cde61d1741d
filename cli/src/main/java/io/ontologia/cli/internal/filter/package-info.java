/** Filters as people write them: {@code --where} expressions and {@code --filter} triples. */
@NullMarked
package io.ontologia.cli.internal.filter;

import org.jspecify.annotations.NullMarked;
