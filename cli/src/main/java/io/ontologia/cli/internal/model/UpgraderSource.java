package io.ontologia.cli.internal.model;

import io.ontologia.cli.internal.UsageError;
import io.ontologia.core.Upgrader;
import io.ontologia.core.Upgraders;
import io.ontologia.core.Upgrades;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.io.IOException;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Upgraders from archives and folders that the user names. Their classes can be used until it is closed. */
public final class UpgraderSource implements AutoCloseable {
    private final Upgraders upgraders;
    private final @Nullable URLClassLoader loader;

    private UpgraderSource(Upgraders upgraders, @Nullable URLClassLoader loader) {
        this.upgraders = upgraders;
        this.loader = loader;
    }

    /** No upgraders at all. */
    public static UpgraderSource none() {
        return new UpgraderSource(Upgraders.none(), null);
    }

    /**
     * Upgraders by what the command line says: an archive or folder, of which every class is looked through; a class on the
     * class path; or an archive and a class in it, joined by a slash.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when there are none, or one cannot be used
     */
    public static UpgraderSource open(String text, Optional<ClassPath> classPath) {
        Optional<Path> whole = existing(text);
        if (whole.isPresent()) {
            return ofEverything(text);
        }
        int slash = text.lastIndexOf('/');
        if (slash > 0 && existing(text.substring(0, slash)).isPresent()) {
            return ofClass(text.substring(slash + 1), ClassPath.parse(text.substring(0, slash)));
        }
        return ofClass(
                text,
                classPath.orElseThrow(
                        () -> new UsageError(
                                "--upgraders is '" + text + "', which is no file",
                                "name a JAR, a JAR and a class as app.jar/com.example.Upgrades, or a class together with --classpath")));
    }

    private static UpgraderSource ofClass(String name, ClassPath classPath) {
        URLClassLoader loader = classPath.loader();
        return guarded(loader, () -> Upgraders.ofMethods(Class.forName(name, true, loader)), name);
    }

    private static UpgraderSource ofEverything(String entry) {
        URLClassLoader loader = ClassPath.parse(entry).loader();
        return guarded(
                loader,
                () -> {
                    List<Upgrader> found = new ArrayList<>();
                    for (String file : ClassPath.files(Path.of(entry))) {
                        if (file.endsWith(".class") && !file.endsWith("-info.class")) {
                            String name = file.substring(0, file.length() - ".class".length())
                                    .replace('/', '.');
                            found.addAll(upgradersOf(loader, name));
                        }
                    }
                    if (found.isEmpty()) {
                        throw new OntologiaException(
                                ErrorKind.INVALID_INPUT,
                                "cannot use the upgraders of " + entry,
                                "no method in it is marked with @Upgrades",
                                "mark public static methods from Map to Map");
                    }
                    return Upgraders.of(found);
                },
                entry);
    }

    private static List<Upgrader> upgradersOf(ClassLoader loader, String name) throws ClassNotFoundException {
        try {
            Class<?> type = Class.forName(name, false, loader);
            boolean marked =
                    Stream.of(type.getDeclaredMethods()).anyMatch(method -> method.isAnnotationPresent(Upgrades.class));
            return marked ? List.copyOf(Upgraders.ofMethods(type).all()) : List.of();
        } catch (LinkageError e) {
            // Archives hold classes for occasions that never come, whose libraries are not there.
            return List.of();
        }
    }

    private interface Loading {
        Upgraders load() throws ClassNotFoundException, IOException;
    }

    private static UpgraderSource guarded(URLClassLoader loader, Loading loading, String what) {
        boolean done = false;
        try {
            UpgraderSource source = new UpgraderSource(loading.load(), loader);
            done = true;
            return source;
        } catch (ClassNotFoundException | IOException | LinkageError e) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "cannot use the upgraders of " + what,
                    e instanceof ClassNotFoundException ? "there is no class " + e.getMessage() : String.valueOf(e),
                    "check --upgraders and --classpath",
                    e);
        } finally {
            if (!done) {
                close(loader);
            }
        }
    }

    private static Optional<Path> existing(String text) {
        try {
            return Optional.of(Path.of(text)).filter(Files::exists);
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    /** The upgraders. */
    public Upgraders upgraders() {
        return upgraders;
    }

    @Override
    public void close() {
        if (loader != null) {
            close(loader);
        }
    }

    private static void close(URLClassLoader loader) {
        try {
            loader.close();
        } catch (IOException e) {
            throw new OntologiaException(
                    ErrorKind.UNAVAILABLE, "cannot close an archive", String.valueOf(e.getMessage()), "", e);
        }
    }
}
