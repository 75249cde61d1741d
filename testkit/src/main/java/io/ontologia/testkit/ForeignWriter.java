package io.ontologia.testkit;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Another implementation of a storage specification, written from the specification alone: it stores exactly the listed
 * tables, columns and fields and no others, and reads a store with the specification's own queries. Works on the entity type
 * {@code Customer} (fields {@code id} and {@code name}) and the relation type {@code Knows} between two of them (field {@code
 * n}), which the store must know already, and on entity types of {@link ForeignParts}, which it defines itself.
 */
public interface ForeignWriter extends AutoCloseable {
    /**
     * Commits rows under the write lock.
     *
     * @param names the names of customers by key
     * @param numbers the numbers of relations by left and right key, joined by {@code >}
     * @return the id of the commit; empty when another writer holds the lock
     */
    Optional<Long> commit(Map<String, String> names, Map<String, Long> numbers) throws Exception;

    /**
     * Stores a version of the schema of a type of parts, and a commit with parts in the form of that version.
     *
     * @param version 1 for a new type, otherwise one more than the version that is stored
     * @param parts the numbers of all parts by key, at least one
     * @return the id of the commit; empty when another writer holds the lock
     */
    Optional<Long> define(String type, int version, Map<String, Long> parts) throws Exception;

    /**
     * Merges files of single commits as the specification says.
     *
     * @return false when the store has no such files, or another writer holds the lock
     */
    boolean compact() throws Exception;

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

    /** The versions of an entity type, oldest first: number, hash of the schema and reason, joined by blanks. */
    List<String> schemas(String type) throws Exception;

    /** The parts of a type by key, each as canonical JSON. */
    Map<String, String> parts(String type) throws Exception;

    /** The event bus of the same store. */
    ForeignBus bus();

    @Override
    void close() throws SQLException;
}
