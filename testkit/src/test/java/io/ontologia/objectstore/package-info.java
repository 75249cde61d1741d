/** The contract suites, run on the stores of the module {@code objectstore}. */
@NullMarked
package io.ontologia.objectstore;

import org.jspecify.annotations.NullMarked;
