package io.ontologia.cli;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** The process's own streams, in UTF-8 whatever the locale: JSON has no other encoding. */
final class StandardStreams {
    private StandardStreams() {}

    static PrintStream out() {
        OutputStream file = new UntilReaderLeaves(new FileOutputStream(FileDescriptor.out));
        return new PrintStream(new BufferedOutputStream(file, 1 << 16), false, StandardCharsets.UTF_8);
    }

    static PrintStream err() {
        return new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
    }

    /** Standard error for logs and for what the JDK prints. */
    static PrintStream logs() {
        return new PrintStream(
                new EscapedOutput(new FileOutputStream(FileDescriptor.err)), true, StandardCharsets.UTF_8);
    }

    /** Drops what nobody reads any more: {@code onto … | head} is no failure of the command. A full disk still is. */
    private static final class UntilReaderLeaves extends FilterOutputStream {
        private boolean left;

        UntilReaderLeaves(OutputStream out) {
            super(out);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            if (left) {
                return;
            }
            try {
                out.write(bytes, offset, length);
            } catch (IOException e) {
                if (e.getMessage() == null || !e.getMessage().contains("Broken pipe")) {
                    throw e;
                }
                left = true;
            }
        }
    }
}
