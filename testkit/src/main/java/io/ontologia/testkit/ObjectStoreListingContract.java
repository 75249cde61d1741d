package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.ListPage;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectSummary;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Listings: order, pages, folders, starting points. Most tests compare with a model that sorts all names by their UTF-8
 * bytes and cuts the pages in memory.
 */
public abstract class ObjectStoreListingContract extends ObjectStoreSuite {
    private static final Comparator<String> UTF8_BYTES =
            (a, b) -> Arrays.compareUnsigned(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));

    /** Neighbours of {@code /} in byte order on both sides, and names that UTF-16 order would sort otherwise. */
    private static final List<String> NAMES = Stream.of(
                    "A",
                    "a!",
                    "a-b",
                    "a-b-c/x",
                    "a/b",
                    "a/c/d",
                    "a/c/e",
                    "a/c0",
                    "a/\uFFFD",
                    "a/\uD83D\uDE00",
                    "a0",
                    "ab/1",
                    "ab/2",
                    "z/z/z/z",
                    "\u00E9",
                    "\uFFFD",
                    "\uD83D\uDE00")
            .sorted(UTF8_BYTES)
            .toList();

    @Test
    void keys_come_in_the_order_of_their_utf8_bytes() {
        putAll(NAMES);

        assertThat(names(listing(""))).containsExactlyElementsOf(NAMES);
    }

    @Test
    void a_listing_tells_the_size_of_every_object() {
        put(key("empty"), "");
        put(key("five"), "12345");

        assertThat(store().list(listing("")).objects())
                .extracting(ObjectSummary::size)
                .containsExactly(0L, 5L);
    }

    @Test
    void pages_of_every_size_hold_every_key_once() {
        putAll(NAMES);

        for (int pageSize = 1; pageSize <= NAMES.size() + 1; pageSize++) {
            assertListed(listing("").pageSize(pageSize), NAMES);
        }
    }

    @Test
    void folded_folders_come_once_however_the_pages_are_cut() {
        putAll(NAMES);

        for (int pageSize = 1; pageSize <= NAMES.size() + 1; pageSize++) {
            assertListed(listing("").foldingFolders().pageSize(pageSize), NAMES);
        }
    }

    @Test
    void a_folder_larger_than_a_page_is_still_one_group() {
        List<String> names = new ArrayList<>(
                IntStream.range(0, 30).mapToObj("folder/%02d"::formatted).toList());
        names.add("after");
        names.add("zoo");
        putAll(names);

        ListPage page = store().list(listing("").foldingFolders().pageSize(2));
        ListPage rest = store().list(listing("")
                .foldingFolders()
                .pageSize(2)
                .continueAt(page.next().orElseThrow()));

        assertThat(page.objects()).extracting(o -> name(o.key())).containsExactly("after");
        assertThat(page.groups()).extracting(this::name).containsExactly("folder/");
        assertThat(rest.objects()).extracting(o -> name(o.key())).containsExactly("zoo");
        assertThat(rest.groups()).isEmpty();
        assertThat(rest.next()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "a/", "a/c", "a/c/", "a-b", "a-b-", "ab", "a/\uFFFD", "no such", "z/z/"})
    void a_prefix_need_not_end_at_a_segment(String prefix) {
        putAll(NAMES);

        for (int pageSize : new int[] {1, 2, 1000}) {
            assertListed(listing(prefix).pageSize(pageSize), NAMES);
            assertListed(listing(prefix).foldingFolders().pageSize(pageSize), NAMES);
        }
    }

    @Test
    void a_listing_starts_after_a_key_that_need_not_exist() {
        putAll(NAMES);
        Set<String> starts = new LinkedHashSet<>(NAMES);
        starts.addAll(List.of("0", "a", "a.", "a/b0", "a/c/dd", "a/zz", "b", "~", "\uD83D\uDE01"));

        for (String start : starts) {
            for (int pageSize : new int[] {1, 3, 1000}) {
                assertListed(listing("").startAfter(key(start)).pageSize(pageSize), NAMES);
            }
        }
    }

    @Test
    void a_start_inside_a_folder_keeps_the_folder_while_it_holds_a_later_key() {
        putAll(NAMES);

        for (String start : List.of("a/b", "a/c/d", "a/c/e", "a/c0", "a/\uD83D\uDE00", "a-b-c/w", "a-b-c/x", "ab/1")) {
            for (int pageSize : new int[] {1, 2, 1000}) {
                assertListed(listing("").foldingFolders().startAfter(key(start)).pageSize(pageSize), NAMES);
                assertListed(
                        listing("a").foldingFolders().startAfter(key(start)).pageSize(pageSize), NAMES);
                assertListed(
                        listing("a/").foldingFolders().startAfter(key(start)).pageSize(pageSize), NAMES);
            }
        }
    }

    @Test
    void the_whole_store_can_be_listed_from_any_place() {
        put(key("x"), "x");
        put(key("y"), "y");
        String folder = key("").substring(0, key("").length() - 1);

        ListPage keys = store().list(ListRequest.of("").startAfter(key("a")).pageSize(2));
        ListPage folders = store().list(
                        ListRequest.of("").foldingFolders().startAfter(folder).pageSize(1));

        assertThat(keys.objects()).extracting(ObjectSummary::key).containsExactly(key("x"), key("y"));
        assertThat(folders.groups()).containsExactly(folder + "/");
    }

    @Test
    void more_keys_than_the_largest_page_are_all_listed() {
        List<String> names =
                IntStream.range(0, 1100).mapToObj("n%05d"::formatted).toList();
        try (Racers racers = new Racers(16)) {
            racers.forEach(names, name -> put(key(name), name));
        }

        assertListed(listing(""), names);
        assertListed(listing("n").pageSize(99), names);
    }

    @Test
    void a_listing_shows_every_write_and_delete_that_was_over_before_it() {
        for (int i = 0; i < 20; i++) {
            put(key("k" + i), "x");
            assertThat(names(listing(""))).contains("k" + i).hasSize(i + 1);
        }
        for (int i = 0; i < 20; i++) {
            store().delete(key("k" + i));
            assertThat(names(listing(""))).doesNotContain("k" + i).hasSize(19 - i);
        }
    }

    @Test
    void a_paged_listing_misses_and_repeats_no_key_that_stays_while_others_come_and_go() {
        List<String> staying =
                IntStream.range(0, 40).mapToObj("n%02d-stays"::formatted).toList();
        putAll(staying);
        List<String> seen = new ArrayList<>();
        Optional<String> next = Optional.empty();

        int round = 0;
        do {
            ListRequest request = listing("").pageSize(3);
            ListPage page = store().list(next.isPresent() ? request.continueAt(next.get()) : request);
            page.objects().forEach(o -> seen.add(name(o.key())));
            next = page.next();
            // One comes before the place the listing has reached, one after it, and the last two go again.
            String before = "a%03d".formatted(round);
            String after = "n%02d-comes".formatted((round * 7) % 40);
            put(key(before), "x");
            put(key(after), "x");
            store().deleteAll(List.of(key("a%03d".formatted(round - 1)), key("n%02d-comes".formatted(round % 40))));
            round++;
        } while (next.isPresent());

        assertThat(seen).isSortedAccordingTo(UTF8_BYTES).doesNotHaveDuplicates().containsAll(staying);
    }

    @Test
    void a_token_that_no_page_gave_is_a_place_in_the_order_or_the_callers_mistake() {
        putAll(List.of("a", "b"));

        var refusal = catchThrowableOfType(
                OntologiaException.class, () -> store().list(listing("").continueAt(key("a"))));

        if (refusal != null) {
            assertThat(refusal.kind()).isEqualTo(ErrorKind.INVALID_INPUT);
        }
    }

    private void putAll(List<String> names) {
        names.forEach(name -> put(key(name), name));
    }

    /** Compares all pages of a listing with the model's. */
    private void assertListed(ListRequest request, List<String> allNames) {
        List<ListPage> pages = pages(request);

        List<String> listed = new ArrayList<>();
        for (ListPage page : pages) {
            assertThat(page.objects().size() + page.groups().size())
                    .as("entries on a page of %s", request)
                    .isLessThanOrEqualTo(request.pageSize());
            Stream.concat(page.objects().stream().map(ObjectSummary::key), page.groups().stream())
                    .sorted(UTF8_BYTES)
                    .map(this::name)
                    .forEach(listed::add);
            assertThat(page.objects())
                    .extracting(ObjectSummary::key)
                    .as("keys on a page of %s", request)
                    .isSortedAccordingTo(UTF8_BYTES);
        }
        assertThat(listed).as("all pages of %s", request).containsExactlyElementsOf(expected(request, allNames));
    }

    private List<String> expected(ListRequest request, List<String> allNames) {
        LinkedHashSet<String> entries = new LinkedHashSet<>();
        allNames.stream()
                .map(this::key)
                .sorted(UTF8_BYTES)
                .filter(key -> key.startsWith(request.prefix()))
                .filter(key -> request.startAfter().isEmpty()
                        || UTF8_BYTES.compare(key, request.startAfter().get()) > 0)
                .map(key -> fold(request, key))
                .map(this::name)
                .forEach(entries::add);
        return List.copyOf(entries);
    }

    private static String fold(ListRequest request, String key) {
        int slash = key.indexOf('/', request.prefix().length());
        return request.delimiter() == ListRequest.Delimiter.NONE || slash < 0 ? key : key.substring(0, slash + 1);
    }
}
