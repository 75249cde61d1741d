package io.ontologia.naming.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.spi.Storage;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.core.spi.Storages;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.NameRecord;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.Nameservices;
import io.ontologia.naming.StoreRecord;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AnnouncerTest {
    private static final Alias MYDB = Alias.parse("mydb");

    @TempDir
    Path folder;

    private final Nameservice names = Nameservices.open("memory:");
    private final CountDownLatch allNoted = new CountDownLatch(1);
    private final CountDownLatch asked = new CountDownLatch(1);

    /** The nameservice, which answers nothing until all was noted, and then fails some pushes of a concern. */
    private Nameservice failing(Concern concern, ErrorKind kind, int times) {
        AtomicInteger left = new AtomicInteger(times);
        return (Nameservice) Proxy.newProxyInstance(
                Nameservice.class.getClassLoader(), new Class<?>[] {Nameservice.class}, (proxy, method, args) -> {
                    asked.countDown();
                    assertThat(allNoted.await(1, TimeUnit.MINUTES)).isTrue();
                    if (method.getName().equals("push") && args[1] == concern && left.getAndDecrement() > 0) {
                        throw new OntologiaException(kind, "cannot push", "the test says so", "");
                    }
                    try {
                        return method.invoke(names, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** A round that begins after the end is the last one, and tries nothing again. */
    private void awaitFirstRound() {
        try {
            assertThat(asked.await(1, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private NameRecord after(Nameservice told, java.util.function.Consumer<Announcer> news) {
        String uri = "sqlite:///" + folder.resolve("onto.db");
        try (Storage store = Storages.open(uri, StorageOptions.defaults())) {
            Announcer announcer = new Announcer(new StoreRecord(told, MYDB, uri), store);
            news.accept(announcer);
            awaitFirstRound();
            allNoted.countDown();
            announcer.close();
        }
        return names.lookup(MYDB).orElseThrow();
    }

    @Test
    void the_last_state_is_the_last_that_is_told_also_when_one_before_it_had_to_wait() {
        NameRecord record = after(failing(Concern.STATUS, ErrorKind.BUSY, 1), announcer -> {
            announcer.committed(1);
            announcer.state("indexing");
            announcer.merged(1);
            announcer.state("ready");
        });

        assertThat(record.state()).contains("ready");
        assertThat(record.head().watermark()).isEqualTo(1);
        assertThat(record.index().watermark()).isEqualTo(1);
    }

    @Test
    void an_index_that_cannot_be_told_keeps_no_commit_back() {
        NameRecord record = after(failing(Concern.INDEX, ErrorKind.CORRUPT, Integer.MAX_VALUE), announcer -> {
            announcer.committed(1);
            announcer.merged(1);
            announcer.state("ready");
            announcer.committed(2);
        });

        assertThat(record.head().watermark()).isEqualTo(2);
        assertThat(record.index().isUnborn()).isTrue();
    }

    @Test
    void what_a_record_needs_that_is_not_there_yet_waits_for_the_commit_that_makes_it() {
        NameRecord record = after(failing(Concern.HEAD, ErrorKind.BUSY, 1), announcer -> {
            announcer.committed(1);
            announcer.merged(1);
        });

        assertThat(record.head().watermark()).isEqualTo(1);
        assertThat(record.index().watermark()).isEqualTo(1);
    }
}
