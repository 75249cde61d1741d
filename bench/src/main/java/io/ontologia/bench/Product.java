package io.ontologia.bench;

import io.ontologia.core.Entity;
import io.ontologia.core.Key;

/** The other end of {@link Subscription}. */
record Product(@Key String sku, String name) implements Entity {}
