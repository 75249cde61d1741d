package io.ontologia.cli.internal;

import io.ontologia.cli.internal.config.Settings;
import io.ontologia.cli.internal.config.SettingsSource;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.cli.internal.output.Terminal;
import io.ontologia.kernel.Clock;
import java.io.InputStream;
import java.io.PrintStream;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One run of {@code onto}: what it was given and what it writes to. Nothing here is shared between runs. */
public final class Invocation {
    private final Map<String, String> environment;
    private final InputStream in;
    private PrintStream out;
    private final PrintStream err;
    private final Clock clock;
    private final GlobalOptions options = new GlobalOptions();
    private final Interruption interruption = new Interruption();
    private @Nullable Settings settings;

    /** Closes none of the streams. */
    public Invocation(Map<String, String> environment, InputStream in, PrintStream out, PrintStream err, Clock clock) {
        this.environment = Map.copyOf(environment);
        this.in = in;
        this.out = out;
        this.err = err;
        this.clock = clock;
    }

    /** Where the global options of the command line are put; commands ask {@link #settings()}. */
    public GlobalOptions options() {
        return options;
    }

    /**
     * The settings of this run; resolved, and logging configured, on the first call. Only after the command line was
     * read.
     */
    public Settings settings() {
        Settings resolved = settings;
        if (resolved == null) {
            resolved = new SettingsSource(environment).resolve(options.storageUri, options.database, options.config);
            resolved.logLevel().apply();
            settings = resolved;
        }
        return resolved;
    }

    /** What to print to. Only after the command line was read. */
    public Output output() {
        return output(options.json ? Output.Format.JSON : Output.Format.TEXT);
    }

    /** What to print to when the command line could not be read. */
    Output output(Output.Format format) {
        return new Output(out, err, terminal(), format, clock, interruption.lines());
    }

    /** Prints results to another stream from now on: to a pager. */
    public void resultsTo(PrintStream other) {
        out = other;
    }

    /** What a signal that ends this run leaves behind. */
    public Interruption interruption() {
        return interruption;
    }

    /** Reports a signal that ends this run. Called on another thread than that of the run. */
    public void signalled() {
        interruption.signalled(this);
    }

    /** What the streams are connected to. */
    public Terminal terminal() {
        return Terminal.of(environment);
    }

    /** Standard input. */
    public InputStream in() {
        return in;
    }

    /** The clock of this run. */
    public Clock clock() {
        return clock;
    }

    /** The zone in which times are read that name none: that of {@code TZ}, or of the machine. */
    public ZoneId zone() {
        String named = environment.getOrDefault("TZ", "");
        try {
            return named.isEmpty() ? clock.zone() : ZoneId.of(named.startsWith(":") ? named.substring(1) : named);
        } catch (DateTimeException e) {
            // A form of TZ that only the system reads: Java asked the system.
            return clock.zone();
        }
    }

    /** The environment of this run. */
    public Map<String, String> environment() {
        return environment;
    }

    /** Standard output itself, for commands that run others. */
    public PrintStream out() {
        return out;
    }

    /** Standard error itself, for commands that run others. */
    public PrintStream err() {
        return err;
    }
}
