package io.ontologia.store.object.internal;

import io.ontologia.objectstore.ETag;
import io.ontologia.store.object.internal.layout.Head;
import io.ontologia.store.object.internal.layout.Registry;

/**
 * What a store holds at one moment: everything that a read or a commit starts from.
 *
 * @param etag of the head, for who wants to replace it
 * @param registry as of this head: what waited for a commit is in force or gone
 */
record View(Head head, ETag etag, Registry registry) {}
