package io.ontologia.cli.internal.config;

import java.util.Locale;

/** How much the libraries may write to standard error about what they do. */
public enum LogLevel {
    /** Nothing. */
    OFF,
    /** Failures. */
    ERROR,
    /** And what may become one. */
    WARN,
    /** And what happens. */
    INFO,
    /** And how. */
    DEBUG,
    /** And everything else. */
    TRACE;

    /** Configures the logging of this process. Only the first call has an effect on loggers that exist already. */
    public void apply() {
        System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", name().toLowerCase(Locale.ROOT));
        System.setProperty("org.slf4j.simpleLogger.showDateTime", "true");
        System.setProperty("org.slf4j.simpleLogger.dateTimeFormat", "HH:mm:ss.SSS");
    }
}
