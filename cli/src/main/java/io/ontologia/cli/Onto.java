package io.ontologia.cli;

import io.ontologia.cli.internal.ErrorReport;
import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.cli.internal.output.Pager;
import io.ontologia.cli.internal.output.Terminal;
import io.ontologia.kernel.Clock;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * The console, {@code onto}. {@link #main} runs it as a process; tests and other programs construct one with their own
 * environment and streams, call {@link #run} and look at the exit code. It changes nothing of the process but the
 * configuration of its logging. May be run many times, by one thread at a time.
 */
public final class Onto {
    private final Map<String, String> environment;
    private final InputStream in;
    private final PrintStream out;
    private final PrintStream err;
    private final Clock clock;
    private final boolean ownsTerminal;
    private volatile @Nullable Invocation current;
    private volatile @Nullable Pager pager;

    /** A console on the given environment, streams and clock. The streams are flushed and stay open. Without a pager. */
    public Onto(Map<String, String> environment, InputStream in, PrintStream out, PrintStream err, Clock clock) {
        this(environment, in, out, err, clock, false);
    }

    private Onto(
            Map<String, String> environment,
            InputStream in,
            PrintStream out,
            PrintStream err,
            Clock clock,
            boolean ownsTerminal) {
        this.ownsTerminal = ownsTerminal;
        this.environment = Map.copyOf(environment);
        this.in = in;
        this.out = out;
        this.err = err;
        this.clock = clock;
    }

    /** Runs the process's command line and exits with its code. */
    public static void main(String[] args) {
        System.setErr(StandardStreams.logs());
        Onto onto = new Onto(
                System.getenv(), System.in, StandardStreams.out(), StandardStreams.err(), Clock.system(), true);
        // The JVM exits with 128 and the number of the signal by itself: 130 for Ctrl-C, 143 for SIGTERM.
        Runtime.getRuntime().addShutdownHook(new Thread(onto::signalled, "onto-signal"));
        System.exit(onto.run(args));
    }

    /**
     * Runs one command line. Never throws: whatever goes wrong is reported as {@code error: problem: cause. Remedy} on
     * standard error, or with {@code --json} as a document on standard output.
     *
     * @return the exit code
     */
    @SuppressWarnings("CatchingUnchecked") // this is the boundary of the process: nothing may leave it as a stack trace
    public int run(String... args) {
        Invocation invocation = new Invocation(environment, in, out, err, clock);
        current = invocation;
        ErrorReport errors = new ErrorReport(invocation);
        ExitCode code;
        try {
            code = execute(commandLine(invocation, args).parseArgs(args), invocation);
        } catch (ParameterException e) {
            code = errors.report(e, args);
        } catch (Throwable e) {
            code = errors.report(e);
        }
        err.flush();
        if (out.checkError() && code == ExitCode.SUCCESS) {
            code = errors.report(new OntologiaException(
                    ErrorKind.UNAVAILABLE,
                    "cannot write the result",
                    "standard output does not take it",
                    "make room where it goes and run the command again"));
        }
        invocation.interruption().finished();
        return code.number();
    }

    /** Reports a signal that ends the process, unless the run is over. */
    private void signalled() {
        Pager shown = pager;
        if (shown != null) {
            // Pagers take Ctrl-C for themselves; the terminal is theirs until they end.
            shown.close();
        }
        Invocation invocation = current;
        if (invocation != null) {
            invocation.signalled();
        }
    }

    /** The commands that a command line can mean, ready to read it; all of them for an empty one. */
    static CommandLine commandLine(Invocation invocation, String... args) {
        Terminal terminal = invocation.terminal();
        CommandFactory factory = new CommandFactory(invocation);
        CommandLine line = new CommandLine(new RootCommand(invocation), factory);
        RootCommand.commandsFor(args)
                .forEach((name, command) -> line.addSubcommand(name, new CommandLine(command, factory)));
        line.setExpandAtFiles(false);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setColorScheme(
                CommandLine.Help.defaultColorScheme(terminal.out() && terminal.colour() ? Ansi.ON : Ansi.OFF));
        HelpLayout.apply(line);
        return line;
    }

    private ExitCode execute(ParseResult parsed, Invocation invocation) {
        List<CommandLine> commands = parsed.asCommandLineList();
        CommandLine last = commands.get(commands.size() - 1);
        Output output = invocation.output();
        if (parsed.isVersionHelpRequested()) {
            if (output.format() == Output.Format.JSON) {
                output.json(Map.of("version", version()));
            }
            output.line("onto " + version());
            return ExitCode.SUCCESS;
        }
        if (last.isUsageHelpRequested() || parsed.originalArgs().isEmpty()) {
            last.usage(new PrintWriter(out, true, StandardCharsets.UTF_8));
            return ExitCode.SUCCESS;
        }
        if (last.getCommand() instanceof OntoCommand command) {
            return paged(command, invocation);
        }
        throw new ParameterException(
                last,
                "'" + last.getCommandSpec().qualifiedName() + "' needs a command: "
                        + String.join(", ", last.getSubcommands().keySet()));
    }

    private ExitCode paged(OntoCommand command, Invocation invocation) {
        boolean wanted =
                ownsTerminal && command.isPaged() && invocation.output().format() == Output.Format.TEXT;
        Optional<Pager> started = wanted ? Pager.command(environment).flatMap(Pager::start) : Optional.empty();
        if (started.isEmpty()) {
            return command.run();
        }
        try (Pager shown = started.get()) {
            pager = shown;
            invocation.resultsTo(shown.input());
            return command.run();
        } finally {
            pager = null;
        }
    }

    private static String version() {
        try (InputStream resource = Onto.class.getResourceAsStream("version.properties")) {
            Properties properties = new Properties();
            properties.load(resource);
            return properties.getProperty("version");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
