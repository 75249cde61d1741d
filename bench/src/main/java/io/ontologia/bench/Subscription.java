package io.ontologia.bench;

import io.ontologia.core.Relation;

/** The relation that end filters are measured with. */
record Subscription(String leftKey, String rightKey, int seatCount) implements Relation<Customer, Product> {}
