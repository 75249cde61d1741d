package io.ontologia.core;

/**
 * Marks a record as a type of relations from one entity type to another. Two components, {@code leftKey} and {@code
 * rightKey}, name the ends.
 *
 * <pre>{@code
 * record Subscription(String leftKey, String rightKey, int seatCount) implements Relation<Customer, Product> {}
 * }</pre>
 *
 * @param <L> the entity type on the left end
 * @param <R> the entity type on the right end
 */
public interface Relation<L extends Entity, R extends Entity> {
    /** The key of the entity on the left end. */
    String leftKey();

    /** The key of the entity on the right end. */
    String rightKey();
}
