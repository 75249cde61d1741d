/** DuckDB: writes Parquet files, answers queries over them, and keeps tables of latest versions. Knows no object store. */
@NullMarked
package io.ontologia.store.object.internal.engine;

import org.jspecify.annotations.NullMarked;
