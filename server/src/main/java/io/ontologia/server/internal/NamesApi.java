package io.ontologia.server.internal;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.ConcernValue;
import io.ontologia.nameservice.CreateOutcome;
import io.ontologia.nameservice.Dependants;
import io.ontologia.nameservice.EntityType;
import io.ontologia.nameservice.LifecycleOutcome;
import io.ontologia.nameservice.NameNotFoundException;
import io.ontologia.nameservice.NameQuery;
import io.ontologia.nameservice.NameRecord;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.PurgeOutcome;
import io.ontologia.nameservice.PushOutcome;
import io.ontologia.nameservice.RecordIdentity;
import io.ontologia.nameservice.Watermarks;
import io.ontologia.nameservice.spi.OutcomeJson;
import io.ontologia.nameservice.spi.WireJson;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The nameservice over HTTP. An outcome that is what was asked for is 200 (201 for a creation), a conflict 409, an unknown one 504;
 * errors have the status of their kind. {@link View} decides what the sender sees.
 */
final class NamesApi {
    private static final Set<String> SECRETS = Set.of("secrets");

    private final Nameservice names;

    /** @param names what is served */
    NamesApi(Nameservice names) {
        this.names = names;
    }

    /** Its routes. */
    List<Route> routes() {
        return List.of(
                Route.get("/v2/names", request -> Optional.of(list(request))),
                Route.write("POST", "/v2/names", request -> Optional.of(create(request))),
                Route.get("/v2/names/{alias}", request -> Optional.of(lookup(request))),
                Route.write("DELETE", "/v2/names/{alias}", request -> Optional.of(purge(request))),
                Route.get("/v2/names/{alias}/watermarks", request -> Optional.of(watermarks(request))),
                Route.get("/v2/names/{alias}/concerns/{concern}", request -> Optional.of(concern(request))),
                Route.write("POST", "/v2/names/{alias}/concerns/{concern}", request -> Optional.of(push(request))),
                Route.write("POST", "/v2/names/{alias}/deps", request -> Optional.of(setDeps(request))),
                Route.write("POST", "/v2/names/{alias}/retract", request -> Optional.of(retract(request))),
                Route.write("POST", "/v2/names/{alias}/restore", request -> Optional.of(restore(request))));
    }

    private Reply list(Request request) {
        request.allowOnly(Set.of("type", "state", "prefix", "limit", "after", "secrets"));
        View view = View.of(request);
        NameQuery query =
                NameQuery.all().prefix(request.query("prefix").orElse("")).secrets(view.secrets());
        Optional<String> type = request.query("type");
        Optional<String> state = request.query("state");
        Optional<String> limit = request.query("limit");
        Optional<String> after = request.query("after");
        query = type.isPresent() ? query.type(new EntityType(type.get())) : query;
        query = state.isPresent() ? query.state(state.get()) : query;
        query = limit.isPresent() ? query.pageSize(size(limit.get())) : query;
        query = after.isPresent() ? query.continueAt(after.get()) : query;
        return Reply.json(200, WireJson.page(view.of(names.list(query))));
    }

    private Reply create(Request request) {
        View view = onlySecrets(request);
        CreateOutcome outcome = names.create(request.body(WireJson::readNewRecord));
        if (outcome instanceof CreateOutcome.Exists exists) {
            return outcome(409, OutcomeJson.write(new CreateOutcome.Exists(view.of(exists.actual()))));
        }
        return outcome(outcome instanceof CreateOutcome.Unknown ? 504 : 201, OutcomeJson.write(outcome));
    }

    private Reply lookup(Request request) {
        View view = onlySecrets(request);
        Alias alias = alias(request);
        NameRecord record = names.lookup(alias).orElseThrow(() -> new NameNotFoundException(alias));
        return Reply.json(200, WireJson.record(view.of(record)))
                .tagged(tag(record.identity(), record.watermarks()) + view.tag(), request);
    }

    private Reply watermarks(Request request) {
        request.allowOnly(Set.of());
        Alias alias = alias(request);
        // The whole record: watermarks alone do not show that it was purged and created again.
        NameRecord record = names.lookup(alias).orElseThrow(() -> new NameNotFoundException(alias));
        return Reply.json(200, WireJson.watermarks(record.watermarks()))
                .tagged(tag(record.identity(), record.watermarks()), request);
    }

