package io.ontologia.cli.internal.model.shop;

import io.ontologia.core.Relation;

/** Who bought what. */
public record Purchase(String leftKey, String rightKey, int pieces) implements Relation<Buyer, Catalogue.Item> {}
