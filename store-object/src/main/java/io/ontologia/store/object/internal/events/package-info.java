/** The event bus on objects. */
@NullMarked
package io.ontologia.store.object.internal.events;

import org.jspecify.annotations.NullMarked;
