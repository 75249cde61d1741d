package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.objectstore.ByteRange;
import io.ontologia.objectstore.DeleteOutcome;
import io.ontologia.objectstore.ETag;
import io.ontologia.objectstore.GetOptions;
import io.ontologia.objectstore.GetOutcome;
import io.ontologia.objectstore.ObjectSummary;
import io.ontologia.objectstore.Payload;
import io.ontologia.objectstore.PutOutcome;
import io.ontologia.objectstore.StoredObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What one caller sees of a store: reads, writes, conditions and deletes, each with all its outcomes. */
public abstract class ObjectStoreContract extends ObjectStoreSuite {
    private static final int FIVE_MIB = 5 << 20;
    private static final ETag NOBODYS = new ETag("00000000000000000000000000000000");

    @Test
    void a_missing_object_is_missing_however_it_is_asked_for() {
        String key = key("missing");

        assertThat(store().get(key)).isEmpty();
        assertThat(store().get(key, GetOptions.whole())).isInstanceOf(GetOutcome.Missing.class);
        assertThat(store().get(key, GetOptions.whole().range(ByteRange.of(0, 1))))
                .isInstanceOf(GetOutcome.Missing.class);
        assertThat(store().get(key, GetOptions.whole().ifNoneMatch(NOBODYS))).isInstanceOf(GetOutcome.Missing.class);
    }

    @Test
    void a_put_object_is_read_back_whole_with_the_etag_that_the_put_returned() {
        ETag etag = put(key("greeting"), "hello");

        StoredObject read = read(key("greeting"));

        assertThat(read.text()).isEqualTo("hello");
        assertThat(read.size()).isEqualTo(5);
        assertThat(read.etag()).isEqualTo(etag);
    }

    @Test
    void a_put_replaces_what_was_there_and_changes_the_etag() {
        ETag first = put(key("k"), "a longer first version");

        ETag second = put(key("k"), "second");

        assertThat(second).isNotEqualTo(first);
        assertThat(read(key("k")).text()).isEqualTo("second");
        assertThat(read(key("k")).etag()).isEqualTo(second);
        assertThat(read(key("k")).size()).isEqualTo(6);
    }

    @Test
    void an_empty_object_is_an_object() {
        ETag etag = put(key("empty"), "");

        assertThat(read(key("empty")).bytes()).isEmpty();
        assertThat(read(key("empty")).size()).isZero();
        assertThat(read(key("empty")).etag()).isEqualTo(etag);
        assertThat(store().putIfAbsent(key("empty"), Payload.of("x"))).isInstanceOf(PutOutcome.Refused.class);
    }

    @Test
    void neither_the_array_that_was_put_nor_the_one_that_was_read_is_the_object() {
        byte[] mine = "original".getBytes(StandardCharsets.UTF_8);
        store().put(key("k"), Payload.of(mine));

        mine[0] = 'X';
        read(key("k")).bytes()[1] = 'X';

        assertThat(read(key("k")).text()).isEqualTo("original");
    }

    @Test
    void five_mebibytes_from_memory_and_from_a_file_come_back_unchanged(@TempDir Path dir) throws IOException {
        byte[] bytes = randomBytes(FIVE_MIB);
        Path file = Files.write(dir.resolve("upload"), bytes);

        ETag fromMemory = store().put(key("memory"), Payload.of(bytes));
        ETag fromFile = store().put(key("file"), Payload.of(file));
        written(store().putIfAbsent(key("created"), Payload.of(file)));

        assertThat(read(key("memory")).bytes()).isEqualTo(bytes);
        assertThat(read(key("memory")).etag()).isEqualTo(fromMemory);
        assertThat(read(key("file")).bytes()).isEqualTo(bytes);
        assertThat(read(key("file")).etag()).isEqualTo(fromFile);
        assertThat(read(key("created")).bytes()).isEqualTo(bytes);
    }

    @Test
    void a_file_that_cannot_be_read_is_the_callers_mistake_and_stores_nothing(@TempDir Path dir) {
        Payload unreadable = Payload.of(dir.resolve("no such file"));

        assertFails(ErrorKind.INVALID_INPUT, () -> store().put(key("k"), unreadable));
        assertFails(ErrorKind.INVALID_INPUT, () -> store().putIfAbsent(key("k"), unreadable));

        assertThat(store().get(key("k"))).isEmpty();
    }

