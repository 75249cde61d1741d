/**
 * For tests of Ontologia and of backends that others write for it: contract suites to extend, stores that fail on
 * purpose, real servers to run against, a clock that the test sets, and checkers of what happened.
 */
@NullMarked
package io.ontologia.testkit;

import org.jspecify.annotations.NullMarked;
