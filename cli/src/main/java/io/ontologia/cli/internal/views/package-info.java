/** {@code onto export views}: the SQL with which other engines read what is on an object store. */
@NullMarked
package io.ontologia.cli.internal.views;

import org.jspecify.annotations.NullMarked;
