package io.ontologia.naming;

import io.ontologia.core.spi.Storage;
import io.ontologia.core.spi.StorageLayer;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.naming.internal.Announcer;
import io.ontologia.naming.internal.NamedStorage;

/**
 * Lets sessions tell a nameservice where their store stands, under an alias.
 *
 * <pre>{@code
 * var naming = StoreNaming.of(nameservice, Alias.parse("mydb"));
 * try (var session = Ontologia.open("sqlite:///onto.db", SessionOptions.defaults().layer(naming), Customer.class)) {
 *     ...
 * }
 * }</pre>
 *
 * <p>The first commit creates the record, if need be, and tells in its {@code config} which store it is of. Every commit moves its
 * {@code head} ({@code t} is the commit's id), soon after the commit returned; several that follow each other may share a move. A
 * migration shows as the state {@code migrating}, a compaction as {@code indexing}, which ends with a new {@code index}.
 * Compactions in the background of a session publish an {@code index} too.
 *
 * <p>The store comes first: a nameservice that cannot be reached never fails or delays anything but the end of a session, by ten seconds at most. What could not be told is told
 * with the next commit, when the session is closed, or by {@link StoreRecord#bring}. A record that is retracted, or that is of
 * another store, is left alone, with a warning in the log.
 *
 * <p>May be used for many sessions at once. Does not close the nameservice.
 */
public final class StoreNaming implements StorageLayer {
    private final Nameservice names;
    private final Alias alias;

    private StoreNaming(Nameservice names, Alias alias) {
        this.names = names;
        this.alias = alias;
    }

    /** Under this alias, in this nameservice. */
    public static StoreNaming of(Nameservice names, Alias alias) {
        return new StoreNaming(names, alias);
    }

    @Override
    public Storage over(Storage store) {
        StoreRecord record = new StoreRecord(names, alias, store.location());
        return new NamedStorage(store, new Announcer(record, store), () -> {});
    }
}
