/** The HTTP API, and the client of the nameservice against it. */
@NullMarked
package io.ontologia.server;

import org.jspecify.annotations.NullMarked;
