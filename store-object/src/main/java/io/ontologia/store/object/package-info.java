/** Ontologia's store on object storage; opened by URI, found by the service loader. */
@NullMarked
package io.ontologia.store.object;

import org.jspecify.annotations.NullMarked;
