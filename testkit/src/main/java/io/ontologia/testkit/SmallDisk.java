package io.ontologia.testkit;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A disk of a few megabytes for one process: a file system in memory, mounted where only that process and its children see
 * it. Needs a system that allows mounts in a user namespace, such as Linux with {@code unshare}.
 */
public final class SmallDisk {
    private static final String MOUNT = "mount -t tmpfs -o size=\"$1\" none \"$2\" && shift 2 && exec \"$@\"";

    private SmallDisk() {}

    /** What runs a command, which is to follow, with a small disk at a folder that exists. */
    public static List<String> command(String size, Path folder) {
        return List.of("unshare", "-rm", "sh", "-c", MOUNT, "sh", size, folder.toString());
    }

    /** Whether this machine can do that. */
    public static boolean isPossible(Path folder) throws InterruptedException {
        List<String> command = new java.util.ArrayList<>(command("64k", folder));
        command.add("true");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(1, TimeUnit.MINUTES) && process.exitValue() == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
