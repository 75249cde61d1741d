/**
 * What every part of Ontologia stands on: canonical JSON, content hashes, UTC timestamps, safe names, the seams for
 * time and randomness, bounded retry, and the one root of all errors.
 */
@NullMarked
package io.ontologia.kernel;

import org.jspecify.annotations.NullMarked;
