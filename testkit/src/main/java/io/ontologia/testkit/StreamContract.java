package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.Ontologia;
import io.ontologia.core.Session;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.testkit.Shop.Customer;
import io.ontologia.testkit.Shop.Product;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Streams belong to their session: they end with a terminal operation, and at the latest with the session. */
public abstract class StreamContract extends OntologySuite {
    private static final int MANY = 300;
    private static final int ROWS = 3_000;

    private void fill(Session session) {
        session.ensureAll(IntStream.range(0, ROWS).mapToObj(i -> new Product("sku-" + i, "product " + i, i)));
        session.commit();
        // Twice, so that a backend with local copies has made one.
        assertThat(session.entities(Product.class).list()).hasSize(ROWS);
        assertThat(session.entities(Product.class).list()).hasSize(ROWS);
    }

    @Test
    void streams_that_are_not_closed_leave_room_for_others() {
        Session session = open();
        fill(session);

        for (int i = 0; i < MANY; i++) {
            assertThat(session.entities(Product.class).stream().findFirst()).isPresent();
            assertThat(session.entities(Product.class).stream()
                            .mapToDouble(Product::price)
                            .map(Math::abs)
                            .anyMatch(price -> price >= 0))
                    .isTrue();
        }

        assertThat(session.entities(Product.class).count()).isEqualTo(ROWS);
        Session other = keep(Ontologia.open(newStore(), options(), Shop.TYPES));
        commit(other, Customer.of("a", "Gold", 1));
        assertThat(other.entities(Customer.class).list()).hasSize(1);
    }

    @Test
    void many_streams_are_read_at_once_each_from_its_own_state() {
        Session session = open();
        fill(session);
        List<Iterator<Product>> open = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            Iterator<Product> products =
                    session.entities(Product.class).stream().iterator();
            assertThat(products.next().sku()).isEqualTo("sku-0");
            open.add(products);
        }

        commit(session, new Product("sku-1", "another", 1), new Product("sku-new", "new", 1));

        assertThat(session.entities(Product.class).list()).hasSize(ROWS + 1);
        for (Iterator<Product> products : List.of(open.get(0), open.get(MANY / 2), open.get(MANY - 1))) {
            List<Product> rest = new ArrayList<>();
            products.forEachRemaining(rest::add);
            assertThat(rest).hasSize(ROWS - 1).contains(new Product("sku-1", "product 1", 1));
        }
        Session other = keep(Ontologia.open(newStore(), options(), Shop.TYPES));
        commit(other, Customer.of("a", "Gold", 1));
        assertThat(other.entities(Customer.class).list()).hasSize(1);
    }

    @Test
    void closing_a_session_ends_its_streams() {
        fill(open());
        Session session = Ontologia.open(uri(), options(), Shop.TYPES);
        Iterator<Product> started = session.entities(Product.class).stream().iterator();
        Stream<Product> untouched = session.entities(Product.class).stream();
        Iterator<Product> atEnd =
                session.entities(Product.class).limit(1).stream().iterator();
        assertThat(started.next()).isNotNull();
        assertThat(atEnd.next()).isNotNull();
        assertThat(atEnd.hasNext()).isFalse();

        session.close();

        assertFails(ErrorKind.CLOSED, "closed", () -> started.forEachRemaining(product -> {}));
        assertFails(ErrorKind.CLOSED, "closed", untouched::count);
        assertThat(atEnd.hasNext()).isFalse();
    }

    @Test
    void a_session_is_closed_while_another_thread_reads_its_stream() throws Exception {
        fill(open());
        ExecutorService threads = Executors.newSingleThreadExecutor();
        Session session = keep(Ontologia.open(uri(), options(), Shop.TYPES));
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        Stream<Product> products = session.entities(Product.class).stream();
        Future<?> reader = threads.submit(() -> products.forEach(product -> {
            reading.countDown();
            try {
                closed.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }));
        try {
            reading.await();
            session.close();
            closed.countDown();

            assertThatThrownBy(() -> reader.get(1, TimeUnit.MINUTES)).hasMessageContaining("closed");
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void what_an_operation_on_a_stream_throws_arrives_unchanged() {
        Session session = open();
        fill(session);
        IllegalStateException thrown = new IllegalStateException("by the caller");

        assertThatThrownBy(() -> session.entities(Product.class).stream()
                        .map(Product::price)
                        .forEach(price -> {
                            throw thrown;
                        }))
                .isSameAs(thrown);
    }
}
