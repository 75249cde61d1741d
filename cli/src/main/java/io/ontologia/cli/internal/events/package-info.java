/** {@code onto events}: the event bus. */
@NullMarked
package io.ontologia.cli.internal.events;

import org.jspecify.annotations.NullMarked;
