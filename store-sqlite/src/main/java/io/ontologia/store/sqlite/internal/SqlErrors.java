package io.ontologia.store.sqlite.internal;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.sqlite.NativeLibraryNotFoundException;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** Says in our words what SQLite says in its own. */
final class SqlErrors {
    private SqlErrors() {}

    static boolean isBusy(SQLException e) {
        SQLiteErrorCode code = codeOf(e);
        return primary(code) == SQLiteErrorCode.SQLITE_BUSY.code || primary(code) == SQLiteErrorCode.SQLITE_LOCKED.code;
    }

    static OntologiaException wrap(String what, SQLException e) {
        SQLiteErrorCode code = codeOf(e);
        int primary = primary(code);
        if (isBusy(e)) {
            return new OntologiaException(
                    ErrorKind.BUSY, what, "another process is writing to the file", "try again in a moment", e);
        }
        if (primary == SQLiteErrorCode.SQLITE_FULL.code) {
            return unavailable(what, "the disk is full", "free some space and try again", e);
        }
        if (primary == SQLiteErrorCode.SQLITE_READONLY.code || primary == SQLiteErrorCode.SQLITE_PERM.code) {
            return unavailable(what, "the file or its folder is read-only", "check its permissions", e);
        }
        if (primary == SQLiteErrorCode.SQLITE_CANTOPEN.code) {
            return unavailable(what, "the file cannot be opened", "check that its folder exists and is writable", e);
        }
        if (primary == SQLiteErrorCode.SQLITE_NOTADB.code) {
            return new OntologiaException(
                    ErrorKind.INVALID_INPUT, what, "the file is not a SQLite database", "name another file", e);
        }
        if (primary == SQLiteErrorCode.SQLITE_CORRUPT.code) {
            return new OntologiaException(
                    ErrorKind.CORRUPT, what, "the file is damaged", "restore it from a backup", e);
        }
        if (primary == SQLiteErrorCode.SQLITE_MISMATCH.code || primary == SQLiteErrorCode.SQLITE_CONSTRAINT.code) {
            // Statements of ours fit the tables, unless what is stored contradicts itself.
            return new OntologiaException(
                    ErrorKind.CORRUPT,
                    what,
                    "what is stored contradicts itself: " + e.getMessage(),
                    "'onto fsck' tells what is damaged; restore the file from a backup",
                    e);
        }
        if (primary == SQLiteErrorCode.SQLITE_INTERRUPT.code) {
            return new OntologiaException(
                    ErrorKind.CORRUPT,
                    what,
                    "a statement took far more steps than the rows of the file can need",
                    "the file is damaged, or was made to do this; 'onto fsck' tells what is defined in it",
                    e);
        }
        String message = String.valueOf(e.getMessage());
        if (message.contains("malformed JSON")) {
            return new OntologiaException(
                    ErrorKind.CORRUPT, what, "a row's fields are no JSON", "'onto fsck' tells which", e);
        }
        if (e.getCause() instanceof NativeLibraryNotFoundException) {
            return unavailable(
                    what,
                    "SQLite's library cannot be copied to the temporary folder '" + System.getProperty("java.io.tmpdir")
                            + "'",
                    "make it a folder that can be written and has room, or name another one:"
                            + " java -Djava.io.tmpdir=<folder>",
                    e);
        }
        return unavailable(what, message, "", e);
    }

    /**
     * A value of a column that is never empty in a file that is not damaged.
     *
     * @throws OntologiaException of kind {@link ErrorKind#CORRUPT} when there is none
     */
    static <T> T present(@Nullable T value) {
        if (value == null) {
            throw new OntologiaException(
                    ErrorKind.CORRUPT,
                    "cannot read a row",
                    "a column that always has a value has none: the file is damaged",
                    "run 'onto fsck', and restore the file from a backup");
        }
        return value;
    }

    private static OntologiaException unavailable(String what, String cause, String remedy, SQLException e) {
        return new OntologiaException(ErrorKind.UNAVAILABLE, what, cause, remedy, e);
    }

    private static SQLiteErrorCode codeOf(SQLException e) {
        return e instanceof SQLiteException known ? known.getResultCode() : SQLiteErrorCode.UNKNOWN_ERROR;
    }

    /** Extended codes keep the primary one in their low byte. */
    private static int primary(SQLiteErrorCode code) {
        return code.code & 0xff;
    }
}
