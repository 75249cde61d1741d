/** The HTTP API. {@link io.ontologia.server.OntologiaServer} serves a nameservice; see {@code /openapi.json}. */
@NullMarked
package io.ontologia.server;

import org.jspecify.annotations.NullMarked;
