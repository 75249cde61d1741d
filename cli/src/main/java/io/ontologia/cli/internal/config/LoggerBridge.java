package io.ontologia.cli.internal.config;

import java.text.MessageFormat;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/** Sends what is logged through {@link System.Logger} the way of all other log messages, so that {@link LogLevel} counts. */
public final class LoggerBridge extends System.LoggerFinder {
    /** For the JDK, which makes one by reflection. */
    public LoggerBridge() {}

    @Override
    public System.Logger getLogger(String name, Module module) {
        return new Bridged(LoggerFactory.getLogger(name));
    }

    private record Bridged(Logger target) implements System.Logger {
        @Override
        public String getName() {
            return target.getName();
        }

        @Override
        public boolean isLoggable(Level level) {
            return switch (level) {
                case ALL, TRACE -> target.isTraceEnabled();
                case DEBUG -> target.isDebugEnabled();
                case INFO -> target.isInfoEnabled();
                case WARNING -> target.isWarnEnabled();
                case ERROR -> target.isErrorEnabled();
                case OFF -> false;
            };
        }

        @Override
        public void log(Level level, @Nullable ResourceBundle bundle, String message, @Nullable Throwable thrown) {
            if (isLoggable(level)) {
                LoggingEventBuilder event = at(level);
                (thrown == null ? event : event.setCause(thrown)).log("{}", message);
            }
        }

        @Override
        public void log(Level level, @Nullable ResourceBundle bundle, String format, @Nullable Object... values) {
            if (isLoggable(level)) {
                boolean plain = values == null || values.length == 0;
                at(level).log("{}", plain ? format : MessageFormat.format(format, values));
            }
        }

        private LoggingEventBuilder at(Level level) {
            return switch (level) {
                case ALL, TRACE, OFF -> target.atTrace();
                case DEBUG -> target.atDebug();
                case INFO -> target.atInfo();
                case WARNING -> target.atWarn();
                case ERROR -> target.atError();
            };
        }
    }
}
