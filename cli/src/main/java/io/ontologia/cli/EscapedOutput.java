package io.ontologia.cli;

import io.ontologia.cli.internal.output.PlainText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Text in UTF-8 in which characters that steer a terminal are written as escapes. Logs go through it: their messages may hold what was
 * read. Safe for use by many threads.
 */
final class EscapedOutput extends OutputStream {
    private static final int LIMIT = 1 << 16;

    private final OutputStream out;
    private final ByteArrayOutputStream pending = new ByteArrayOutputStream();

    EscapedOutput(OutputStream out) {
        this.out = out;
    }

    @Override
    public synchronized void write(int b) throws IOException {
        pending.write(b);
        if (b == '\n' && pending.size() > LIMIT) {
            flush();
        }
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) throws IOException {
        pending.write(bytes, offset, length);
        if (length > 0 && bytes[offset + length - 1] == '\n') {
            flush();
        }
    }

    @Override
    public synchronized void flush() throws IOException {
        if (pending.size() > 0) {
            String text = pending.toString(StandardCharsets.UTF_8);
            pending.reset();
            out.write(PlainText.escapedLines(text).getBytes(StandardCharsets.UTF_8));
        }
        out.flush();
    }
}
