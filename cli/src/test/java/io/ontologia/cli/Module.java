package io.ontologia.cli;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The module table of {@code ARCHITECTURE.md} as data. A row may stand here before its module exists.
 *
 * @param root the package that is the module's public API
 * @param uses the modules that it may depend on, and through them on what those may depend on
 */
record Module(String root, List<Module> uses) {
    static final Module KERNEL = module("kernel");
    static final Module OBJECTSTORE = module("objectstore", KERNEL);
    static final Module CORE = module("core", KERNEL);
    static final Module STORE_SQLITE = module("store.sqlite", CORE);
    static final Module STORE_OBJECT = module("store.object", CORE, OBJECTSTORE);
    static final Module BRIDGE_KAFKA = module("bridge.kafka", CORE);
    static final Module NAMESERVICE = module("nameservice", KERNEL, OBJECTSTORE);
    static final Module NAMESERVICE_DYNAMODB = module("nameservice.dynamodb", NAMESERVICE);
    static final Module NAMING = module("naming", CORE, NAMESERVICE);
    static final Module SNAPSHOT = module("snapshot", KERNEL);
    static final Module SEARCH = module("search", CORE, SNAPSHOT, NAMESERVICE);
    static final Module ENTITYBASE = module("entitybase", KERNEL, OBJECTSTORE);
    static final Module TESTKIT = module("testkit", CORE, OBJECTSTORE, NAMESERVICE);
    static final Module SERVER = module("server", STORE_SQLITE, STORE_OBJECT, NAMESERVICE_DYNAMODB, SEARCH, ENTITYBASE);
    static final Module CLI = module("cli", SERVER, NAMING);
    static final Module BENCH = module("bench", CLI, TESTKIT);

    private static final List<Module> ALL = List.of(
            KERNEL,
            OBJECTSTORE,
            CORE,
            STORE_SQLITE,
            STORE_OBJECT,
            BRIDGE_KAFKA,
            NAMESERVICE,
            NAMESERVICE_DYNAMODB,
            NAMING,
            SNAPSHOT,
            SEARCH,
            ENTITYBASE,
            TESTKIT,
            SERVER,
            CLI,
            BENCH);

    private static Module module(String root, Module... uses) {
        return new Module("io.ontologia." + root, List.of(uses));
    }

    /** The module that a class is part of; of two nested roots the inner one. */
    static Optional<Module> of(JavaClass type) {
        return ALL.stream()
                .filter(module -> (type.getPackageName() + ".").startsWith(module.root + "."))
                .max(Comparator.comparingInt(module -> module.root.length()));
    }

    /** Whether a class is in the root package of its module, or in the one for those who extend it. */
    static boolean isPublicApi(JavaClass type) {
        return of(type).filter(module -> type.getPackageName().equals(module.root)
                        || type.getPackageName().equals(module.root + ".spi"))
                .isPresent();
    }

    /** Whether a class is in an internal package of its module. */
    static boolean isInternal(JavaClass type) {
        return of(type).filter(module -> (type.getPackageName() + ".").startsWith(module.root + ".internal."))
                .isPresent();
    }

    boolean contains(JavaClass type) {
        return of(type).filter(this::equals).isPresent();
    }

    boolean mayUse(Module other) {
        return equals(other) || uses.stream().anyMatch(module -> module.mayUse(other));
    }
}
