package io.ontologia.core.internal;

import io.ontologia.core.Identity;
import io.ontologia.core.Model;
import io.ontologia.core.OntologyType;
import io.ontologia.core.Row;
import io.ontologia.core.RowRef;
import io.ontologia.core.SchemaDiff;
import io.ontologia.core.SchemaVersion;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.TypeKind;
import io.ontologia.core.TypeRef;
import io.ontologia.core.internal.evolution.Ways;
import io.ontologia.core.internal.records.RecordBinding;
import io.ontologia.core.internal.validation.RowValues;
import io.ontologia.core.spi.DesiredRow;
import io.ontologia.core.spi.SchemaOutdatedException;
import io.ontologia.core.spi.Storage;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.JsonObject;
import io.ontologia.kernel.OntologiaException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The types of one session: records, a model, or what the store knows; each with its schema version. */
public final class SessionTypes {
    private static final String ESCAPED_NUL = "\\u0000";

    private final Map<Class<?>, RecordBinding<?>> bindings = new HashMap<>();
    private final Map<TypeRef, OntologyType> types = new LinkedHashMap<>();
    private final Map<TypeRef, Long> versions = new HashMap<>();
    private final Map<TypeRef, Long> newest = new ConcurrentHashMap<>();

    private SessionTypes() {}

    /** Types that are records. */
    public static SessionTypes ofRecords(Collection<? extends Class<?>> records) {
        SessionTypes result = ofModel(Model.ofRecords(records));
        for (Class<?> record : records) {
            result.bindings.put(record, RecordBinding.of(record));
        }
        return result;
    }

    /** Types of a model. */
    public static SessionTypes ofModel(Model model) {
        SessionTypes result = new SessionTypes();
        model.types().forEach(type -> result.types.put(type.ref(), type));
        return result;
    }

    /** Types as a store knows them. */
    public static SessionTypes ofStored(List<SchemaVersion> schemas) {
        SessionTypes result = new SessionTypes();
        for (SchemaVersion schema : schemas) {
            result.types.put(schema.type(), schema.describe());
            result.versions.put(schema.type(), schema.version());
            result.newest.put(schema.type(), schema.version());
        }
        return result;
    }

    /**
     * Registers what the store does not know yet, and takes over the schema versions. A type may be declared as an earlier
     * version had it, where rows of the newest version can be shown in that one.
     *
     * @throws SchemaOutdatedException when the store knows a type with another schema
     */
    public void adopt(Storage storage, SessionOptions options) {
        Map<TypeRef, SchemaVersion> known = current(storage);
        List<OntologyType> unknown = types.values().stream()
                .filter(type -> !known.containsKey(type.ref()))
                .toList();
        remember(known, storage, options);
        if (!unknown.isEmpty() && options.storage().mode() == StorageOptions.Mode.READ_WRITE) {
            storage.register(unknown, options.runtimeId());
            remember(current(storage), storage, options);
        }
    }

    private static Map<TypeRef, SchemaVersion> current(Storage storage) {
        return storage.schemas().stream().collect(Collectors.toMap(SchemaVersion::type, schema -> schema));
    }

    private void remember(Map<TypeRef, SchemaVersion> known, Storage storage, SessionOptions options) {
        List<TypeRef> changed = new ArrayList<>();
        List<String> causes = new ArrayList<>();
        List<Long> older = new ArrayList<>();
        for (OntologyType type : types.values()) {
            SchemaVersion stored = known.get(type.ref());
            if (stored == null) {
                continue;
            }
            Optional<SchemaDiff> diff = SchemaDiff.between(stored, type);
            if (diff.isEmpty()) {
                versions.put(type.ref(), stored.version());
                newest.put(type.ref(), stored.version());
                continue;
            }
            List<SchemaVersion> all = storage.schemaVersions(type.ref());
            Optional<Long> declared = declaredVersion(type, all);
            if (declared.isPresent()
                    && Ways.to(type, declared.get(), all, options.upgraders())
                            .from(stored.version())
                            .isPresent()) {
                versions.put(type.ref(), declared.get());
                newest.put(type.ref(), stored.version());
                continue;
            }
            changed.add(type.ref());
            declared.ifPresent(older::add);
            causes.add(declared.map(version -> "this program has version " + version + " of its schema, and the store"
                                    + " has version " + stored.version() + ": ")
                            .orElse("")
                    + diff.get().summary());
        }
        if (!changed.isEmpty()) {
            throw older.size() == changed.size()
                    ? SchemaOutdatedException.ofOlderProgram(changed, String.join("; ", causes))
                    : new SchemaOutdatedException(changed, String.join("; ", causes));
        }
    }

