/**
 * Objects named by keys, on S3, in a directory or in memory, with conditional writes whose outcome is never guessed;
 * leases and a cache of immutable objects on top of them.
 */
@NullMarked
package io.ontologia.objectstore;

import org.jspecify.annotations.NullMarked;
