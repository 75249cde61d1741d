package io.ontologia.cli.internal.objects;

import io.ontologia.cli.internal.CommandFailure;
import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.access.OntologyAccess;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;

/** A command that has no meaning on SQLite, and says so. */
abstract class ObjectStoreOnly implements OntoCommand {
    private final Invocation invocation;
    private final String name;

    ObjectStoreOnly(Invocation invocation, String name) {
        this.invocation = invocation;
        this.name = name;
    }

    @Override
    public ExitCode run() {
        throw new CommandFailure(
                ExitCode.COMMAND_FAILED,
                new OntologiaException(
                        ErrorKind.INVALID_INPUT,
                        "cannot run " + name + " on " + new OntologyAccess(invocation).uri(),
                        "the sqlite backend keeps itself in order, only object stores (s3, file) have this command",
                        "there is nothing to do"));
    }
}
