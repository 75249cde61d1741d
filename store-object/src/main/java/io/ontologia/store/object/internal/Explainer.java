package io.ontologia.store.object.internal;

import io.ontologia.core.Explanation;
import io.ontologia.core.FieldPath;
import io.ontologia.core.TypeRef;
import io.ontologia.core.Window;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.store.object.internal.engine.Engine;
import io.ontologia.store.object.internal.engine.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Says how queries are answered. */
final class Explainer {
    private final SharedStore shared;

    private record Answer(Engine.Plan plan, Explanation.Source source) {}

    Explainer(SharedStore shared) {
        this.shared = shared;
    }

    Explanation explain(RowQuery query, View view) {
        long before = shared.copies().bytesFetched();
        Answer answer = shared.answers()
                .answer(
                        query,
                        view,
                        (sources, tables) -> new Answer(
                                shared.engine().explain(query, sources, tables),
                                sources.apply(query.type()) instanceof Source.Table
                                        ? Explanation.Source.LATEST
                                        : Explanation.Source.HISTORY));
        Engine.Plan plan = answer.plan();
        List<FieldPath> pushedDown = new ArrayList<>(query.paths());
        pushedDown.retainAll(plan.typed());
        List<FieldPath> evaluated = new ArrayList<>(query.paths());
        evaluated.removeAll(plan.typed());
        return new Explanation(
                shared.engine().version(),
                answer.source(),
                files(query, view),
                pushedDown,
                evaluated,
                shared.copies().bytesFetched() - before,
                plan.text());
    }

    private List<Explanation.DataFile> files(RowQuery query, View view) {
        TreeSet<TypeRef> types = new TreeSet<>(Changes.BY_KIND_AND_NAME.reversed());
        types.add(query.type());
        if (query.looksAt(FieldPath.Scope.LEFT)) {
            query.leftType().ifPresent(name -> types.add(TypeRef.entity(name)));
        }
        if (query.looksAt(FieldPath.Scope.RIGHT)) {
            query.rightType().ifPresent(name -> types.add(TypeRef.entity(name)));
        }
        List<Explanation.DataFile> files = new ArrayList<>();
        for (TypeRef type : types) {
            boolean isSelf = type.equals(query.type());
            long after = isSelf && query.window() instanceof Window.History history ? history.afterCommitId() : 0;
            long upTo = query.window().upTo().orElse(view.head().commitId());
            shared.resolver()
                    .files(type, view, after, upTo)
                    .forEach(entry -> files.add(
                            new Explanation.DataFile(type, entry.path(), entry.minCommitId(), entry.maxCommitId())));
        }
        return files;
    }
}
