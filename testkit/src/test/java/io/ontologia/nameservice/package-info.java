/** The contract suites and what else needs the test kit, run on the nameservices of the module {@code nameservice}. */
@NullMarked
package io.ontologia.nameservice;

import org.jspecify.annotations.NullMarked;
