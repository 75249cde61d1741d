/** How commands reach the ontology: which store, opened for what. */
@NullMarked
package io.ontologia.cli.internal.access;

import org.jspecify.annotations.NullMarked;
