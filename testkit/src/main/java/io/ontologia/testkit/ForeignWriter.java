package io.ontologia.testkit;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Another implementation of a storage specification, written from the specification alone: it stores exactly the listed
 * tables, columns and fields and no others, and reads a store with the specification's own queries. Works on the entity type
 * {@code Customer} (fields {@code id} and {@code name}) and the relation type {@code Knows} between two of them (field {@code
 * n}), which the store must know already.
 */
public interface ForeignWriter extends AutoCloseable {
    /**
     * Commits rows, after it acquired the write lock, and gives that back.
     *
     * @param names the names of customers by key
     * @param numbers the numbers of relations by left and right key, joined by {@code >}
     * @return the id of the commit; empty when another writer holds the lock
     */
    Optional<Long> commit(Map<String, String> names, Map<String, Long> numbers) throws Exception;

    /** The newest commit, 0 when there is none. */
    long head() throws Exception;

    /**
     * The names of all customers by key as of a commit.
     *
     * @param commitId the newest one for the present
     */
    Map<String, String> names(long commitId) throws Exception;

    /** The numbers of all relations by left and right key, joined by {@code >}. */
    Map<String, Long> numbers() throws Exception;

    /** Every version of every customer: commit, key and name, joined by blanks, in the order of commits and keys. */
    List<String> history() throws Exception;

    /** Enqueues an event. */
    void enqueue(String namespace, String id, String type) throws Exception;

    /** Claims the first event of a type that a handler may claim, and returns its id. */
    Optional<String> claim(String namespace, String handlerId, String type) throws Exception;

    /** Acknowledges a claim. */
    void ack(String namespace, String handlerId, String eventId) throws Exception;

    /** The ids of all events with their status, joined by a blank, in the order in which they are claimed. */
    List<String> events(String namespace) throws Exception;

    @Override
    void close() throws SQLException;
}
