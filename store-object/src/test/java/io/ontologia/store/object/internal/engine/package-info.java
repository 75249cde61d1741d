@NullMarked
package io.ontologia.store.object.internal.engine;

import org.jspecify.annotations.NullMarked;
