package io.ontologia.cli.internal.commit;

import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.UsageError;
import io.ontologia.cli.internal.access.Moment;
import io.ontologia.core.CommitFilter;
import io.ontologia.core.Identity;
import io.ontologia.core.OntologyType;
import io.ontologia.core.Session;
import io.ontologia.core.TypeKind;
import io.ontologia.core.TypeRef;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say which commits are listed. */
final class CommitOptions {
    @Option(
            names = "--since",
            paramLabel = "N|TIME",
            description = "Only commits after this one, or made at this time or later.")
    private @Nullable String since;

    @Option(
            names = "--until",
            paramLabel = "N|TIME",
            description = "Only commits up to this one, or made at this time or earlier.")
    private @Nullable String until;

    @Option(
            names = "--author",
            paramLabel = "NAME",
            description = "Only commits of this author: the whole name, or the part of it before @.")
    private @Nullable String author;

    @Option(names = "--type", paramLabel = "T", description = "Only commits that wrote rows of the types of this name.")
    private @Nullable String type;

    @Option(
            names = "--key",
            paramLabel = "K",
            description = "Only commits that wrote the entity of --type with this key.")
    private @Nullable String key;

    @Option(
            names = "--left-key",
            paramLabel = "K",
            description = "With --right-key: only commits that wrote the relation of --type with these keys.")
    private @Nullable String left;

    @Option(names = "--right-key", paramLabel = "K", description = "See --left-key.")
    private @Nullable String right;

    @Option(names = "--instance-key", paramLabel = "K", description = "The instance key, for relations that have one.")
    private @Nullable String instance;

    /** Whether a part of the log is asked for, and not only its end. */
    boolean isPart() {
        return since != null || until != null || author != null || type != null;
    }

    /** Reads the options; to be called once, before the store is opened. */
    Part read(Invocation invocation) {
        if ((left == null) != (right == null)) {
            throw new UsageError("a relation has a left and a right key", "give --left-key and --right-key");
        }
        if (instance != null && left == null) {
            throw new UsageError("--instance-key is part of a relation's key", "add --left-key and --right-key");
        }
        if (key != null && left != null) {
            throw new UsageError("a row is an entity or a relation", "give --key, or --left-key and --right-key");
        }
        if ((key != null || left != null) && type == null) {
            throw new UsageError("a key needs a type", "add --type");
        }
        return new Part(
                Optional.ofNullable(since).map(text -> Moment.parse("--since", text, invocation)),
                Optional.ofNullable(until).map(text -> Moment.parse("--until", text, invocation)),
                identity());
    }

    private Optional<Identity> identity() {
        if (key != null) {
            return Optional.of(new Identity.OfEntity(key));
        }
        return left == null || right == null
                ? Optional.empty()
                : Optional.of(new Identity.OfRelation(left, right, instance == null ? "" : instance));
    }

    /** A part of the log, as far as it is known without the store. */
    record Part(Optional<Moment> since, Optional<Moment> until, Optional<Identity> row) {}

    /** The filter for a store. */
    CommitFilter filter(Part part, Session session) {
        CommitFilter filter = CommitFilter.all();
        if (part.since().isPresent()) {
            filter = part.since().get() instanceof Moment.AtTime at
                    ? filter.from(at.time())
                    : filter.after(Moment.requireKnown(
                            session, ((Moment.AfterCommit) part.since().get()).id()));
        }
        if (part.until().isPresent()) {
            filter = part.until().get() instanceof Moment.AtTime at
                    ? filter.until(at.time())
                    : filter.upTo(((Moment.AfterCommit) part.until().get()).id());
        }
        filter = author == null ? filter : filter.author(author);
        if (type == null) {
            return filter;
        }
        Optional<TypeKind> kind =
                part.row().map(row -> row instanceof Identity.OfEntity ? TypeKind.ENTITY : TypeKind.RELATION);
        Set<TypeRef> types = session.types().stream()
                .map(OntologyType::ref)
                .filter(ref ->
                        ref.name().equals(type) && kind.map(ref.kind()::equals).orElse(true))
                .collect(Collectors.toSet());
        if (types.isEmpty()) {
            throw new OntologiaException(
                    ErrorKind.NOT_FOUND,
                    "unknown " + kind.map(one -> one.wireName() + " type ").orElse("type ") + type,
                    "the store has no type of that name",
                    "see 'onto info --schema' for those that it has");
        }
        return part.row().isPresent()
                ? filter.row(types.iterator().next(), part.row().get())
                : filter.types(types);
    }
}
