package io.ontologia.cli.internal.objects;

import io.ontologia.cli.internal.CommandFailure;
import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.access.ObjectAccess;
import io.ontologia.cli.internal.access.OntologyAccess;
import io.ontologia.core.Maintenance;
import io.ontologia.core.spi.Upkeep;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;

/** A command that keeps a store on objects in shape; on a backend that needs nothing it says so. */
abstract class UpkeepCommand implements OntoCommand {
    /** What a run may do to the store. */
    enum Intent {
        /** Look at it; no byte is changed. */
        LOOK,
        /** Change it. */
        CHANGE
    }

    private final Invocation invocation;
    private final String name;

    UpkeepCommand(Invocation invocation, String name) {
        this.invocation = invocation;
        this.name = name;
    }

    /** What this run may do. Whatever is wrong with the command line is refused here, before the store is opened. */
    abstract Intent intent();

    /** Does it. */
    abstract ExitCode run(Maintenance maintenance, Upkeep upkeep);

    final Invocation invocation() {
        return invocation;
    }

    @Override
    public final ExitCode run() {
        Intent intent = intent();
        OntologyAccess access = new OntologyAccess(invocation);
        if (ObjectAccess.of(invocation).isEmpty()) {
            throw nothingToDo(access);
        }
        try (Maintenance maintenance = intent == Intent.CHANGE ? access.maintain() : access.inspect()) {
            return run(maintenance, maintenance.storage().upkeep().orElseThrow(() -> nothingToDo(access)));
        }
    }

    private CommandFailure nothingToDo(OntologyAccess access) {
        return new CommandFailure(
                ExitCode.COMMAND_FAILED,
                new OntologiaException(
                        ErrorKind.INVALID_INPUT,
                        "cannot run " + name + " on " + access.uri(),
                        "the " + access.backend()
                                + " backend keeps itself in order, only object stores (s3, file) have this command",
                        "there is nothing to do"));
    }
}
