package io.ontologia.cli.internal.config;

import java.util.Locale;

/**
 * How much is logged to standard error. The level counts for Ontologia. Other libraries log warnings at most, whatever the level is:
 * below that the AWS SDK and its HTTP client log headers with signatures and session tokens, and request bodies. Warnings that
 * damaged data is missing in an answer are shown at every level.
 */
public enum LogLevel {
    /** Nothing but warnings about damaged data. */
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
        LogLevel others = compareTo(WARN) < 0 ? this : WARN;
        System.setProperty(
                "org.slf4j.simpleLogger.defaultLogLevel", others.name().toLowerCase(Locale.ROOT));
        System.setProperty("org.slf4j.simpleLogger.log.io.ontologia", name().toLowerCase(Locale.ROOT));
        LogLevel damage = compareTo(WARN) < 0 ? WARN : this;
        System.setProperty(
                "org.slf4j.simpleLogger.log.io.ontologia.damage", damage.name().toLowerCase(Locale.ROOT));
        System.setProperty("org.slf4j.simpleLogger.showDateTime", "true");
        System.setProperty("org.slf4j.simpleLogger.dateTimeFormat", "HH:mm:ss.SSS");
    }
}
