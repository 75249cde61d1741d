package io.ontologia.nameservice.dynamodb;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.nameservice.NameserviceOptions;
import io.ontologia.nameservice.dynamodb.internal.DynamoClients;
import io.ontologia.nameservice.dynamodb.internal.TableCreation;
import io.ontologia.nameservice.dynamodb.internal.TableLocation;
import java.util.Set;

/** Makes the table that a nameservice on DynamoDB needs. */
public final class NameserviceTable {
    private NameserviceTable() {}

    /** The indexes that a table can have. Both are used by {@code listing=indexed} only. */
    public enum Index {
        /** {@code type-index}: the records of one type. */
        TYPE,
        /** {@code state-index}: the records in one state, by the attribute {@code status_state}. */
        STATE
    }

    /** What {@link #create} did. */
    public enum Outcome {
        /** The table was made. */
        CREATED,
        /** The table was there, and got indexes that it lacked. */
        EXTENDED,
        /** The table was there with all that was asked for. */
        UNCHANGED
    }

    /**
     * Makes the table that a URI names, on demand billing, or gives an existing one the indexes that it lacks, and waits until all of
     * it is active. May be called again after a failure, and by several processes at once; never removes anything.
     *
     * @param uri as {@link DynamoDbProvider} opens it
     * @throws OntologiaException of kind {@link ErrorKind#CONFLICT} when a table of that name has another key, {@link
     *     ErrorKind#BUSY} when it does not become active within ten minutes, {@link ErrorKind#UNAVAILABLE} when DynamoDB cannot be
     *     reached or denies access
     */
    public static Outcome create(String uri, Set<Index> indexes, NameserviceOptions options) {
        TableLocation location = TableLocation.parse(uri);
        try (var client = DynamoClients.open(location)) {
            return new TableCreation(location, client, options).run(indexes);
        }
    }
}
