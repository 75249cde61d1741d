package io.ontologia.store.sqlite.internal;

import io.ontologia.core.TypeKind;
import io.ontologia.core.TypeRef;
import io.ontologia.kernel.Stored;
import io.ontologia.kernel.UtcTimestamp;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Values of columns that hold times and names. One that no writer of ours could have stored is damage. */
final class StoredText {
    private StoredText() {}

    /** @param table where it is stored, for errors */
    static Instant moment(String table, @Nullable String text) {
        String present = SqlErrors.present(text);
        return Stored.read("a time in table " + table, () -> UtcTimestamp.parse(present));
    }

    static TypeKind kind(String table, @Nullable String text) {
        String present = SqlErrors.present(text);
        return Stored.read("the kind of a type in table " + table, () -> TypeKind.of(present));
    }

    static TypeRef type(String table, TypeKind kind, @Nullable String name) {
        String present = SqlErrors.present(name);
        return Stored.read("the name of a type in table " + table, () -> new TypeRef(kind, present));
    }
}
