package io.ontologia.cli.internal;

/**
 * A command that does something. Its class carries picocli's annotations, an example in its footer, and a constructor that
 * takes the {@link Invocation}, or none.
 */
public interface OntoCommand {
    /**
     * Runs once, after the command line was read. Errors are thrown, not printed: an {@code OntologiaException} exits by
     * its kind, a {@link CommandFailure} by its own choice, and anything else as unexpected.
     */
    ExitCode run();

    /** Whether its output is shown by a pager, where there is a terminal. */
    default boolean isPaged() {
        return false;
    }
}
