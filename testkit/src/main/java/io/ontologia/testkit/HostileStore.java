package io.ontologia.testkit;

import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A store whose content a test replaces, one place at a time, as an attacker with write access could. */
public interface HostileStore extends AutoCloseable {
    /** One text, number or list in the store. */
    interface Place {
        /** Where it is, for people; begins with the key of the object, or with the name of the table. */
        String name();

        /** What is there: a String, a Number or a List. */
        Object content();

        /** Puts something else there. */
        void plant(@Nullable Object value) throws Exception;
    }

    /** Every text, number and list of the store. */
    List<Place> places() throws Exception;

    /** Gives every object and table the content that it had when this was made. */
    void restore() throws Exception;

    @Override
    default void close() throws SQLException {}
}
