package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.ETag;
import io.ontologia.objectstore.ListPage;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectSummary;
import io.ontologia.objectstore.Payload;
import io.ontologia.objectstore.PutOutcome;
import io.ontologia.objectstore.StoredObject;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * What the contract suites for object stores share: the store under test, a folder of its own for every test, and what
 * the server behind the store is known to do.
 *
 * <p>A backend extends each of {@link ObjectStoreContract}, {@link ObjectStoreKeyContract}, {@link
 * ObjectStoreListingContract} and {@link ObjectStoreRaceContract} with a class that says how to open it. Every test uses keys in a new folder with a random
 * name and removes them afterwards, so the suites can run against a bucket that others use too.
 */
public abstract class ObjectStoreSuite {
    private ObjectStore store;
    private String folder;

    /** Opens the store to test, empty or shared with others. The suite closes what it opened. */
    protected abstract ObjectStore open();

    /** Whether the server keeps an object whose version is not the one named. Some delete it anyway. */
    protected boolean enforcesConditionalDelete() {
        return true;
    }

    /** Whether the loser of a race may get an unknown outcome: some servers answer it with HTTP 500. */
    protected boolean losersMayBeUnknown() {
        return false;
    }

    /** Whether the same bytes written twice get two ETags. False where the ETag is a hash of the content. */
    protected boolean etagsAreUniquePerWrite() {
        return true;
    }

    /** How many rounds a race runs. */
    protected int raceRounds() {
        return 1000;
    }

    @BeforeEach
    final void openStore() {
        store = open();
        folder = "suite-" + UUID.randomUUID() + "/";
    }

    @AfterEach
    final void removeObjectsAndClose() {
        try (ObjectStore used = store) {
            List<String> left = new ArrayList<>();
            pages(ListRequest.of(folder)).forEach(p -> p.objects().forEach(o -> left.add(o.key())));
            used.deleteAll(left);
        }
    }

    /** The store under test. */
    protected final ObjectStore store() {
        return store;
    }

    /** A key of the given name in this test's own folder. */
    protected final String key(String name) {
        return folder + name;
    }

    /** The request for every key in this test's folder whose name starts with the given text. */
    protected final ListRequest listing(String namePrefix) {
        return ListRequest.of(folder + namePrefix);
    }

    /** The name that {@link #key} made a key from. */
    protected final String name(String key) {
        assertThat(key).startsWith(folder);
        return key.substring(folder.length());
    }

    /** All pages of a listing. */
    protected final List<ListPage> pages(ListRequest request) {
        List<ListPage> pages = new ArrayList<>();
        pages.add(store.list(request));
        while (pages.get(pages.size() - 1).next().isPresent()) {
            pages.add(store.list(
                    request.continueAt(pages.get(pages.size() - 1).next().get())));
            assertThat(pages).as("pages of one listing").hasSizeLessThan(100_000);
        }
        return pages;
    }

    /** The names of all objects of a listing, over all its pages. */
    protected final List<String> names(ListRequest request) {
        return pages(request).stream()
                .flatMap(page -> page.objects().stream())
                .map(ObjectSummary::key)
                .map(this::name)
                .toList();
    }

    /** The object, which must be there. */
    protected final StoredObject read(String key) {
        return store.get(key).orElseThrow(() -> new AssertionError("no object " + key));
    }

    /** Puts a text, whatever was there. */
    protected final ETag put(String key, String text) {
        return store.put(key, Payload.of(text));
    }

    /** The ETag of an outcome that must be {@link PutOutcome.Written}. */
    protected static ETag written(PutOutcome outcome) {
        assertThat(outcome).isInstanceOf(PutOutcome.Written.class);
        return ((PutOutcome.Written) outcome).etag();
    }

    /** Checks that a call fails with an error of the given kind. */
    protected static void assertFails(ErrorKind kind, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(kind));
    }
}
