@NullMarked
package io.ontologia.objectstore.internal;

import org.jspecify.annotations.NullMarked;
