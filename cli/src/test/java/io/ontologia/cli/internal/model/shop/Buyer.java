package io.ontologia.cli.internal.model.shop;

import io.ontologia.core.Entity;
import io.ontologia.core.Indexed;
import io.ontologia.core.Key;
import org.jspecify.annotations.Nullable;

/** Who buys. */
public record Buyer(
        @Key String id, @Indexed String tier, @Nullable Integer age) implements Entity {}
