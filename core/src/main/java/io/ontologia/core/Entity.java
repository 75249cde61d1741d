package io.ontologia.core;

/**
 * Marks a record as a type of entities. Exactly one component, a {@code String}, carries {@link Key}.
 *
 * <pre>{@code
 * record Customer(@Key String id, String name, String tier, @Nullable Integer age) implements Entity {}
 * }</pre>
 */
public interface Entity {}
