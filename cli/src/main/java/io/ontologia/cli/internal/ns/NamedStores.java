package io.ontologia.cli.internal.ns;

import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.access.OntologyAccess;
import io.ontologia.cli.internal.config.StorageLocation;
import io.ontologia.core.Maintenance;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.NameNotFoundException;
import io.ontologia.nameservice.NamePage;
import io.ontologia.nameservice.NameQuery;
import io.ontologia.nameservice.NameRecord;
import io.ontologia.nameservice.Nameservice;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Records of a nameservice, and the stores behind them. */
final class NamedStores {
    private final Invocation invocation;
    private final Nameservice names;

    NamedStores(Invocation invocation, Nameservice names) {
        this.invocation = invocation;
        this.names = names;
    }

    /** What was found in a nameservice. */
    record Found(List<NameRecord> records, List<NamePage.Unreadable> unreadable) {}

    /** One record, or all of them. */
    Found find(@Nullable String alias, NameQuery.Secrets secrets) {
        if (alias != null) {
            Alias wanted = Alias.parse(alias);
            return new Found(
                    List.of(names.lookup(wanted).orElseThrow(() -> new NameNotFoundException(wanted))), List.of());
        }
        return all(NameQuery.all().secrets(secrets));
    }

    /** Everything that a query finds, page by page. */
    Found all(NameQuery query) {
        Found found = new Found(new ArrayList<>(), new ArrayList<>());
        Optional<NameQuery> next = Optional.of(query);
        while (next.isPresent()) {
            NameQuery asked = next.get();
            NamePage page = names.list(asked);
            found.records().addAll(page.records());
            found.unreadable().addAll(page.unreadable());
            next = page.next().map(asked::continueAt);
        }
        return found;
    }

    /** The alias that a text means; empty when it means none. */
    static Optional<Alias> alias(String text) {
        try {
            return Optional.of(Alias.parse(text));
        } catch (OntologiaException e) {
            return Optional.empty();
        }
    }

    /** The newest commit of a store, which is only read. */
    long head(String storageUri) {
        try (Maintenance store = new OntologyAccess(invocation, StorageLocation.parse(storageUri)).inspect()) {
            return store.storage().head();
        }
    }
}
