/** {@code onto index}, {@code onto compact}, {@code onto gc}: upkeep that only ontologies on object stores need. */
@NullMarked
package io.ontologia.cli.internal.objects;

import org.jspecify.annotations.NullMarked;
