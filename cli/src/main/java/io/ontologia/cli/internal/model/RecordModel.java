package io.ontologia.cli.internal.model;

import io.ontologia.core.Entity;
import io.ontologia.core.Model;
import io.ontologia.core.Relation;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.io.IOException;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;

/** Reads a model from the records of a package, or of a class and those inside it, on a class path. */
final class RecordModel {
    private RecordModel() {}

    /**
     * Reads the types; no class is initialised.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when there are none, or listing what is wrong
     */
    static Model read(String packageOrClass, ClassPath classPath) {
        try (URLClassLoader loader = classPath.loader()) {
            List<Class<?>> records = new ArrayList<>();
            for (String name : classPath.classesOf(packageOrClass)) {
                Class<?> type = ClassPath.load(loader, name);
                if (type.isRecord() && (Entity.class.isAssignableFrom(type) || Relation.class.isAssignableFrom(type))) {
                    records.add(type);
                }
            }
            if (records.isEmpty()) {
                throw new OntologiaException(
                        ErrorKind.INVALID_INPUT,
                        "cannot read models from '" + packageOrClass + "'",
                        "no record there is an Entity or a Relation",
                        "name a package or class with such records, and the class path that holds it");
            }
            return Model.ofRecords(records);
        } catch (IOException e) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "cannot read models from '" + packageOrClass + "'",
                    String.valueOf(e.getMessage()),
                    "check --classpath",
                    e);
        }
    }
}