    private Reply concern(Request request) {
        View view = onlySecrets(request);
        Alias alias = alias(request);
        Concern concern = Concern.parse(request.path("concern"));
        ConcernValue value = names.concern(alias, concern).orElseThrow(() -> new NameNotFoundException(alias));
        return Reply.json(200, WireJson.value(view.of(concern, value)))
                .tagged(identity(value.origin()) + value.watermark() + view.tag(), request);
    }

    private static String tag(Optional<RecordIdentity> record, Watermarks marks) {
        return identity(record) + marks.head() + "." + marks.index() + "." + marks.status() + "." + marks.config();
    }

    /** What makes the tag of a record differ from that of a later one of the same name. */
    private static String identity(Optional<RecordIdentity> record) {
        return record.map(RecordIdentity::toString).orElse("").replaceAll("[^!#-~]", "_") + ".";
    }

    private Reply push(Request request) {
        View view = onlySecrets(request);
        Concern concern = Concern.parse(request.path("concern"));
        Push push = request.body(
                body -> new Push(WireJson.readValue(body.object("expected")), WireJson.readValue(body.object("next"))));
        PushOutcome outcome = names.push(alias(request), concern, push.expected, push.next);
        if (outcome instanceof PushOutcome.Conflict conflict) {
            return outcome(409, OutcomeJson.write(new PushOutcome.Conflict(view.of(concern, conflict.actual()))));
        }
        if (outcome instanceof PushOutcome.Updated updated) {
            return outcome(200, OutcomeJson.write(new PushOutcome.Updated(view.of(concern, updated.value()))));
        }
        return outcome(504, OutcomeJson.write(outcome));
    }

    private Reply setDeps(Request request) {
        View view = onlySecrets(request);
        return lifecycle(names.setDeps(alias(request), request.body(WireJson::readDeps)), view);
    }

    private Reply retract(Request request) {
        View view = secretsAndForce(request);
        String reason = request.body(body -> body.optionalText("reason").orElse(""));
        return lifecycle(names.retract(alias(request), reason, dependants(request)), view);
    }

    private Reply restore(Request request) {
        View view = onlySecrets(request);
        request.body(body -> body);
        return lifecycle(names.restore(alias(request)), view);
    }

    private static Reply lifecycle(LifecycleOutcome outcome, View view) {
        if (outcome instanceof LifecycleOutcome.Changed changed) {
            return outcome(200, OutcomeJson.write(new LifecycleOutcome.Changed(view.of(changed.record()))));
        }
        if (outcome instanceof LifecycleOutcome.Unchanged unchanged) {
            return outcome(200, OutcomeJson.write(new LifecycleOutcome.Unchanged(view.of(unchanged.record()))));
        }
        return outcome(504, OutcomeJson.write(outcome));
    }

    private Reply purge(Request request) {
        View view = secretsAndForce(request);
        PurgeOutcome outcome = names.purge(alias(request), dependants(request));
        if (outcome instanceof PurgeOutcome.StillActive active) {
            return outcome(409, OutcomeJson.write(new PurgeOutcome.StillActive(view.of(active.actual()))));
        }
        return outcome(outcome instanceof PurgeOutcome.Unknown ? 504 : 200, OutcomeJson.write(outcome));
    }

    private static Reply outcome(int status, Map<String, @Nullable Object> tree) {
        return Reply.json(status, tree);
    }

    private static Alias alias(Request request) {
        return Alias.parse(request.path("alias"));
    }

    private static View onlySecrets(Request request) {
        request.allowOnly(SECRETS);
        return View.of(request);
    }

    private static View secretsAndForce(Request request) {
        request.allowOnly(Set.of("secrets", "force"));
        return View.of(request);
    }

    private static Dependants dependants(Request request) {
        return switch (request.query("force").orElse("false")) {
            case "true" -> Dependants.IGNORE;
            case "false" -> Dependants.REFUSE;
            default -> throw invalid("force is neither true nor false");
        };
    }

    private static int size(String limit) {
        try {
            return Integer.parseInt(limit);
        } catch (NumberFormatException e) {
            throw invalid("limit is not a number");
        }
    }

    private static OntologiaException invalid(String cause) {
        return new Refusal(400, ErrorKind.INVALID_INPUT, cause, "correct the query");
    }

    private record Push(ConcernValue expected, ConcernValue next) {}
}
