package io.ontologia.cli;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.SimpleConditionEvent.violated;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.GeneralCodingRules.USE_JAVA_UTIL_LOGGING;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import io.ontologia.kernel.FileModes;
import io.ontologia.objectstore.ObjectStoreOptions;
import io.ontologia.testkit.CommitLoop;
import io.ontologia.testkit.FullDisk;
import io.ontologia.testkit.FullDiskContract;
import io.ontologia.testkit.KilledWritersContract;
import io.ontologia.testkit.Seeds;
import io.ontologia.testkit.StoppedWritersContract;
import java.sql.Connection;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.NullMarked;

/** The rules that keep {@code ARCHITECTURE.md} true. */
@AnalyzeClasses(packages = "io.ontologia", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    private static final Set<String> TIME = Set.of(
            "java.lang.System.currentTimeMillis",
            "java.lang.System.nanoTime",
            "java.lang.Thread.sleep",
            "java.util.concurrent.TimeUnit.sleep");
    private static final Set<String> DICE = Set.of(
            "java.lang.Math.random", "java.util.UUID.randomUUID", "java.util.concurrent.ThreadLocalRandom.current");

    private static final Set<String> STATEMENTS = Set.of(
            "io.ontologia.store.object.internal.engine.Database",
            "io.ontologia.store.sqlite.internal.SqlConnection",
            "io.ontologia.store.sqlite.internal.Connections");
    private static final Set<String> MAKES_STATEMENTS =
            Set.of("prepareStatement", "prepare", "createStatement", "prepareCall");

    @ArchTest
    static final ArchRule every_class_belongs_to_a_module_of_the_table = classes()
            .should(satisfy(
                    "belong to a module of the table", type -> Module.of(type).isPresent()));

    @ArchTest
    static final ArchRule a_module_depends_only_on_what_the_table_allows = classes()
            .should(depend(
                    "only on modules that the table allows",
                    (from, to) -> Module.of(from)
                            .flatMap(module -> Module.of(to).map(module::mayUse))
                            .orElse(true)));

    @ArchTest
    static final ArchRule internal_packages_are_used_only_inside_their_module = classes()
            .should(depend(
                    "on the internal packages of no other module",
                    (from, to) -> !Module.isInternal(to)
                            || Module.of(from).equals(Module.of(to))
                            // The stores that fail on purpose must settle lost replies with the code of the real ones.
                            || (Module.TESTKIT.contains(from)
                                    && to.getPackageName().equals("io.ontologia.objectstore.internal"))));

    @ArchTest
    static final ArchRule what_is_public_is_api_or_internal = classes()
            .that()
            .arePublic()
            .should(satisfy(
                    "be in the root package of their module, or internal",
                    type -> Module.isPublicApi(type) || Module.isInternal(type)));

    @ArchTest
    static final ArchRule packages_have_no_cycles = slices().matching("io.ontologia.(**)")
            .should()
            .beFreeOfCycles()
            // A root package opens its own implementations, and those implement its contracts.
            .ignoreDependency(
                    describe("in a root package", Module::isPublicApi), describe("internal", Module::isInternal))
            // An API and the contract of its backends speak of the same things.
            .ignoreDependency(
                    describe("in a root package", Module::isPublicApi),
                    describe("in a root package", Module::isPublicApi));

    @ArchTest
    static final ArchRule every_package_is_checked_for_nulls = classes()
            .should(satisfy(
                    "be in a package whose package-info.java says @NullMarked",
                    type -> type.getPackage().isAnnotatedWith(NullMarked.class)));

    @ArchTest
    static final ArchRule time_comes_in_through_constructors = noClasses()
            .that(describe("are outside the kernel", type -> !Module.KERNEL.contains(type)))
            .should()
            .accessTargetWhere(describe("it reads a clock or sleeps", ArchitectureTest::isTime));

    @ArchTest
    static final ArchRule chance_comes_in_through_constructors = noClasses()
            .that(describe(
                    "are outside the kernel and the test kit",
                    type -> !Module.KERNEL.contains(type) && !Module.TESTKIT.contains(type)))
            .and()
            // The default that callers may replace.
            .doNotBelongToAnyOf(ObjectStoreOptions.class)
            .should()
            .accessTargetWhere(describe("it rolls dice", access -> DICE.contains(name(access))));

    @ArchTest
    static final ArchRule no_file_is_created_without_a_mode = noClasses()
            .that(describe(
                    "are outside the test kit and the benchmarks",
                    type -> !Module.TESTKIT.contains(type)
                            && !type.getPackageName().startsWith("io.ontologia.bench")))
            .and()
            .doNotBelongToAnyOf(FileModes.class)
            .should()
            .accessTargetWhere(describe("it may create a file, which FileModes does", ArchitectureTest::createsFile));

    @ArchTest
    static final ArchRule only_the_console_prints = noClasses()
            .that(describe("are outside the console", type -> !Module.CLI.contains(type)))
            .and()
            // A seed must stand in the output of a test, or its failure could not be replayed; so must what a long run
            // saw.
            // And a process that a test starts talks to it through its output.
            .doNotBelongToAnyOf(
                    Seeds.class,
                    KilledWritersContract.class,
                    StoppedWritersContract.class,
                    CommitLoop.class,
                    FullDiskContract.class,
                    FullDisk.class)
            .should(ACCESS_STANDARD_STREAMS);

    @ArchTest
    static final ArchRule nobody_logs_through_the_jdk = noClasses().should(USE_JAVA_UTIL_LOGGING);

    /** DuckDB's class refuses text with more than one statement, and SQLite's prepares the first statement only. */
    @ArchTest
    static final ArchRule one_class_of_each_engine_prepares_statements = noClasses()
            .that(describe(
                    "are not the class of an engine, nor a foreign writer of the test kit",
                    type -> !STATEMENTS.contains(type.getName()) && !Module.TESTKIT.contains(type)))
            .should()
            .accessTargetWhere(describe(
                    "it makes a statement or a connection",
                    access -> (access.getTargetOwner().isAssignableTo(Connection.class)
                                    && MAKES_STATEMENTS.contains(
                                            access.getTarget().getName()))
                            || name(access).equals("java.sql.DriverManager.getConnection")
                            || name(access).equals("org.sqlite.SQLiteConfig.createConnection")));

    private static boolean createsFile(JavaAccess<?> access) {
        String target = name(access);
        String made = access.getTarget().getFullName();
        return target.matches(
                        "java\\.nio\\.file\\.Files\\.(write\\w*|newOutputStream|newBufferedWriter|newByteChannel|copy|create(Dir|File|Temp)\\w*)")
                || target.matches("java\\.nio\\.channels\\.(Asynchronous)?FileChannel\\.open")
                || target.matches("java\\.io\\.File\\.(createTempFile|createNewFile|mkdirs?)")
                || made.matches("java\\.io\\.(FileOutputStream|FileWriter|PrintStream|PrintWriter|RandomAccessFile)"
                        + "\\.<init>\\(java\\.(io\\.File|lang\\.String)\\b.*");
    }

    private static boolean isTime(JavaAccess<?> access) {
        return TIME.contains(name(access)) || name(access).matches("java\\.time\\.\\w+\\.(now|system\\w*)");
    }

    private static String name(JavaAccess<?> access) {
        return access.getTargetOwner().getName() + "." + access.getTarget().getName();
    }

    private static ArchCondition<JavaClass> satisfy(String description, Predicate<JavaClass> predicate) {
        return ArchCondition.from(DescribedPredicate.<JavaClass>describe(description, predicate));
    }

    private static ArchCondition<JavaClass> depend(String description, BiPredicate<JavaClass, JavaClass> allowed) {
        return new ArchCondition<>("depend " + description) {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                    if (!allowed.test(type, dependency.getTargetClass())) {
                        events.add(violated(dependency, dependency.getDescription()));
                    }
                }
            }
        };
    }
}
