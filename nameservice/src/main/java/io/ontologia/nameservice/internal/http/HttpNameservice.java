package io.ontologia.nameservice.internal.http;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.JsonObject;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.ConcernValue;
import io.ontologia.nameservice.CreateOutcome;
import io.ontologia.nameservice.Dependants;
import io.ontologia.nameservice.LifecycleOutcome;
import io.ontologia.nameservice.NameEvents;
import io.ontologia.nameservice.NameFilter;
import io.ontologia.nameservice.NamePage;
import io.ontologia.nameservice.NameQuery;
import io.ontologia.nameservice.NameRecord;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.NameserviceOptions;
import io.ontologia.nameservice.NewRecord;
import io.ontologia.nameservice.PurgeOutcome;
import io.ontologia.nameservice.PushOutcome;
import io.ontologia.nameservice.Watermarks;
import io.ontologia.nameservice.internal.http.Exchanges.Written;
import io.ontologia.nameservice.spi.OutcomeJson;
import io.ontologia.nameservice.spi.RecordRules;
import io.ontologia.nameservice.spi.WireJson;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The client of a nameservice that another process serves. A push whose reply is lost is sent again with the same id, which the
 * server answers as it answered the first; when that server is gone, the concern is read back, and what it does not tell is unknown.
 *
 * <p>Settings: {@value #TOKEN} for the access token, and {@value #SECRETS}, {@code shown} or {@code redacted}: who has a token for
 * reading only must choose the latter, and gets configs without secrets. The environment is not asked for a token: only the caller
 * knows whether this host may see it.
 */
public final class HttpNameservice implements Nameservice {
    static final String TOKEN = NameserviceOptions.HTTP_TOKEN;
    static final String SECRETS = NameserviceOptions.HTTP_SECRETS;

    private static final String NAMES = "names";

    private final ServiceLocation location;
    private final Exchanges exchanges;
    private final String secrets;
    private volatile boolean closed;

    HttpNameservice(ServiceLocation location, NameserviceOptions options) {
        this.location = location;
        String token = options.settings().get(TOKEN);
        this.exchanges = new Exchanges(location, token, options);
        this.secrets = options.settings().getOrDefault(SECRETS, "shown");
        if (!secrets.equals("shown") && !secrets.equals("redacted")) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "invalid setting " + SECRETS,
                    "it is neither 'shown' nor 'redacted'",
                    "choose one of them");
        }
        if (token != null && (token.isEmpty() || token.chars().anyMatch(c -> c <= ' ' || c > '~'))) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "invalid access token",
                    "a token is visible ASCII characters without spaces",
                    "set " + TOKEN + " to the token alone");
        }
    }

    @Override
    public String location() {
        return location.toString();
    }

    @Override
    public CreateOutcome create(NewRecord record) {
        return written(
                "cannot create '" + record.alias() + "'",
                "POST",
                withSecrets(location.path(NAMES)),
                WireJson.newRecord(record),
                OutcomeJson::readCreate,
                CreateOutcome.Unknown::new);
    }

    @Override
    public Optional<NameRecord> lookup(Alias alias) {
        return read("cannot look up '" + alias + "'", withSecrets(location.path(NAMES, alias.toString())))
                .map(tree -> WireJson.readRecord("the record '" + alias + "' of " + location, tree));
    }

    @Override
    public Optional<ConcernValue> concern(Alias alias, Concern concern) {
        URI uri = location.path(NAMES, alias.toString(), "concerns", concern.wireName());
        return read("cannot look up '" + alias + "'", concern == Concern.CONFIG ? withSecrets(uri) : uri)
                .map(WireJson::readValue);
    }

    @Override
    public Optional<Watermarks> watermarks(Alias alias) {
        return read("cannot look up '" + alias + "'", location.path(NAMES, alias.toString(), "watermarks"))
                .map(WireJson::readWatermarks);
    }

    @Override
    public PushOutcome push(Alias alias, Concern concern, ConcernValue expected, ConcernValue next) {
        requireOpen();
        RecordRules.requirePushable(concern, expected, next);
        Map<String, @Nullable Object> body = new LinkedHashMap<>();
        body.put("expected", WireJson.value(expected));
        body.put("next", WireJson.value(next));
        PushOutcome outcome = written(
                "cannot push " + concern.wireName() + " of '" + alias + "'",
                "POST",
                withSecrets(location.path(NAMES, alias.toString(), "concerns", concern.wireName())),
                body,
                OutcomeJson::readPush,
                PushOutcome.Unknown::new);
        return outcome instanceof PushOutcome.Unknown unknown
                ? settled(alias, concern, expected, next, unknown)
                : outcome;
    }

    /**
     * Watermarks only rise, and a watermark has one value: what stands now at or below ours, and is neither ours nor what was expected,
     * proves that our push never landed and never will. Anything else proves nothing, nor does a config that is shown redacted: it may
     * be ours.
     */
    private PushOutcome settled(
            Alias alias, Concern concern, ConcernValue expected, ConcernValue next, PushOutcome.Unknown unknown) {
        if (concern == Concern.CONFIG && !secrets.equals("shown")) {
            return unknown;
        }
        try {
            Optional<ConcernValue> actual = concern(alias, concern);
            boolean refused = actual.filter(value -> value.watermark() <= next.watermark()
                            && value.watermark() > expected.watermark()
                            && !value.equals(next))
                    .isPresent();
            return refused ? new PushOutcome.Conflict(actual.get()) : unknown;
        } catch (OntologiaException e) {
            return unknown;
        }
    }

    @Override
    public LifecycleOutcome setDeps(Alias alias, List<String> deps) {
        requireOpen();
        return written(
                "cannot change what '" + alias + "' depends on",
                "POST",
                withSecrets(location.path(NAMES, alias.toString(), "deps")),
                Map.of("deps", RecordRules.requireDeps(alias, deps)),
                OutcomeJson::readLifecycle,
                LifecycleOutcome.Unknown::new);
    }

    @Override
    public LifecycleOutcome retract(Alias alias, String reason) {
        return retract(alias, reason, Dependants.IGNORE);
    }

    /** The server looks for dependants. */
    @Override
    public LifecycleOutcome retract(Alias alias, String reason, Dependants dependants) {
        return written(
                "cannot retract '" + alias + "'",
                "POST",
                with(dependants, withSecrets(location.path(NAMES, alias.toString(), "retract"))),
                Map.of("reason", reason),
                OutcomeJson::readLifecycle,
                LifecycleOutcome.Unknown::new);
    }

    @Override
    public LifecycleOutcome restore(Alias alias) {
        return written(
                "cannot restore '" + alias + "'",
                "POST",
                withSecrets(location.path(NAMES, alias.toString(), "restore")),
                Map.of(),
                OutcomeJson::readLifecycle,
                LifecycleOutcome.Unknown::new);
    }

    @Override
    public PurgeOutcome purge(Alias alias) {
        return purge(alias, Dependants.IGNORE);
    }

    /** The server looks for dependants. */
    @Override
    public PurgeOutcome purge(Alias alias, Dependants dependants) {
        return written(
                "cannot purge '" + alias + "'",
                "DELETE",
                with(dependants, withSecrets(location.path(NAMES, alias.toString()))),
                Map.of(),
                OutcomeJson::readPurge,
                PurgeOutcome.Unknown::new);
    }

    @Override
    public NamePage list(NameQuery query) {
        StringBuilder uri = new StringBuilder(location.path(NAMES).toString())
                .append("?limit=")
                .append(query.pageSize());
        query.type().ifPresent(type -> append(uri, "type", type.value()));
        query.state().ifPresent(state -> append(uri, "state", state));
        query.continueAt().ifPresent(token -> append(uri, "after", token));
        if (!query.prefix().isEmpty()) {
            append(uri, "prefix", query.prefix());
        }
        if (query.secrets() == NameQuery.Secrets.SHOWN) {
            append(uri, "secrets", "shown");
        }
        return read("cannot list the records", URI.create(uri.toString()))
                .map(WireJson::readPage)
                .orElseThrow(() -> new OntologiaException(
                        ErrorKind.UNAVAILABLE,
                        "cannot list the records",
                        location + " is no nameservice",
                        "check the URL"));
    }

    @Override
    public Optional<NameEvents> events(NameFilter filter) {
        requireOpen();
        StringBuilder uri = new StringBuilder(location.path("watch").toString()).append("?");
        filter.aliases().forEach(alias -> append(uri, "alias", alias.toString()));
        filter.type().ifPresent(type -> append(uri, "type", type.value()));
        filter.concerns().forEach(concern -> append(uri, "concern", concern.wireName()));
        URI stream = URI.create(uri.toString().replace("?&", "?"));
        return Optional.of(new EventStream(last -> exchanges.stream("cannot follow the records", stream, last)));
    }

    @Override
    public void close() {
        closed = true;
    }

    private Optional<JsonObject> read(String problem, URI uri) {
        requireOpen();
        return exchanges.read(problem, uri);
    }

    private <T> T written(
            String problem,
            String method,
            URI uri,
            Map<String, ? extends @Nullable Object> body,
            Function<JsonObject, T> reader,
            Function<OntologiaException, T> unknown) {
        requireOpen();
        Written written = exchanges.write(problem, method, uri, body);
        return written instanceof Written.Answered answered
                ? reader.apply(answered.body())
                : unknown.apply(((Written.Lost) written).reason());
    }

    private URI withSecrets(URI uri) {
        return secrets.equals("shown") ? URI.create(uri + "?secrets=shown") : uri;
    }

    private static URI with(Dependants dependants, URI uri) {
        return dependants == Dependants.IGNORE
                ? URI.create(uri + (uri.getRawQuery() == null ? "?" : "&") + "force=true")
                : uri;
    }

    private static void append(StringBuilder uri, String name, String value) {
        uri.append('&').append(name).append('=').append(ServiceLocation.encoded(value));
    }

    private void requireOpen() {
        if (closed) {
            throw new OntologiaException(
                    ErrorKind.CLOSED, "cannot use the nameservice " + location, "it was closed", "open it again");
        }
    }
}
