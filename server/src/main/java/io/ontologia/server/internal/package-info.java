/** How requests become calls and outcomes become replies. */
@NullMarked
package io.ontologia.server.internal;

import org.jspecify.annotations.NullMarked;
