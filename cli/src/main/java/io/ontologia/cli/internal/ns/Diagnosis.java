package io.ontologia.cli.internal.ns;

import io.ontologia.cli.internal.Invocation;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.LockKind;
import io.ontologia.nameservice.NameQuery;
import io.ontologia.nameservice.NameRecord;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.SoftLocks;
import io.ontologia.naming.StoreRecord;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Compares the records of a nameservice with each other and with their stores. Changes nothing. */
final class Diagnosis {
    private final Invocation invocation;
    private final Nameservice names;
    private final NamedStores stores;
    private final List<Finding> findings = new ArrayList<>();

    Diagnosis(Invocation invocation, Nameservice names) {
        this.invocation = invocation;
        this.names = names;
        this.stores = new NamedStores(invocation, names);
    }

    /**
     * Something that is not as it must be.
     *
     * @param code for programs
     * @param place the alias or object
     */
    record Finding(String code, String place, String problem, String remedy) {}

    List<Finding> run() {
        NamedStores.Found found = stores.find(null, NameQuery.Secrets.REDACTED);
        found.unreadable()
                .forEach(one -> add(
                        "unreadable-record",
                        one.place(),
                        one.reason().problem() + ": " + one.reason().reason(),
                        one.reason().remedy()));
        Set<Alias> known = found.records().stream().map(NameRecord::alias).collect(Collectors.toSet());
        for (NameRecord record : found.records()) {
            if (!record.isRetracted()) {
                dependencies(record, known);
                locks(record);
                store(record);
            }
        }
        return findings;
    }

    private void dependencies(NameRecord record, Set<Alias> known) {
        for (String dependency : record.deps()) {
            Optional<Alias> named = NamedStores.alias(dependency);
            if (named.isEmpty()) {
                add(
                        "malformed-dependency",
                        record.alias().toString(),
                        "it depends on '" + dependency + "', which is no alias",
                        "'onto ns deps " + record.alias() + "' sets what it depends on");
            } else if (!known.contains(named.get())) {
                add(
                        "missing-dependency",
                        record.alias().toString(),
                        "it depends on " + dependency + ", and there is no such record",
                        "create it, or retract this one");
            }
        }
    }

    private void locks(NameRecord record) {
        SoftLocks locks = new SoftLocks(names, invocation.clock(), new SecureRandom());
        for (LockKind kind : LockKind.values()) {
            locks.holder(record.alias(), kind)
                    .filter(holder ->
                            holder.expiresAt().isBefore(invocation.clock().now()))
                    .ifPresent(holder -> add(
                            "expired-lock",
                            record.alias().toString(),
                            kind.field() + " of " + holder.holder() + " ran out",
                            "nothing: the next who wants it takes it over; 'onto ns lock break' frees it at once"));
        }
    }

    private void store(NameRecord record) {
        String alias = record.alias().toString();
        String uri = StoreRecord.storageUri(record).orElse("");
        if (uri.isEmpty()) {
            return;
        }
        try {
            long head = stores.head(uri);
            long told = record.head().watermark();
            if (told < head) {
                add(
                        "head-behind-store",
                        alias,
                        "it is at " + told + ", its store at " + head,
                        "'onto ns sync " + alias + "'");
            } else if (told > head) {
                add(
                        "head-ahead-of-store",
                        alias,
                        "it is at " + told + ", and its store has only " + head + " commits",
                        "see whether the store was restored from a backup or made anew");
            }
        } catch (OntologiaException e) {
            add(
                    e.kind() == ErrorKind.NOT_FOUND ? "store-missing" : "store-unreachable",
                    alias,
                    e.getMessage(),
                    e.kind() == ErrorKind.NOT_FOUND
                            ? "correct storage_uri in its config, or retract the record"
                            : "try again when it can be reached");
        }
    }

    private void add(String code, String place, String problem, String remedy) {
        findings.add(new Finding(code, place, problem, remedy));
    }
}
