package io.ontologia.objectstore;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Implemented by stores whose objects are plain files on this machine, so that a caller can read one in place instead of
 * copying it: {@code store instanceof LocalFiles files}.
 */
public interface LocalFiles {

    /** The folder that holds every file of this store, and that {@link #localPath} names files in. */
    Path folder();

    /**
     * The file that holds an object's bytes now, or empty when there is no such object. Only read it. A write to the key
     * puts another file in its place, and a delete removes it, at any time: a reader that has it open keeps the version
     * that it opened, so use this for objects that are never replaced.
     */
    Optional<Path> localPath(String key);
}
