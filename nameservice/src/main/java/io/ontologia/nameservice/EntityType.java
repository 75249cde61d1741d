package io.ontologia.nameservice;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;

/**
 * What a record is about: {@code ledger}, or a graph source whose type starts with {@code vg:}. Types of graph sources that
 * are not known here are kept as they are.
 *
 * @param value the text in the record
 */
public record EntityType(String value) {
    /** A ledger with commits and indexes. */
    public static final EntityType LEDGER = new EntityType("ledger");
    /** Full-text search. */
    public static final EntityType BM25 = new EntityType("vg:bm25");
    /** Similarity search by vectors. */
    public static final EntityType VECTOR = new EntityType("vg:vector");
    /** An Apache Iceberg table. */
    public static final EntityType ICEBERG = new EntityType("vg:iceberg");
    /** A live database, without versions. */
    public static final EntityType JDBC = new EntityType("vg:jdbc");
    /** A relational mapping. */
    public static final EntityType R2RML = new EntityType("vg:r2rml");

    public EntityType {
        boolean graph = value.startsWith("vg:") && value.length() > 3;
        if (!(graph || value.equals("ledger")) || value.chars().anyMatch(c -> c <= ' ') || value.length() > 200) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "invalid entity type '" + value.replaceAll("\\p{Cntrl}", "?") + "'",
                    "a type is 'ledger', or 'vg:' and a name without spaces",
                    "use ledger, vg:bm25, vg:vector, vg:iceberg, vg:jdbc, vg:r2rml or another vg: type");
        }
    }

    /** The space in which records of this type are named. */
    public Alias.Space space() {
        return value.equals("ledger") ? Alias.Space.LEDGER : Alias.Space.GRAPH_SOURCE;
    }

    @Override
    public String toString() {
        return value;
    }
}
