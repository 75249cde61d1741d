package io.ontologia.cli.internal.transfer;

import io.ontologia.cli.internal.TextFile;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.cli.internal.output.Progress;
import io.ontologia.core.OntologyType;
import io.ontologia.core.Query;
import io.ontologia.core.Result;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import io.ontologia.core.TypeKind;
import io.ontologia.kernel.FileModes;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Writes the rows of types into files, in constant memory. A file appears when it is complete. */
final class Exporter {
    private final Session session;
    private final Map<String, List<OntologyType>> types;
    private final Path folder;
    private final RowLine.Metadata metadata;
    private final Output output;

    /**
     * What was written.
     *
     * @param files how many rows are in each file
     * @param omitted how many versions were left out because another schema wrote them
     */
    record Written(Map<Path, Long> files, long omitted) {
        long rows() {
            return files.values().stream().mapToLong(Long::longValue).sum();
        }
    }

    /**
     * @param types by name; an entity type and a relation type of one name share a file
     */
    Exporter(
            Session session,
            Map<String, List<OntologyType>> types,
            Path folder,
            RowLine.Metadata metadata,
            Output output) {
        this.session = session;
        this.types = types;
        this.folder = folder;
        this.metadata = metadata;
        this.output = output;
    }

    /**
     * Writes one file for each name.
     *
     * @param window which versions of the rows
     * @param upTo versions of later commits are left out
     */
    Written write(UnaryOperator<Query<Row>> window, long upTo) {
        Map<Path, Long> files = new LinkedHashMap<>();
        long omitted = 0;
        try {
            FileModes.UMASK.createDirectories(folder);
            for (Map.Entry<String, List<OntologyType>> entry : types.entrySet()) {
                Path file = folder.resolve(entry.getKey() + ".jsonl");
                Path unfinished = folder.resolve(entry.getKey() + ".jsonl.part");
                long rows = 0;
                try (BufferedWriter writer = FileModes.UMASK.newWriter(unfinished)) {
                    for (OntologyType type : entry.getValue()) {
                        Query<Row> query = window.apply(query(type));
                        rows += write(writer, type, query, upTo);
                        omitted += query.omitted();
                    }
                }
                Files.move(unfinished, file, StandardCopyOption.REPLACE_EXISTING);
                files.put(file, rows);
            }
        } catch (IOException e) {
            throw TextFile.unwritable("the export", folder.toString(), e);
        }
        return new Written(files, omitted);
    }

    private Query<Row> query(OntologyType type) {
        return type.kind() == TypeKind.ENTITY ? session.entities(type.name()) : session.relations(type.name());
    }

    private long write(BufferedWriter writer, OntologyType type, Query<Row> query, long upTo) throws IOException {
        long rows = 0;
        try (Progress progress =
                        output.progress("exporting " + type.name(), output.showsProgress() ? query.count() : 0);
                Stream<Result<Row>> results = query.resultStream()) {
            for (Iterator<Result<Row>> all = results.iterator(); all.hasNext(); ) {
                Result<Row> result = all.next();
                progress.advance(1);
                if (result.commitId() <= upTo) {
                    writer.write(RowLine.write(type.ref(), result, metadata));
                    writer.write('\n');
                    rows++;
                }
            }
        }
        return rows;
    }
}
