package io.ontologia.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.testkit.Seeds;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CronTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    private static List<String> ticks(String cron, ZoneId zone, String after, int count) {
        List<String> ticks = new ArrayList<>();
        Instant moment = Instant.parse(after);
        for (int i = 0; i < count; i++) {
            moment = Cron.parse(cron).next(moment, zone);
            ticks.add(moment.toString());
        }
        return ticks;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            * * * * *            | 2026-03-01T10:00:00Z | 2026-03-01T10:01:00Z
            * * * * *            | 2026-03-01T10:00:59Z | 2026-03-01T10:01:00Z
            30 9 * * mon-fri     | 2026-03-06T09:30:00Z | 2026-03-09T09:30:00Z
            0 0 29 2 *           | 2026-03-01T00:00:00Z | 2028-02-29T00:00:00Z
            0 0 29 2 *           | 2096-03-01T00:00:00Z | 2104-02-29T00:00:00Z
            */20 8-18/5 * * *    | 2026-03-01T08:40:00Z | 2026-03-01T13:00:00Z
            5/25 * * * *         | 2026-03-01T08:05:00Z | 2026-03-01T08:30:00Z
            0 0 1,15 * *         | 2026-03-01T00:00:00Z | 2026-03-15T00:00:00Z
            0 0 * jan,JUL *      | 2026-01-31T00:00:00Z | 2026-07-01T00:00:00Z
            0 0 * * 0            | 2026-03-01T00:00:00Z | 2026-03-08T00:00:00Z
            0 0 * * 7            | 2026-03-01T00:00:00Z | 2026-03-08T00:00:00Z
            0 0 * * sat-sun      | 2026-03-01T00:00:00Z | 2026-03-07T00:00:00Z
            0 0 * * 5-7          | 2026-03-01T00:00:00Z | 2026-03-06T00:00:00Z
            0 0 13 * fri         | 2026-03-01T00:00:00Z | 2026-03-06T00:00:00Z
            0 0 13 * fri         | 2026-03-10T00:00:00Z | 2026-03-13T00:00:00Z
            0 0 13 * *           | 2026-03-01T00:00:00Z | 2026-03-13T00:00:00Z""")
    void the_next_tick_is_the_first_that_fits(String cron, String after, String next) {
        assertThat(ticks(cron, ZoneOffset.UTC, after, 1)).containsExactly(next);
    }

    @Test
    void a_time_that_is_left_out_fires_once_in_the_moment_after_the_gap() {
        assertThat(ticks("30 2 * * *", BERLIN, "2026-03-27T12:00:00Z", 3))
                .containsExactly("2026-03-28T01:30:00Z", "2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z");
        assertThat(ticks("*/30 * * * *", BERLIN, "2026-03-29T00:00:00Z", 3))
                .containsExactly("2026-03-29T00:30:00Z", "2026-03-29T01:00:00Z", "2026-03-29T01:30:00Z");
    }

    @Test
    void a_time_that_comes_twice_fires_the_first_time_only() {
        assertThat(ticks("30 2 * * *", BERLIN, "2026-10-24T12:00:00Z", 2))
                .containsExactly("2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z");
        assertThat(ticks("*/30 * * * *", BERLIN, "2026-10-24T23:30:00Z", 4))
                .containsExactly(
                        "2026-10-25T00:00:00Z", "2026-10-25T00:30:00Z", "2026-10-25T02:00:00Z", "2026-10-25T02:30:00Z");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "* * * *",
                "* * * * * *",
                "60 * * * *",
                "* 24 * * *",
                "* * 0 * *",
                "* * 32 * *",
                "* * * 13 *",
                "* * * * 8",
                "* * * foo *",
                "5-1 * * * *",
                "*/0 * * * *",
                "1,,2 * * * *",
                "1-2-3 * * * *",
                "1/2/3 * * * *",
                "-1 * * * *",
                "0 0 30 2 *",
                "0 0 31 4,jun *"
            })
    void what_is_no_expression_or_never_fires_is_refused(String text) {
        assertThatThrownBy(() -> Cron.parse(text))
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.INVALID_INPUT));
    }

    @Test
    void ticks_are_those_that_looking_at_every_minute_finds() {
        List<ZoneId> zones = List.of(
                ZoneOffset.UTC,
                BERLIN,
                ZoneId.of("America/New_York"),
                ZoneId.of("Australia/Lord_Howe"),
                ZoneId.of("America/Sao_Paulo"),
                ZoneId.of("Asia/Kolkata"));
        Seeds.forEach("cron", 60, random -> {
            ZoneId zone = zones.get(random.nextInt(zones.size()));
            NaiveCron naive = NaiveCron.random(random);
            Instant around = Instant.parse("2010-01-01T00:00:00Z").plus(Duration.ofMinutes(random.nextInt(4_000_000)));
            ZoneOffsetTransition change = zone.getRules().nextTransition(around);
            Instant start = (change == null ? around : change.getInstant())
                    .minus(Duration.ofMinutes(random.nextInt(3 * 24 * 60)));
            Instant end = start.plus(Duration.ofDays(5));

            List<Instant> found = new ArrayList<>();
            Cron cron = Cron.parse(naive.text());
            for (Instant tick = cron.next(start, zone); !tick.isAfter(end); tick = cron.next(tick, zone)) {
                found.add(tick);
            }

            assertThat(found)
                    .as("%s in %s from %s", naive.text(), zone, start)
                    .containsExactlyElementsOf(naive.ticks(start, end, zone));
        });
    }

    /** Fields as plain lists of values, asked minute by minute. */
    private record NaiveCron(
            List<Integer> minutes,
            List<Integer> hours,
            List<Integer> days,
            List<Integer> months,
            List<Integer> weekdays) {

        static NaiveCron random(RandomGenerator random) {
            return new NaiveCron(
                    some(random, 0, 59), some(random, 0, 3), some(random, 1, 28), List.of(), some(random, 0, 6));
        }

        /** Empty for all. */
        private static List<Integer> some(RandomGenerator random, int from, int to) {
            int count = random.nextBoolean() ? 0 : 1 + random.nextInt(4);
            return IntStream.range(0, count)
                    .map(i -> from + random.nextInt(to - from + 1))
                    .boxed()
                    .toList();
        }

        String text() {
            return List.of(minutes, hours, days, months, weekdays).stream()
                    .map(field -> field.isEmpty()
                            ? "*"
                            : field.stream().map(String::valueOf).collect(Collectors.joining(",")))
                    .collect(Collectors.joining(" "));
        }

        List<Instant> ticks(Instant after, Instant end, ZoneId zone) {
            List<Instant> ticks = new ArrayList<>();
            for (Instant now = after.plusSeconds(60); !now.isAfter(end); now = now.plusSeconds(60)) {
                var wall = now.atZone(zone);
                boolean second = !wall.withEarlierOffsetAtOverlap().toInstant().equals(now);
                var before = now.minusSeconds(60).atZone(zone).toLocalDateTime();
                boolean fires = !second && fits(wall.toLocalDateTime());
                for (var skipped = before.plusMinutes(1);
                        skipped.isBefore(wall.toLocalDateTime());
                        skipped = skipped.plusMinutes(1)) {
                    fires |= fits(skipped);
                }
                if (fires) {
                    ticks.add(now);
                }
            }
            return ticks;
        }

        private boolean fits(LocalDateTime wall) {
            boolean day = days.contains(wall.getDayOfMonth());
            boolean weekday = weekdays.contains(wall.getDayOfWeek().getValue() % 7);
            boolean dayFits =
                    days.isEmpty() ? weekdays.isEmpty() || weekday : weekdays.isEmpty() ? day : day || weekday;
            return dayFits
                    && (minutes.isEmpty() || minutes.contains(wall.getMinute()))
                    && (hours.isEmpty() || hours.contains(wall.getHour()))
                    && (months.isEmpty() || months.contains(wall.getMonthValue()));
        }
    }
}
