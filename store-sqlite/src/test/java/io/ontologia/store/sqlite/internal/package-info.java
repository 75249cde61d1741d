@NullMarked
package io.ontologia.store.sqlite.internal;

import org.jspecify.annotations.NullMarked;
