/** Ontologia's store in one SQLite file; opened by URI, found by the service loader. */
@NullMarked
package io.ontologia.store.sqlite;

import org.jspecify.annotations.NullMarked;
