/** What can only be seen from inside. */
@NullMarked
package io.ontologia.server.internal;

import org.jspecify.annotations.NullMarked;
