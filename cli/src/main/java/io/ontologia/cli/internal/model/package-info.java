/** Where types come from: model files, and records on a class path. */
@NullMarked
package io.ontologia.cli.internal.model;

import org.jspecify.annotations.NullMarked;
