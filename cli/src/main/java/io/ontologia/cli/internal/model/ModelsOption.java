package io.ontologia.cli.internal.model;

import io.ontologia.cli.internal.UsageError;
import io.ontologia.core.Model;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that name where types come from. */
public final class ModelsOption {
    @Option(
            names = "--models",
            paramLabel = "M",
            description =
                    "Where types come from: a model file (YAML or JSON), or with --classpath a package or class of "
                            + "Java records.")
    @Nullable String models;

    @Option(
            names = "--classpath",
            paramLabel = "JARS",
            description = "The archives or folders with the classes that --models names: a.jar:b.jar.")
    @Nullable String classpath;

    /**
     * The model that the options name, when they do.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} that lists what is wrong with it
     */
    public Optional<Model> model() {
        if (models == null) {
            if (classpath != null) {
                throw new UsageError(
                        "--classpath is given without --models", "name a package or class of records with --models");
            }
            return Optional.empty();
        }
        return Optional.of(
                classpath == null
                        ? ModelFile.read(file(models))
                        : RecordModel.read(models, ClassPath.parse(classpath)));
    }

    /** The model that the options name; it is a usage error when they name none. */
    public Model requireModel() {
        return model().orElseThrow(() -> new UsageError(
                "--models is missing", "name a model file, or with --classpath a package or class of records"));
    }

    /** The class path that the options name. */
    public Optional<ClassPath> classPath() {
        return Optional.ofNullable(classpath).map(ClassPath::parse);
    }

    private static Path file(String text) {
        try {
            Path path = Path.of(text);
            if (!Files.exists(path) && text.matches("[\\w$]+(\\.[\\w$]+)+") && !text.matches(".*\\.(ya?ml|json)")) {
                throw new OntologiaException(
                        ErrorKind.INVALID_INPUT,
                        "cannot read models from '" + text + "'",
                        "there is no such file",
                        "if it is a package or class of records, add --classpath");
            }
            return path;
        } catch (InvalidPathException e) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "cannot read models from '" + text + "'",
                    "it is no path on this system",
                    "name a model file");
        }
    }
}
