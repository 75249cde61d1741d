package io.ontologia.cli.internal.ns;

import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.kernel.UtcTimestamp;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.LockHolder;
import io.ontologia.nameservice.LockKind;
import io.ontologia.nameservice.NameNotFoundException;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.SoftLocks;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code onto ns lock show}. */
@Command(
        name = "show",
        description = "Show who holds the soft locks of a record, and until when.",
        footerHeading = "%nExamples:%n",
        footer = {"  onto ns lock show mydb", "  onto ns lock show mydb --json"})
final class NsLockShowCommand implements OntoCommand {
    private final Invocation invocation;

    @Mixin
    private final NsOption nameservice = new NsOption();

    @Parameters(paramLabel = "ALIAS", description = "The record: name, name:branch or vg:name:branch.")
    private String alias = "";

    NsLockShowCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        Alias wanted = Alias.parse(alias);
        List<Map<String, Object>> locks = new ArrayList<>();
        try (Nameservice names = nameservice.look(invocation)) {
            if (names.watermarks(wanted).isEmpty()) {
                throw new NameNotFoundException(wanted);
            }
            SoftLocks soft = new SoftLocks(names, invocation.clock(), new SecureRandom());
            for (LockKind kind : LockKind.values()) {
                Optional<LockHolder> holder = soft.holder(wanted, kind);
                holder.ifPresent(found -> locks.add(document(kind, found)));
            }
        }
        Output output = invocation.output();
        if (output.format() == Output.Format.JSON) {
            output.json(locks);
        } else if (locks.isEmpty()) {
            output.line("nobody holds a lock of " + wanted);
        } else {
            List<List<@Nullable Object>> rows = new ArrayList<>();
            locks.forEach(lock -> rows.add(new ArrayList<>(lock.values())));
            output.table(List.of("lock", "holder", "for t", "since", "until", "expired", "token"), rows);
        }
        return ExitCode.SUCCESS;
    }

    private Map<String, Object> document(LockKind kind, LockHolder holder) {
        Instant now = invocation.clock().now();
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("lock", kind.field());
        document.put("holder", holder.holder());
        document.put("target_t", holder.targetT());
        document.put("acquired_at", UtcTimestamp.format(holder.acquiredAt()));
        document.put("expires_at", UtcTimestamp.format(holder.expiresAt()));
        document.put("expired", holder.expiresAt().isBefore(now));
        document.put("token", holder.token());
        return document;
    }
}
