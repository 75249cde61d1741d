/** The objects of a store, as the specification lays them out: their keys and their JSON documents. */
@NullMarked
package io.ontologia.store.object.internal.layout;

import org.jspecify.annotations.NullMarked;