    @Test
    void a_range_is_cut_at_the_end_of_the_object_and_tells_the_whole_size() {
        ETag etag = put(key("digits"), "0123456789");

        assertThat(range("digits", ByteRange.of(2, 3)).text()).isEqualTo("234");
        assertThat(range("digits", ByteRange.of(0, 10)).text()).isEqualTo("0123456789");
        assertThat(range("digits", ByteRange.of(8, 100)).text()).isEqualTo("89");
        assertThat(range("digits", ByteRange.from(0)).text()).isEqualTo("0123456789");
        assertThat(range("digits", ByteRange.from(9)).text()).isEqualTo("9");
        assertThat(range("digits", ByteRange.last(3)).text()).isEqualTo("789");
        assertThat(range("digits", ByteRange.last(100)).text()).isEqualTo("0123456789");
        assertThat(range("digits", ByteRange.of(2, 3)).size()).isEqualTo(10);
        assertThat(range("digits", ByteRange.last(3)).size()).isEqualTo(10);
        assertThat(range("digits", ByteRange.of(2, 3)).etag()).isEqualTo(etag);
    }

    @Test
    void a_range_that_starts_at_or_after_the_end_is_invalid() {
        put(key("digits"), "0123456789");
        put(key("empty"), "");

        assertFails(ErrorKind.INVALID_INPUT, () -> range("digits", ByteRange.of(10, 1)));
        assertFails(ErrorKind.INVALID_INPUT, () -> range("digits", ByteRange.from(10)));
        assertFails(ErrorKind.INVALID_INPUT, () -> range("digits", ByteRange.of(1000, 5)));
        assertFails(ErrorKind.INVALID_INPUT, () -> range("empty", ByteRange.from(0)));
        assertFails(ErrorKind.INVALID_INPUT, () -> range("empty", ByteRange.last(1)));
    }

    @Test
    void an_object_that_is_larger_than_the_caller_takes_is_not_read() {
        store().put(key("large"), Payload.of(new byte[100_000]));
        GetOptions little = GetOptions.whole().most(99_999);

        assertFails(ErrorKind.CORRUPT, () -> store().get(key("large"), little));
        assertThat(store().get(key("large"), GetOptions.whole().most(100_000))).isInstanceOf(GetOutcome.Found.class);
        assertThat(store().get(key("large"), little.range(ByteRange.of(10, 5)))).isInstanceOf(GetOutcome.Found.class);
    }

    @Test
    void a_version_that_the_caller_has_is_not_read_again() {
        ETag etag = put(key("k"), "one");

        GetOutcome same = store().get(key("k"), GetOptions.whole().ifNoneMatch(etag));
        GetOutcome samePart =
                store().get(key("k"), GetOptions.whole().ifNoneMatch(etag).range(ByteRange.of(0, 1)));
        put(key("k"), "two");
        GetOutcome changed = store().get(key("k"), GetOptions.whole().ifNoneMatch(etag));
        GetOutcome changedPart =
                store().get(key("k"), GetOptions.whole().ifNoneMatch(etag).range(ByteRange.of(1, 1)));

        assertThat(same).isInstanceOf(GetOutcome.NotModified.class);
        assertThat(samePart).isInstanceOf(GetOutcome.NotModified.class);
        assertThat(found(changed).text()).isEqualTo("two");
        assertThat(found(changedPart).text()).isEqualTo("w");
    }

    @Test
    void a_download_copies_the_whole_object_over_whatever_the_file_held(@TempDir Path dir) throws IOException {
        byte[] bytes = randomBytes(FIVE_MIB);
        store().put(key("big"), Payload.of(bytes));
        put(key("small"), "small");
        Path target = Files.write(dir.resolve("target"), randomBytes(100));

        Optional<ObjectSummary> big = store().download(key("big"), target);
        byte[] bigFile = Files.readAllBytes(target);
        Optional<ObjectSummary> small = store().download(key("small"), target);

        assertThat(bigFile).isEqualTo(bytes);
        assertThat(big.orElseThrow().key()).isEqualTo(key("big"));
        assertThat(big.orElseThrow().size()).isEqualTo(FIVE_MIB);
        assertThat(target).hasContent("small");
        assertThat(small.orElseThrow().size()).isEqualTo(5);
        assertThat(store().download(key("missing"), target)).isEmpty();
    }

