/**
 * Ontologia's public API: typed entities and relations, sessions that turn what should be true into commits, and queries
 * over every state there ever was.
 */
@NullMarked
package io.ontologia.core;

import org.jspecify.annotations.NullMarked;
