/** The object store in a directory: one plain file for each object, correct between processes and after a crash. */
@NullMarked
package io.ontologia.objectstore.internal.directory;

import org.jspecify.annotations.NullMarked;
