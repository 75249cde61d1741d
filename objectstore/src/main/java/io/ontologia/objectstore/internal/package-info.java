/** What the object stores share; not for use outside this module. */
@NullMarked
package io.ontologia.objectstore.internal;

import org.jspecify.annotations.NullMarked;
