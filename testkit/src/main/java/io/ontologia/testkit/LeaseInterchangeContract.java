package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.JsonObject;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.BreakOutcome;
import io.ontologia.objectstore.Lease;
import io.ontologia.objectstore.LeaseHolder;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Locks that other implementations wrote or damaged, and locks that an operator looks at and breaks. */
public abstract class LeaseInterchangeContract extends LeaseSuite {
    private static final String FOREIGN = """
            {"owner_id": "writer-x", "acquired_at": "2026-01-01T00:00:00Z", "expires_at": "2026-01-01T00:00:10Z",
             "lease_ttl_ms": 10000, "host": "elsewhere", "tags": [1, null]}""";

    @Test
    void a_foreign_lock_is_respected_until_it_expires() {
        put(lockKey(), FOREIGN);

        LeaseHolder holder = holderOf(tryOnce("writer-a"));
        clock.setWallClock(Instant.parse("2026-01-01T00:00:10Z"));
        Lease lease = leaseOf(tryOnce("writer-a"));

        assertThat(holder.ownerId()).isEqualTo("writer-x");
        assertThat(holder.expiresAt()).isEqualTo("2026-01-01T00:00:10Z");
        assertThat(holder.attemptId()).isEmpty();
        assertThat(lease.renew()).isTrue();
    }

    @Test
    void an_expired_lease_that_a_foreign_writer_takes_over_is_lost_although_it_has_the_same_name() {
        Lease lease = acquire("writer-x");

        put(lockKey(), FOREIGN);

        assertThat(lease.renew()).isFalse();
        lease.release();
        assertThat(read(lockKey()).text()).isEqualTo(FOREIGN);
    }

    @Test
    void fields_that_others_add_to_our_lock_survive_renewal_and_release() {
        Lease lease = acquire("writer-a");
        Map<String, @Nullable Object> annotated = new LinkedHashMap<>(stored().fields());
        annotated.put("note", "seen by the monitor");
        put(lockKey(), CanonicalJson.write(annotated));

        boolean renewed = lease.renew();

        assertThat(renewed).isTrue();
        assertThat(stored().text("note")).isEqualTo("seen by the monitor");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "not json",
                "[]",
                "{}",
                "{\"owner_id\":\"a\",\"acquired_at\":\"2026-01-01T00:00:00Z\",\"lease_ttl_ms\":1}",
                "{\"owner_id\":\"a\",\"acquired_at\":\"2026-01-01T00:00:00Z\",\"expires_at\":\"soon\",\"lease_ttl_ms\":1}",
                "{\"owner_id\":7,\"acquired_at\":\"2026-01-01T00:00:00Z\",\"expires_at\":\"2026-01-01T00:00:00Z\"}"
            })
    void a_damaged_lock_is_reported_by_its_key_and_left_alone(String damaged) {
        put(lockKey(), damaged);

        assertThatThrownBy(() -> lock().acquire("writer-a"))
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.CORRUPT))
                .hasMessageContaining(lockKey())
                .hasMessageEndingWith("'onto lock show' shows how to replace it");
        assertFails(ErrorKind.CORRUPT, () -> lock().inspect());
        assertThat(read(lockKey()).text()).isEqualTo(damaged);
    }

    @Test
    void a_damaged_lock_is_replaced_only_with_the_token_of_its_present_bytes() {
        Lease lease = acquire("writer-a");
        put(lockKey(), "damaged");
        String former = lock().damage().orElseThrow().breakToken();
        put(lockKey(), "damaged again");
        String present = lock().damage().orElseThrow().breakToken();

        assertThat(lock().breakDamaged(former)).isFalse();
        assertThat(read(lockKey()).text()).isEqualTo("damaged again");
        assertThat(lock().breakDamaged(present)).isTrue();
        assertThat(lock().damage()).isEmpty();
        assertThat(lock().inspect()).isEmpty();
        assertThat(lock().breakDamaged(present)).isFalse();
        assertThat(acquire("writer-b").token()).isGreaterThan(lease.token());
    }

    @Test
    void a_lock_that_is_damaged_while_it_is_held_loses_the_lease() {
        Lease lease = acquire("writer-a");
        put(lockKey(), "damaged");

        assertThat(lease.renew()).isFalse();
        assertUnsafe(lease);
        lease.release();

        assertThat(read(lockKey()).text()).isEqualTo("damaged");
    }

    @Test
    void an_expired_lock_that_nobody_took_over_still_shows_its_holder() {
        acquire("writer-a");

        clock.advance(TTL);

        assertThat(lock().inspect())
                .hasValueSatisfying(
                        holder -> assertThat(holder.hasExpired(clock.now())).isTrue());
    }

    @Test
    void a_lock_can_be_broken_with_the_token_of_its_holder_also_after_it_renewed() {
        Lease lease = acquire("writer-a");
        LeaseHolder shown = lock().inspect().orElseThrow();
        lease.renew();

        BreakOutcome outcome = lock().breakLock(shown.breakToken());

        assertThat(outcome).isInstanceOf(BreakOutcome.Broken.class);
        assertThat(lock().inspect()).isEmpty();
        assertThat(lease.renew()).isFalse();
        assertUnsafe(lease);
        assertThat(leaseOf(tryOnce("writer-b")).renew()).isTrue();
    }

    @Test
    void a_foreign_lock_can_be_broken_and_its_holder_will_not_find_its_name_in_it() {
        put(lockKey(), FOREIGN);
        String token = lock().inspect().orElseThrow().breakToken();

        BreakOutcome outcome = lock().breakLock(token);

        assertThat(outcome).isInstanceOf(BreakOutcome.Broken.class);
        assertThat(stored().text("owner_id")).isNotEqualTo("writer-x");
        leaseOf(tryOnce("writer-a"));
    }

    @Test
    void the_token_of_an_earlier_holder_breaks_nothing() {
        acquire("writer-a");
        String stale = lock().inspect().orElseThrow().breakToken();
        clock.advance(TTL);
        Lease owner = acquire("writer-a");

        BreakOutcome outcome = lock().breakLock(stale);

        assertThat(outcome).isEqualTo(new BreakOutcome.Changed(lock().inspect().orElseThrow()));
        assertThat(owner.renew()).isTrue();
    }

    @Test
    void a_lock_that_nobody_holds_cannot_be_broken() {
        BreakOutcome never = lock().breakLock("0123456789abcdef");
        Lease lease = acquire("writer-a");
        String token = lock().inspect().orElseThrow().breakToken();
        lease.release();
        BreakOutcome released = lock().breakLock(token);

        assertThat(never).isEqualTo(new BreakOutcome.NotHeld());
        assertThat(released).isEqualTo(new BreakOutcome.NotHeld());
    }

    private JsonObject stored() {
        return JsonObject.parse("lock", read(lockKey()).bytes());
    }
}
