package io.ontologia.core;

import io.ontologia.core.internal.SessionTypes;
import io.ontologia.core.spi.Storage;
import io.ontologia.core.spi.Storages;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.List;
import java.util.function.Function;

/**
 * Where everything begins: opens a store by URI.
 *
 * <pre>{@code
 * try (var session = Ontologia.open("sqlite:///onto.db", Customer.class)) {
 *     session.ensure(new Customer("c1", "Alice", "Gold"));
 *     session.commit();
 *     var gold = session.entities(Customer.class).where(field(Customer::tier).eq("Gold")).list();
 * }
 * }</pre>
 */
public final class Ontologia {
    private Ontologia() {}

    /**
     * Opens a store with types that are records, each an {@link Entity} or a {@link Relation}. Types that the store does
     * not know yet are registered.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when a record or the URI is wrong, listing every
     *     problem; of kind {@link ErrorKind#CONFLICT} when the store knows a type with another schema
     */
    public static Session open(String uri, Class<?>... records) {
        return open(uri, SessionOptions.defaults(), records);
    }

    /** As {@link #open(String, Class...)}, with options. */
    public static Session open(String uri, SessionOptions options, Class<?>... records) {
        SessionTypes types = SessionTypes.ofRecords(List.of(records));
        return open(uri, options, types);
    }

    /** Opens a store with the types of a model and without Java classes; rows are {@link Row}s. */
    public static Session open(String uri, SessionOptions options, Model model) {
        return open(uri, options, SessionTypes.ofModel(model));
    }

    /** Opens a store with the types that it knows itself. */
    public static Session openStored(String uri, SessionOptions options) {
        Storage storage = storage(uri, options);
        try {
            return new Session(storage, SessionTypes.ofStored(storage.schemas()), options);
        } catch (RuntimeException e) {
            storage.close();
            throw e;
        }
    }

    /** Opens a store for maintenance: no types are needed, and none are registered. */
    public static Maintenance maintain(String uri, SessionOptions options) {
        return new Maintenance(storage(uri, options), options);
    }

    /**
     * Opens a store, runs the work, and commits what it left pending when, and only when, the work succeeds.
     *
     * @return what the work returned
     */
    public static <R> R with(String uri, List<Class<?>> records, Function<Session, R> work) {
        return with(uri, SessionOptions.defaults(), records, work);
    }

    /** As {@link #with(String, List, Function)}, with options. */
    public static <R> R with(String uri, SessionOptions options, List<Class<?>> records, Function<Session, R> work) {
        Session session = open(uri, options, records.toArray(Class<?>[]::new));
        try {
            R result = work.apply(session);
            session.commit();
            return result;
        } finally {
            session.discard();
            session.close();
        }
    }

    private static Session open(String uri, SessionOptions options, SessionTypes types) {
        Storage storage = storage(uri, options);
        try {
            types.adopt(storage, options);
            return new Session(storage, types, options);
        } catch (RuntimeException e) {
            storage.close();
            throw e;
        }
    }

    private static Storage storage(String uri, SessionOptions options) {
        Storage storage = Storages.open(uri, options.storage());
        try {
            return options.layer().over(storage);
        } catch (RuntimeException e) {
            storage.close();
            throw e;
        }
    }
}
