/** The runtime on the event bus: claims in hand, handlers that run, schedules that fire. */
@NullMarked
package io.ontologia.core.internal.events;

import org.jspecify.annotations.NullMarked;
