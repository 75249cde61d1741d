package io.ontologia.cli.internal.config;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** The options that a configuration file sets. Every name is known and every value valid, or it would not exist. */
final class ConfigFile {
    private final Map<ConfigOption, String> values;

    private ConfigFile(Map<ConfigOption, String> values) {
        this.values = values;
    }

    /** A file that sets nothing. */
    static ConfigFile empty() {
        return new ConfigFile(Map.of());
    }

    /**
     * Reads a file.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} that names file, line and reason
     */
    static ConfigFile read(Path path) {
        YamlFile yaml = YamlFile.read("configuration", path);
        Map<ConfigOption, String> values = new EnumMap<>(ConfigOption.class);
        yaml.root().map(yaml::entries).orElse(Map.of()).forEach((name, entry) -> {
            ConfigOption option = ConfigOption.of(name)
                    .orElseThrow(() -> yaml.error(
                            entry.key(),
                            "unknown option '" + name + "'",
                            "known are " + String.join(", ", ConfigOption.keys())));
            yaml.scalar(entry.value()).ifPresent(text -> {
                if (!option.accepts(text)) {
                    throw yaml.error(
                            entry.value(),
                            name + " is '" + StorageLocation.withoutSecrets(text) + "'",
                            "it must be " + option.expected());
                }
                values.put(option, text);
            });
        });
        return new ConfigFile(values);
    }

    /** What the file says about an option. */
    Optional<String> value(ConfigOption option) {
        return Optional.ofNullable(values.get(option));
    }
}
