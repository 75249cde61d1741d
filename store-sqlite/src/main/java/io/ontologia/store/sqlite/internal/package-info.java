/** How the SQLite store works inside. */
@NullMarked
package io.ontologia.store.sqlite.internal;

import org.jspecify.annotations.NullMarked;