    /** The newest version of a type whose document is that of the declared one. */
    private static Optional<Long> declaredVersion(OntologyType type, List<SchemaVersion> all) {
        return all.stream()
                .filter(version -> SchemaDiff.between(version, type).isEmpty())
                .map(SchemaVersion::version)
                .max(Long::compare);
    }

    /** The newest version of a type as far as it is known here; 0 when the store does not know the type. */
    long newest(TypeRef type) {
        return newest.getOrDefault(type, 0L);
    }

    /** Takes note of a newer version of a type. */
    void newest(TypeRef type, long version) {
        newest.put(type, version);
    }

    /** Whether the session works with the newest version of a type. */
    boolean isNewest(TypeRef type) {
        return newest(type) == versions.getOrDefault(type, 0L);
    }

    /** The types by kind and name. */
    public Map<TypeRef, OntologyType> types() {
        return types;
    }

    /** The schema version of each type. */
    public Map<TypeRef, Long> versions() {
        return versions;
    }

    /**
     * What a record or row asks for.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when its type is not one of these, or a value
     *     does not fit
     */
    public DesiredRow desired(Object wanted) {
        if (wanted instanceof Row row) {
            OntologyType type = require(row.type());
            Identity identity = row.identity();
            return desired(row.type(), identity, CanonicalJson.write(RowValues.normalize(type, row)));
        }
        RecordBinding<?> binding = binding(wanted.getClass());
        return desired(binding.type().ref(), binding.identityOf(wanted), binding.fieldsOf(wanted));
    }

    private static DesiredRow desired(TypeRef type, Identity identity, String fieldsJson) {
        int nul = fieldsJson.indexOf(ESCAPED_NUL);
        while (nul >= 0 && isEscaped(fieldsJson, nul)) {
            nul = fieldsJson.indexOf(ESCAPED_NUL, nul + 1);
        }
        if (nul >= 0) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "invalid " + type + " '" + identity + "'",
                    "a text of it holds a NUL character",
                    "leave it out");
        }
        return new DesiredRow(type, identity, fieldsJson);
    }

    /** Whether the backslash at an index is itself escaped: an odd number of them stands before it. */
    private static boolean isEscaped(String json, int at) {
        int first = at;
        while (json.charAt(first - 1) == '\\') {
            first--;
        }
        return (at - first) % 2 == 1;
    }

    /** Whether a stored payload, defaults filled in, has the values of a wanted one. */
    public boolean samePayload(TypeRef type, String stored, String wanted) {
        return samePayload(require(type), stored, wanted);
    }

    /** As {@link #samePayload(TypeRef, String, String)}, in the form of a type. */
    static boolean samePayload(OntologyType type, String stored, String wanted) {
        try {
            return CanonicalJson.write(
                            RowValues.typed(type, fieldsOf(type.ref(), stored), fieldsOf(type.ref(), wanted)))
                    .equals(wanted);
        } catch (OntologiaException e) {
            return false;
        }
    }

    private static Map<String, @Nullable Object> fieldsOf(TypeRef type, String json) {
        return JsonObject.parse("the fields of a " + type, json).fields();
    }

    /** The binding of a record class of this session. */
    @SuppressWarnings("unchecked") // each class is stored with its own binding
    public <T> RecordBinding<T> binding(Class<T> record) {
        RecordBinding<?> binding = bindings.get(record);
        if (binding == null) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "unknown type " + record.getName(),
                    "the session was opened without it",
                    "name it in Ontologia.open");
        }
        return (RecordBinding<T>) binding;
    }

    /** A row whose type is one of this session's. */
    public RowRef require(RowRef row) {
        boolean fits =
                (row.identity() instanceof Identity.OfEntity) == (row.type().kind() == TypeKind.ENTITY);
        if (!fits) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "invalid row '" + row.identity() + "'",
                    "it is no identity of a " + row.type().kind().wireName(),
                    "name an entity by its key, and a relation by the keys of its ends");
        }
        require(row.type());
        return row;
    }

    /** A type of this session. */
    public OntologyType require(TypeRef ref) {
        OntologyType type = types.get(ref);
        if (type == null) {
            throw new OntologiaException(
                    ErrorKind.NOT_FOUND,
                    "unknown " + ref,
                    types.isEmpty() ? "the store knows no types" : "known are " + names(ref),
                    "check the spelling");
        }
        return type;
    }

    private String names(TypeRef like) {
        return types.keySet().stream()
                .filter(ref -> ref.kind() == like.kind())
                .map(TypeRef::name)
                .sorted()
                .collect(Collectors.joining(", ", "", ""));
    }
}
