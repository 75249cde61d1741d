package io.ontologia.core.internal.records;

import io.ontologia.core.TypeSpec;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Turns the values of one Java type into JSON trees and back. */
abstract class ValueCodec {
    private final TypeSpec spec;

    ValueCodec(TypeSpec spec) {
        this.spec = spec;
    }

    final TypeSpec spec() {
        return spec;
    }

    abstract @Nullable Object toTree(Object value);

    /** Never called with null unless the spec is nullable by itself. */
    abstract @Nullable Object toJava(@Nullable Object tree);

    /** A codec whose trees are of one class. */
    static <J> ValueCodec simple(
            TypeSpec spec, Class<J> treeClass, Function<Object, Object> toTree, Function<J, Object> toJava) {
        return new ValueCodec(spec) {
            @Override
            Object toTree(Object value) {
                return toTree.apply(value);
            }

            @Override
            Object toJava(@Nullable Object tree) {
                if (!treeClass.isInstance(tree)) {
                    throw mismatch(spec, tree);
                }
                return toJava.apply(treeClass.cast(tree));
            }
        };
    }

    static ValueCodec any() {
        return new ValueCodec(TypeSpec.Primitive.ANY) {
            @Override
            Object toTree(Object value) {
                return value;
            }

            @Override
            @Nullable Object toJava(@Nullable Object tree) {
                return tree;
            }
        };
    }

    static ValueCodec integer(Function<BigInteger, Object> toJava) {
        return new ValueCodec(TypeSpec.Primitive.INT) {
            @Override
            Object toTree(Object value) {
                return value instanceof BigInteger big && big.bitLength() < Long.SIZE ? big.longValue() : value;
            }

            @Override
            Object toJava(@Nullable Object tree) {
                if (tree instanceof Long number) {
                    return toJava.apply(BigInteger.valueOf(number));
                }
                if (tree instanceof BigInteger number) {
                    return toJava.apply(number);
                }
                throw mismatch(spec(), tree);
            }
        };
    }

    static ValueCodec decimal(Function<Double, Object> toJava) {
        return new ValueCodec(TypeSpec.Primitive.FLOAT) {
            @Override
            Object toTree(Object value) {
                return ((Number) value).doubleValue();
            }

            @Override
            Object toJava(@Nullable Object tree) {
                if (tree instanceof Number number) {
                    return toJava.apply(number.doubleValue());
                }
                throw mismatch(spec(), tree);
            }
        };
    }

    static ValueCodec orNull(ValueCodec inner) {
        return new ValueCodec(TypeSpec.orNull(inner.spec())) {
            @Override
            @Nullable Object toTree(Object value) {
                return inner.toTree(value);
            }

            @Override
            @Nullable Object toJava(@Nullable Object tree) {
                return tree == null ? null : inner.toJava(tree);
            }
        };
    }

    static ValueCodec listOf(ValueCodec item) {
        return new ValueCodec(new TypeSpec.ListOf(item.spec())) {
            @Override
            Object toTree(Object value) {
                List<@Nullable Object> tree = new ArrayList<>();
                for (Object element : (List<?>) value) {
                    tree.add(element == null ? nullTree(item) : item.toTree(element));
                }
                return tree;
            }

            @Override
            Object toJava(@Nullable Object tree) {
                if (!(tree instanceof List<?> list)) {
                    throw mismatch(spec(), tree);
                }
                List<@Nullable Object> values = new ArrayList<>(list.size());
                for (Object element : list) {
                    values.add(item.toJava(element));
                }
                return java.util.Collections.unmodifiableList(values);
            }
        };
    }

    static ValueCodec mapOf(ValueCodec item) {
        return new ValueCodec(new TypeSpec.DictOf(item.spec())) {
            @Override
            Object toTree(Object value) {
                Map<String, @Nullable Object> tree = new LinkedHashMap<>();
                ((Map<?, ?>) value)
                        .forEach((key, element) ->
                                tree.put((String) key, element == null ? nullTree(item) : item.toTree(element)));
                return tree;
            }

            @Override
            Object toJava(@Nullable Object tree) {
                if (!(tree instanceof Map<?, ?> map)) {
                    throw mismatch(spec(), tree);
                }
                Map<String, @Nullable Object> values = new LinkedHashMap<>();
                map.forEach((key, element) -> values.put((String) key, item.toJava(element)));
                return java.util.Collections.unmodifiableMap(values);
            }
        };
    }

    /** The tree of a null, where the type has one. */
    static @Nullable Object nullTree(ValueCodec codec) {
        if (!codec.spec().nullable()) {
            throw mismatch(codec.spec(), null);
        }
        return null;
    }

    static OntologiaException mismatch(TypeSpec spec, @Nullable Object tree) {
        return new OntologiaException(
                ErrorKind.INVALID_INPUT,
                "wrong value",
                (tree == null ? "null" : "a " + tree.getClass().getSimpleName()) + " is no " + spec.pythonText(),
                "store a value of that type, or allow it in the type");
    }
}
