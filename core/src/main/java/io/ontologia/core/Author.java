package io.ontologia.core;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The name that the commits of a session record as their author, in their metadata under {@link CommitInfo#AUTHOR}. A commit
 * whose metadata has an author already keeps that one. Recorded as given and never checked: it says who claims to have made a
 * commit, and proves nothing.
 */
public final class Author {
    /** The environment variable that names the author. */
    public static final String VARIABLE = "ONTOLOGIA_AUTHOR";

    /** The setting that turns the recording of authors off. */
    public static final String OFF = "none";

    private static final int LONGEST = 200;

    private static final Author NONE = new Author(Optional::empty);

    private final Supplier<Optional<String>> name;

    private Author(Supplier<Optional<String>> name) {
        this.name = name;
    }

    /** Commits record no author. */
    public static Author none() {
        return NONE;
    }

    /**
     * Commits record this name.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when it is blank or longer than 200 characters
     */
    public static Author named(String name) {
        if (name.isBlank() || name.length() > LONGEST) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "invalid author",
                    name.isBlank() ? "the name is blank" : "the name has more than " + LONGEST + " characters",
                    "use a name such as ann or ann@example.com");
        }
        Optional<String> given = Optional.of(name.strip());
        return new Author(() -> given);
    }

    /**
     * Commits record what {@link #VARIABLE} says in the environment of this process, as {@link #parse} reads it; where it is
     * not set, as {@link #ofMachine}.
     */
    public static Author ofProcess() {
        String value = System.getenv(VARIABLE);
        return value == null || value.isBlank() ? ofMachine() : parse(value);
    }

    /** The author that a setting names: {@value #OFF} for no author, everything else is a name. */
    public static Author parse(String setting) {
        return setting.strip().equals(OFF) ? none() : named(setting);
    }

    /** Commits record the name of the user and of the machine, as in {@code ann@laptop}. */
    public static Author ofMachine() {
        return new Author(() -> Machine.NAME);
    }

    /** The name; empty when none is recorded. */
    public Optional<String> name() {
        return name.get();
    }

    /** The metadata with the author, unless it has one already. */
    Map<String, @Nullable Object> sign(Map<String, ? extends @Nullable Object> metadata) {
        Map<String, @Nullable Object> signed = new LinkedHashMap<>(metadata);
        if (!signed.containsKey(CommitInfo.AUTHOR)) {
            name().ifPresent(author -> signed.put(CommitInfo.AUTHOR, author));
        }
        return signed;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Author author && name().equals(author.name());
    }

    @Override
    public int hashCode() {
        return name().hashCode();
    }

    @Override
    public String toString() {
        return name().orElse("none");
    }

    /** Asked for once, and only when a commit is made: to find out the name of a machine may take time. */
    private static final class Machine {
        private static final Optional<String> NAME = Optional.of(user() + "@" + host())
                .map(name -> name.length() > LONGEST ? name.substring(0, LONGEST) : name);

        private static String user() {
            String name = Objects.requireNonNullElse(System.getProperty("user.name"), "");
            return name.isBlank() || name.equals("?") ? "unknown" : name;
        }

        private static String host() {
            return Stream.of(System.getenv("HOSTNAME"), System.getenv("COMPUTERNAME"), fromFile())
                    .filter(name -> name != null && !name.isBlank())
                    .findFirst()
                    .map(String::strip)
                    .orElseGet(Machine::fromNetwork);
        }

        /** Faster than to ask the network, which may look for a server. */
        private static String fromFile() {
            try {
                return Files.readString(Path.of("/etc/hostname"));
            } catch (IOException e) {
                return "";
            }
        }

        private static String fromNetwork() {
            try {
                return InetAddress.getLocalHost().getHostName();
            } catch (UnknownHostException e) {
                return "unknown";
            }
        }
    }
}
