package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.objectstore.ByteRange;
import io.ontologia.objectstore.ETag;
import io.ontologia.objectstore.GetOptions;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectSummary;
import io.ontologia.objectstore.Payload;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which keys a store takes, and what every operation refuses: bad keys, and any key once the store is closed. */
public abstract class ObjectStoreKeyContract extends ObjectStoreSuite {
    private static final ETag NOBODYS = new ETag("00000000000000000000000000000000");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "with space", "trailing ", "plus+sign", "per%cent", "per%2Fcent", "amp&eq=q?h#", "quote'\"<>|*:;,",
                "tilde~(brackets)[]{}", "dots..inside.", "ümläut", "e\u0301", "日本語", "\uD83D\uDE00", "UPPER/lower"
            })
    void a_key_may_hold_any_printable_character(String name) {
        ETag etag = put(key(name), name);

        assertThat(read(key(name)).text()).isEqualTo(name);
        assertThat(names(listing(""))).containsExactly(name);
        written(store().putIfMatch(key(name), Payload.of(name + "2"), etag));
        assertThat(store().deleteAll(List.of(key(name)))).isEmpty();
        assertThat(names(listing(""))).isEmpty();
    }

    @Test
    void keys_that_look_alike_are_different_objects() {
        List<String> names = List.of("KEY", "Key", "\u00E9", "e\u0301", "key", "key ", "per%2Fcent", "per/cent");
        names.forEach(name -> put(key(name), name));

        assertThat(names).allSatisfy(name -> assertThat(read(key(name)).text()).isEqualTo(name));
    }

    @Test
    void the_longest_key_is_kept() {
        String segment = "ü".repeat(120);
        String name = String.join("/", segment, segment, segment);
        String key = key(name + "/" + "x".repeat(899 - key(name).getBytes(StandardCharsets.UTF_8).length));

        put(key, "x");

        assertThat(read(key).text()).isEqualTo("x");
        assertThat(store().list(listing("")).objects())
                .extracting(ObjectSummary::key)
                .containsExactly(key);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "/a",
                "a/",
                "a//b",
                ".",
                "..",
                "a/../b",
                "a/.hidden",
                "a\\b",
                "a\u0000b",
                "a\nb",
                "\uD800"
            })
    void a_bad_key_is_refused_by_every_operation(String bad) {
        assertAllFail(ErrorKind.INVALID_INPUT, store(), bad);
    }

    @Test
    void a_key_or_segment_that_is_too_long_is_refused() {
        assertFails(ErrorKind.INVALID_INPUT, () -> put(key("x".repeat(241)), "x"));
        assertFails(ErrorKind.INVALID_INPUT, () -> put("seg/".repeat(225) + "x", "x"));
    }

    @Test
    void a_closed_store_says_so_and_may_be_closed_again() {
        ObjectStore closed = open();

        closed.close();
        closed.close();

        assertAllFail(ErrorKind.CLOSED, closed, "some/key");
        assertFails(ErrorKind.CLOSED, () -> closed.list(ListRequest.of("")));
    }

    private static void assertAllFail(ErrorKind kind, ObjectStore store, String key) {
        Payload payload = Payload.of("x");
        assertFails(kind, () -> store.get(key));
        assertFails(kind, () -> store.get(key, GetOptions.whole().range(ByteRange.last(1))));
        assertFails(kind, () -> store.download(key, Path.of("never-written")));
        assertFails(kind, () -> store.put(key, payload));
        assertFails(kind, () -> store.putIfAbsent(key, payload));
        assertFails(kind, () -> store.putIfMatch(key, payload, NOBODYS));
        assertFails(kind, () -> store.delete(key));
        assertFails(kind, () -> store.deleteIfMatch(key, NOBODYS));
        assertFails(kind, () -> store.deleteAll(List.of(key)));
    }
}
