/**
 * Stores under names. A session that is opened with {@link io.ontologia.naming.StoreNaming} tells a nameservice where it
 * stands after each commit, and {@code ns://alias} opens the store that a record names.
 */
@NullMarked
package io.ontologia.naming;

import org.jspecify.annotations.NullMarked;
