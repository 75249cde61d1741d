/** How the object store's backend works inside. */
@NullMarked
package io.ontologia.store.object.internal;

import org.jspecify.annotations.NullMarked;
