package io.ontologia.cli.internal.model;

import io.ontologia.core.Model;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipException;

/** Archives and folders of classes that the user names, beside those of this program. */
public final class ClassPath {
    private final List<Path> entries;

    private ClassPath(List<Path> entries) {
        this.entries = entries;
    }

    /**
     * The entries of a text, separated as the system separates paths.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when one of them is not there
     */
    public static ClassPath parse(String text) {
        List<Path> entries = new ArrayList<>();
        for (String part : text.split(Pattern.quote(File.pathSeparator), -1)) {
            entries.add(entry(part));
        }
        return new ClassPath(entries);
    }

    private static Path entry(String text) {
        try {
            Path path = Path.of(text);
            if (!text.isBlank() && Files.exists(path)) {
                return path;
            }
        } catch (InvalidPathException e) {
            throw invalid(text, "it is no path on this system");
        }
        throw invalid(text, "there is no such file or folder");
    }

    /** A loader of these entries; the caller closes it. */
    public URLClassLoader loader() {
        List<URL> urls = new ArrayList<>();
        for (Path entry : entries) {
            try {
                urls.add(entry.toUri().toURL());
            } catch (MalformedURLException e) {
                throw invalid(entry.toString(), "it is no URL");
            }
        }
        return new URLClassLoader(urls.toArray(URL[]::new), Model.class.getClassLoader());
    }

    /** The names of the classes of a package, subpackages left out, or of a class and those inside it; sorted. */
    public Set<String> classesOf(String packageOrClass) throws IOException {
        String path = packageOrClass.replace('.', '/');
        Pattern wanted =
                Pattern.compile(Pattern.quote(path) + "(/[^/]+|\\$[^/]+)?\\.class|" + Pattern.quote(path) + "\\.class");
        Set<String> names = new TreeSet<>();
        for (Path entry : entries) {
            for (String file : files(entry)) {
                if (wanted.matcher(file).matches()) {
                    names.add(
                            file.substring(0, file.length() - ".class".length()).replace('/', '.'));
                }
            }
        }
        return names;
    }

    /** Every file of an archive or folder, with slashes. */
    public static List<String> files(Path entry) throws IOException {
        if (Files.isDirectory(entry)) {
            try (Stream<Path> files = Files.walk(entry)) {
                return files.filter(Files::isRegularFile)
                        .map(file -> entry.relativize(file).toString().replace(File.separatorChar, '/'))
                        .toList();
            }
        }
        try (JarFile jar = new JarFile(entry.toFile())) {
            return jar.stream().map(file -> file.getName()).toList();
        } catch (ZipException e) {
            throw invalid(entry.toString(), "it is neither a JAR nor a folder");
        }
    }

    /** Loads a class without initialising it. */
    public static Class<?> load(ClassLoader loader, String name) {
        try {
            return Class.forName(name, false, loader);
        } catch (ClassNotFoundException | LinkageError e) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "cannot load class " + name,
                    e instanceof UnsupportedClassVersionError
                            ? "it was compiled for a newer Java than this one"
                            : "it needs a class that is not there: " + e.getMessage(),
                    "complete --classpath",
                    e);
        }
    }

    private static OntologiaException invalid(String entry, String cause) {
        return new OntologiaException(
                ErrorKind.INVALID_INPUT, "invalid class path entry '" + entry + "'", cause, "correct --classpath");
    }
}
