package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.kernel.Clock;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.ConcernValue;
import io.ontologia.nameservice.CreateOutcome;
import io.ontologia.nameservice.NamePage;
import io.ontologia.nameservice.NameQuery;
import io.ontologia.nameservice.NameRecord;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.NewRecord;
import io.ontologia.nameservice.PushOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * What the contract suites for nameservices share: the nameservice under test, empty at the start of every test.
 *
 * <p>A backend extends each of {@link NameserviceContract}, {@link NameserviceLifecycleContract}, {@link
 * NameserviceListingContract}, {@link NameserviceNamesContract} and {@link NameserviceRaceContract} with a class that says how to
 * open it.
 */
public abstract class NameserviceSuite {
    private final SettableClock clock = new SettableClock();
    private final List<Nameservice> opened = new ArrayList<>();
    private Nameservice names;

    /**
     * Opens the nameservice to test. Within one test every call opens the same records, none at first; where a backend cannot be
     * opened twice (memory), the suite calls it once. The suite closes what it opened.
     */
    protected abstract Nameservice open(Clock clock);

    /** Whether a second {@link #open} sees the same records. */
    protected boolean canBeOpenedTwice() {
        return true;
    }

    /** What the nameservice under test waits by: no time passes but what the test lets pass. */
    protected Clock backendClock() {
        return clock;
    }

    /** How many rounds a race runs. */
    protected int raceRounds() {
        return 50;
    }

    @BeforeEach
    final void openNameservice() {
        names = open(backendClock());
        opened.add(names);
    }

    @AfterEach
    final void closeNameservices() {
        opened.forEach(Nameservice::close);
    }

    /** The nameservice under test. */
    protected final Nameservice names() {
        return names;
    }

    /** Another client of the same records, or the same one where there can be no other. */
    protected final Nameservice another() {
        if (!canBeOpenedTwice()) {
            return names;
        }
        Nameservice other = open(backendClock());
        opened.add(other);
        return other;
    }

    /** The clock that the nameservice under test uses. */
    protected final SettableClock clock() {
        return clock;
    }

    /** Creates a ledger, which must succeed. */
    protected final NameRecord created(String alias) {
        return created(NewRecord.ledger(Alias.parse(alias)));
    }

    /** Creates a record, which must succeed. */
    protected final NameRecord created(NewRecord record) {
        CreateOutcome outcome = names.create(record);
        assertThat(outcome).isInstanceOf(CreateOutcome.Created.class);
        return ((CreateOutcome.Created) outcome).record();
    }

    /** Pushes a value on top of whatever is there, which must succeed. */
    protected final ConcernValue pushed(String alias, Concern concern, ConcernValue next) {
        Alias name = Alias.parse(alias);
        PushOutcome outcome =
                names.push(name, concern, names.concern(name, concern).orElseThrow(), next);
        assertThat(outcome).isEqualTo(new PushOutcome.Updated(next));
        return next;
    }

    /** A head with its t. */
    protected static ConcernValue head(long t) {
        return head(t, "commit-" + t);
    }

    /** A head with its t and where it is. */
    protected static ConcernValue head(long t, String address) {
        return ConcernValue.of(t, Map.of("address", address, "t", t));
    }

    /** An index, a status or a config with some field. */
    protected static ConcernValue value(Concern concern, long watermark, String text) {
        return switch (concern) {
            case HEAD -> head(watermark, text);
            case STATUS -> ConcernValue.of(watermark, Map.of("state", "ready", "note", text));
            default -> ConcernValue.of(watermark, Map.of("note", text));
        };
    }

    /** All records that a query finds, page by page. */
    protected final List<NameRecord> listed(NameQuery query) {
        List<NameRecord> all = new ArrayList<>();
        Optional<String> next = Optional.empty();
        do {
            NamePage page = names.list(next.map(query::continueAt).orElse(query));
            assertThat(page.unreadable()).isEmpty();
            assertThat(page.records()).hasSizeLessThanOrEqualTo(query.pageSize());
            all.addAll(page.records());
            next = page.next();
        } while (next.isPresent());
        return all;
    }

    /** The aliases of all records that a query finds. */
    protected final List<String> aliases(NameQuery query) {
        return listed(query).stream().map(record -> record.alias().toString()).toList();
    }
}
