package io.ontologia.cli.internal.model.shop;

import io.ontologia.core.Entity;
import io.ontologia.core.Key;
import io.ontologia.core.Relation;

/** Types inside a class. */
public final class Catalogue {
    private Catalogue() {}

    /** What is sold. */
    public record Item(@Key String sku, double price) implements Entity {}

    /** What goes with what. */
    public record Fits(String leftKey, String rightKey, String why) implements Relation<Item, Item> {}

    /** No type of its own. */
    public record Colour(String name) {}
}