    @Test
    void get_download_and_list_agree_on_when_an_object_was_written(@TempDir Path dir) {
        put(key("k"), "x");

        var got = read(key("k")).lastModified();
        var downloaded =
                store().download(key("k"), dir.resolve("f")).orElseThrow().lastModified();
        var listed = store().list(listing("k")).objects().get(0).lastModified();

        // HTTP headers carry whole seconds, listings fractions of them.
        assertThat(downloaded).isCloseTo(got, within(1, ChronoUnit.SECONDS));
        assertThat(listed).isCloseTo(got, within(1, ChronoUnit.SECONDS));
    }

    @Test
    void put_if_absent_creates_once_and_then_refuses_without_a_trace() {
        ETag etag = written(store().putIfAbsent(key("k"), Payload.of("first")));

        PutOutcome second = store().putIfAbsent(key("k"), Payload.of("second"));

        assertThat(second).isInstanceOf(PutOutcome.Refused.class);
        assertThat(read(key("k")).text()).isEqualTo("first");
        assertThat(read(key("k")).etag()).isEqualTo(etag);
    }

    @Test
    void put_if_absent_creates_again_after_a_delete() {
        written(store().putIfAbsent(key("k"), Payload.of("first")));
        store().delete(key("k"));

        ETag etag = written(store().putIfAbsent(key("k"), Payload.of("second")));

        assertThat(read(key("k")).text()).isEqualTo("second");
        assertThat(read(key("k")).etag()).isEqualTo(etag);
    }

    @Test
    void put_if_match_replaces_the_version_it_names_whoever_wrote_it() {
        ETag first = put(key("k"), "1");
        ETag second = written(store().putIfMatch(key("k"), Payload.of("2"), first));
        ETag read = read(key("k")).etag();

        ETag third = written(store().putIfMatch(key("k"), Payload.of("3"), read));

        assertThat(read).isEqualTo(second);
        assertThat(read(key("k")).text()).isEqualTo("3");
        assertThat(read(key("k")).etag()).isEqualTo(third);
    }

    @Test
    void put_if_match_is_refused_without_a_trace_when_the_version_is_stale_foreign_or_gone() {
        ETag stale = put(key("k"), "1");
        ETag current = put(key("k"), "2");

        PutOutcome onStale = store().putIfMatch(key("k"), Payload.of("3"), stale);
        PutOutcome onForeign = store().putIfMatch(key("k"), Payload.of("4"), NOBODYS);
        PutOutcome onMissing = store().putIfMatch(key("missing"), Payload.of("5"), current);

        assertThat(List.of(onStale, onForeign, onMissing)).hasOnlyElementsOfType(PutOutcome.Refused.class);
        assertThat(read(key("k")).text()).isEqualTo("2");
        assertThat(read(key("k")).etag()).isEqualTo(current);
        assertThat(store().get(key("missing"))).isEmpty();
    }

    @Test
    void put_if_match_is_refused_after_a_delete() {
        ETag etag = put(key("k"), "1");
        store().delete(key("k"));

        PutOutcome outcome = store().putIfMatch(key("k"), Payload.of("2"), etag);

        assertThat(outcome).isInstanceOf(PutOutcome.Refused.class);
        assertThat(store().get(key("k"))).isEmpty();
    }

    @Test
    void a_version_does_not_come_back_when_its_value_does() {
        ETag first = put(key("k"), "A, attempt 1");
        put(key("k"), "B, attempt 2");
        put(key("k"), "A, attempt 3");

        PutOutcome outcome = store().putIfMatch(key("k"), Payload.of("C, attempt 4"), first);

        assertThat(outcome).isInstanceOf(PutOutcome.Refused.class);
        assertThat(read(key("k")).text()).isEqualTo("A, attempt 3");
    }

