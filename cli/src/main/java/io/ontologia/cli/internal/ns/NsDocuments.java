package io.ontologia.cli.internal.ns;

import io.ontologia.kernel.OntologiaException;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.ConcernPayload;
import io.ontologia.nameservice.ConcernValue;
import io.ontologia.nameservice.NameRecord;
import io.ontologia.nameservice.spi.RecordJson;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Records and outcomes as documents for programs. */
final class NsDocuments {
    private NsDocuments() {}

    /** A record with its 16 attributes, as it is: redact it first where that is not wanted. */
    static Map<String, @Nullable Object> of(NameRecord record) {
        return RecordJson.write(record);
    }

    /** One concern of a record. */
    static Map<String, @Nullable Object> of(NameRecord record, Concern concern) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("pk", record.alias().toString());
        RecordJson.concern(concern, record.concern(concern), document);
        return document;
    }

    /** What became of something. */
    static Map<String, @Nullable Object> outcome(String outcome) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("outcome", outcome);
        return document;
    }

    /** What became of something, with a value. */
    static Map<String, @Nullable Object> outcome(String outcome, String name, ConcernValue value) {
        Map<String, @Nullable Object> document = outcome(outcome);
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("v", value.watermark());
        tree.put("payload", value.payload().map(ConcernPayload::fields).orElse(null));
        document.put(name, tree);
        return document;
    }

    /** What became of something that nobody can tell. */
    static Map<String, @Nullable Object> unknown(OntologiaException reason) {
        Map<String, @Nullable Object> document = outcome("unknown");
        document.put("reason", reason.getMessage());
        return document;
    }

    /** A record as a row of a table. */
    static List<Object> row(NameRecord record) {
        return List.of(
                record.alias().toString(),
                record.type().value(),
                record.state().orElse("?"),
                record.head().watermark(),
                record.index().watermark(),
                record.status().watermark(),
                record.config().watermark());
    }

    /** The headers of {@link #row}. */
    static final List<String> HEADERS = List.of("alias", "type", "state", "head", "index", "status", "config");
}
