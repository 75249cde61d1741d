package io.ontologia.cli.internal.admin;

import io.ontologia.cli.internal.CommandFailure;
import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.UsageError;
import io.ontologia.cli.internal.access.ObjectAccess;
import io.ontologia.cli.internal.access.OntologyAccess;
import io.ontologia.cli.internal.access.StoreContent;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.kernel.BackgroundRunner;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.AcquireOutcome;
import io.ontologia.objectstore.Lease;
import io.ontologia.objectstore.LeaseKeeper;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.StoreCapabilities;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code onto init}. */
@Command(
        name = "init",
        description = {
            "Prepare a store. One that is there already keeps what it holds, and gets what older versions did not give it. "
                    + "An object store is first tried out as 'onto store check' does; one that ignores conditions of writes "
                    + "is refused with 3."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  onto init",
            "  onto init --db shop.db --dry-run",
            "  onto init --storage-uri s3://bucket/prefix",
            "  onto init --storage-uri s3://bucket/prefix --force --dry-run"
        })
public final class InitCommand implements OntoCommand {
    private final Invocation invocation;

    @Option(names = "--dry-run", description = "Say what is there, and change nothing.")
    private boolean dryRun;

    @Option(
            names = "--force",
            description = "Begin anew, and lose everything that the store holds; only object stores have that.")
    private boolean force;

    @Option(names = "--token", paramLabel = "T", description = "The token that a dry run with --force printed.")
    private @Nullable String token;

    InitCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        if (token != null && (!force || dryRun)) {
            throw new UsageError("--token is for --force without --dry-run", "leave it out");
        }
        OntologyAccess access = new OntologyAccess(invocation);
        Optional<ObjectAccess> objects = ObjectAccess.of(invocation);
        if (objects.isEmpty()) {
            prepareDatabase(access);
        } else {
            try (ObjectStore store = objects.get().open()) {
                prepareObjects(access, objects.get(), store);
            }
        }
        return ExitCode.SUCCESS;
    }

    private void prepareDatabase(OntologyAccess access) {
        if (force) {
            throw new CommandFailure(
                    ExitCode.COMMAND_FAILED,
                    new OntologiaException(
                            ErrorKind.INVALID_INPUT,
                            "cannot begin anew on " + access.uri(),
                            "the " + access.backend() + " backend has no --force, only object stores have",
                            "remove the file, or name another"));
        }
        boolean ready = access.exists() && access.isPrepared();
        if (!dryRun) {
            access.write().close();
        }
        print(access, ready, null);
        output().line(sentence(access, ready, ""));
    }

    private void prepareObjects(OntologyAccess access, ObjectAccess objects, ObjectStore store) {
        if (dryRun) {
            describe(access, FreshStart.of(store));
            return;
        }
        if (!force) {
            StoreContent.requireFree(store, "cannot prepare " + store.location());
        }
        boolean ready = !force && access.exists();
        if (force) {
            requireToken(FreshStart.of(store));
            beginAnew(objects, store, objects.probe(store));
        } else if (!ready) {
            objects.probe(store);
        }
        access.write().close();
        print(access, ready, null);
        output().line(sentence(access, ready, ""));
    }

    private void describe(OntologyAccess access, FreshStart present) {
        boolean ready = present.hasHead() && !present.isErasing();
        String offered = force && present.losesSomething() ? present.token() : null;
        print(access, ready, offered);
        output().line(sentence(access, ready, holdings(present)));
        if (offered != null) {
            output().line("token: " + offered);
            output().line(
                            "nothing was changed; to lose all this and begin anew, replace --dry-run by --token with this token");
        }
    }

    private void requireToken(FreshStart present) {
        if (!present.losesSomething()) {
            return;
        }
        if (token == null) {
            throw new UsageError(
                    "--force on a store that is not empty needs a token",
                    "run the command with --dry-run, and add the --token that it prints");
        }
        if (!present.token().equals(token)) {
            throw present.refused();
        }
    }

    /** Under the write lock, so that nobody is in the middle of something. The head may be damaged: the lock is not. */
    private void beginAnew(ObjectAccess objects, ObjectStore store, StoreCapabilities capabilities) {
        AcquireOutcome outcome = objects.writeLock(store, capabilities).acquire("onto-init");
        if (outcome instanceof AcquireOutcome.Held held) {
            throw objects.busy("begin anew on " + store.location(), held.holder());
        }
        try (Lease lease = ((AcquireOutcome.Acquired) outcome).lease()) {
            BackgroundRunner keeper = LeaseKeeper.start(lease);
            try {
                FreshStart present = FreshStart.of(store);
                requireToken(present);
                present.erase(lease, capabilities, invocation.clock(), output());
            } finally {
                keeper.close();
            }
        }
    }

    private static String holdings(FreshStart present) {
        return present.count() == 0
                ? ""
                : String.format(Locale.ROOT, "; it holds %,d objects of %,d bytes", present.count(), present.bytes())
                        + (present.isErasing() ? ", the rest of what 'onto init --force' began to remove" : "");
    }

    private Output output() {
        return invocation.output();
    }

    private void print(OntologyAccess access, boolean before, @Nullable String offered) {
        if (output().format() == Output.Format.JSON) {
            Map<String, Object> report = new LinkedHashMap<>();
            report.put("backend", access.backend());
            report.put("initialized", before || !dryRun);
            if (offered != null) {
                report.put("token", offered);
            }
            output().json(report);
        }
    }

    private String sentence(OntologyAccess access, boolean before, String holdings) {
        if (before) {
            return access.uri() + " is ready" + holdings;
        }
        return dryRun
                ? access.uri() + " is not prepared"
                        + (holdings.isEmpty() ? "; run the command without --dry-run" : holdings)
                : access.uri() + " is ready now";
    }
}