    @Test
    void a_version_does_not_come_back_even_when_its_very_bytes_do() {
        assumeTrue(etagsAreUniquePerWrite(), "the ETags of this server are hashes of the content");
        ETag first = put(key("k"), "A");
        put(key("k"), "B");
        ETag again = put(key("k"), "A");
        store().delete(key("k"));
        ETag recreated = put(key("k"), "A");

        PutOutcome replaced = store().putIfMatch(key("k"), Payload.of("C"), first);
        PutOutcome beforeDelete = store().putIfMatch(key("k"), Payload.of("C"), again);
        DeleteOutcome deleted = store().deleteIfMatch(key("k"), first);

        assertThat(List.of(first, again, recreated)).doesNotHaveDuplicates();
        assertThat(replaced).isInstanceOf(PutOutcome.Refused.class);
        assertThat(beforeDelete).isInstanceOf(PutOutcome.Refused.class);
        assertThat(deleted).isInstanceOf(DeleteOutcome.Refused.class);
        assertThat(read(key("k")).text()).isEqualTo("A");
    }

    @Test
    void a_delete_removes_the_object_and_may_be_repeated() {
        put(key("k"), "x");
        put(key("kept"), "y");

        store().delete(key("k"));
        store().delete(key("k"));
        store().delete(key("never there"));

        assertThat(store().get(key("k"))).isEmpty();
        assertThat(names(listing(""))).containsExactly("kept");
    }

    @Test
    void delete_if_match_removes_the_version_it_names() {
        ETag etag = put(key("k"), "x");

        DeleteOutcome outcome = store().deleteIfMatch(key("k"), etag);

        assertThat(outcome).isInstanceOf(DeleteOutcome.Deleted.class);
        assertThat(store().get(key("k"))).isEmpty();
    }

    @Test
    void delete_if_match_is_refused_when_the_version_is_stale() {
        assumeTrue(enforcesConditionalDelete(), "this server deletes whatever the condition says");
        ETag stale = put(key("k"), "1");
        ETag current = put(key("k"), "2");

        DeleteOutcome outcome = store().deleteIfMatch(key("k"), stale);

        assertThat(outcome).isInstanceOf(DeleteOutcome.Refused.class);
        assertThat(read(key("k")).text()).isEqualTo("2");
        assertThat(read(key("k")).etag()).isEqualTo(current);
    }

    @Test
    void delete_if_match_is_refused_when_the_object_is_gone() {
        assumeTrue(refusesToDeleteWhatIsGone(), "for this server an object that is gone already is a success");
        ETag etag = put(key("k"), "1");
        store().delete(key("k"));

        DeleteOutcome outcome = store().deleteIfMatch(key("k"), etag);

        assertThat(outcome).isInstanceOf(DeleteOutcome.Refused.class);
    }

    @Test
    void delete_all_removes_thousands_of_keys_whether_they_exist_or_not() {
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < 2500; i++) {
            keys.add(key("n/%04d".formatted(i)));
        }
        List<String> existing = keys.stream().filter(k -> k.hashCode() % 3 != 0).toList();
        try (Racers racers = new Racers(16)) {
            racers.forEach(existing, k -> put(k, k));
        }
        put(key("kept"), "x");

        var failed = store().deleteAll(keys);

        assertThat(failed).isEmpty();
        assertThat(names(listing(""))).containsExactly("kept");
    }

    @Test
    void delete_all_takes_nothing_and_the_same_key_twice() {
        put(key("k"), "x");

        var none = store().deleteAll(List.of());
        var twice = store().deleteAll(List.of(key("k"), key("k")));

        assertThat(none).isEmpty();
        assertThat(twice).isEmpty();
        assertThat(store().get(key("k"))).isEmpty();
    }

    @Test
    void a_store_has_a_location() {
        assertThat(store().location()).isNotBlank().doesNotContain("\n");
    }

    private StoredObject range(String name, ByteRange range) {
        return found(store().get(key(name), GetOptions.whole().range(range)));
    }

    private static StoredObject found(GetOutcome outcome) {
        assertThat(outcome).isInstanceOf(GetOutcome.Found.class);
        return ((GetOutcome.Found) outcome).object();
    }

    private static byte[] randomBytes(int length) {
        byte[] bytes = new byte[length];
        new SplittableRandom(length).nextBytes(bytes);
        return bytes;
    }
}
