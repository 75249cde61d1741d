package io.ontologia.cli.internal.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.cli.internal.UsageError;
import io.ontologia.testkit.SettableClock;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeTextTest {
    /** In Berlin it is 00:30 on the next day. */
    private static final Instant NOW = Instant.parse("2026-05-03T22:30:15.5Z");

    private static TimeText.Reading read(String zone, Instant now, String text) {
        return new TimeText(new SettableClock(now), ZoneId.of(zone)).read("--as-of", text);
    }

    private static String time(String zone, String text) {
        return read(zone, NOW, text).time().toString();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2026-02-10T12:34:56Z                 | 2026-02-10T12:34:56Z",
                "2026-02-10T12:34:56.789012+00:00     | 2026-02-10T12:34:56.789012Z",
                "2026-02-10 12:34:56,5+01:00          | 2026-02-10T11:34:56.500Z",
                "2026-02-10T12:34+0530                | 2026-02-10T07:04:00Z",
                "2026-02-10T12:34-08                  | 2026-02-10T20:34:00Z",
                "2026-02-10t12:34z                    | 2026-02-10T12:34:00Z",
                "2026-02-10T12:34+01:00[Europe/Paris] | 2026-02-10T11:34:00Z",
                "now                                  | 2026-05-03T22:30:15.500Z"
            })
    void a_time_with_an_offset_is_read_as_it_is(String text, String expected) {
        TimeText.Reading reading = read("Asia/Tokyo", NOW, text);

        assertThat(reading.time()).isEqualTo(Instant.parse(expected));
        assertThat(reading.note()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2026-02-10 12:34                 | 2026-02-10T11:34:00Z | 2026-02-10T12:34:00+01:00 in Europe/Berlin",
                "2026-07-10T12:34:56.789          | 2026-07-10T10:34:56.789Z | 2026-07-10T12:34:56+02:00 in Europe/Berlin",
                "2026-02-10                       | 2026-02-09T23:00:00Z | 2026-02-10T00:00:00+01:00 in Europe/Berlin",
                "today                            | 2026-05-03T22:00:00Z | 2026-05-04T00:00:00+02:00 in Europe/Berlin",
                "Yesterday                        | 2026-05-02T22:00:00Z | 2026-05-03T00:00:00+02:00 in Europe/Berlin",
                "yesterday 12:34                  | 2026-05-03T10:34:00Z | 2026-05-03T12:34:00+02:00 in Europe/Berlin",
                "today 00:10 America/New_York     | 2026-05-03T04:10:00Z | 2026-05-03T00:10:00-04:00 in America/New_York",
                "2026-02-10 12:34 UTC             | 2026-02-10T12:34:00Z | 2026-02-10T12:34:00+00:00 in UTC",
                "2026-02-10Z                      | 2026-02-10T00:00:00Z | 2026-02-10T00:00:00+00:00",
                "2 hours ago                      | 2026-05-03T20:30:15.500Z | 2026-05-03T22:30:15+02:00 in Europe/Berlin",
                "an hour ago                      | 2026-05-03T21:30:15.500Z | 2026-05-03T23:30:15+02:00 in Europe/Berlin",
                "90 min ago                       | 2026-05-03T21:00:15.500Z | 2026-05-03T23:00:15+02:00 in Europe/Berlin",
                "10 SECONDS AGO                   | 2026-05-03T22:30:05.500Z | 2026-05-04T00:30:05+02:00 in Europe/Berlin",
                "7d ago                           | 2026-04-26T22:30:15.500Z | 2026-04-27T00:30:15+02:00 in Europe/Berlin",
                "1 week ago                       | 2026-04-26T22:30:15.500Z | 2026-04-27T00:30:15+02:00 in Europe/Berlin",
                "2 months ago                     | 2026-03-03T23:30:15.500Z | 2026-03-04T00:30:15+01:00 in Europe/Berlin",
                "1 year ago                       | 2025-05-03T22:30:15.500Z | 2025-05-04T00:30:15+02:00 in Europe/Berlin"
            })
    void what_leaves_a_choice_is_read_in_the_zone_and_noted(String text, String expected, String shown) {
        TimeText.Reading reading = read("Europe/Berlin", NOW, text);

        assertThat(reading.time()).isEqualTo(Instant.parse(expected));
        assertThat(reading.note()).contains("'" + text + "' is read as " + shown);
    }

    @Test
    void days_go_back_on_the_calendar_and_hours_on_the_clock() {
        Instant afterTheChange = Instant.parse("2026-03-29T10:00:00Z");

        assertThat(read("Europe/Berlin", afterTheChange, "1 day ago").time())
                .isEqualTo(Instant.parse("2026-03-28T11:00:00Z"));
        assertThat(read("Europe/Berlin", afterTheChange, "24 hours ago").time())
                .isEqualTo(Instant.parse("2026-03-28T10:00:00Z"));
    }

    @Test
    void a_time_that_the_zone_does_not_have_is_refused() {
        assertThatThrownBy(() -> time("Europe/Berlin", "2026-03-29 02:30"))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("a time that Europe/Berlin does not have");
        assertThat(time("Europe/Berlin", "2026-03-29 03:00")).isEqualTo("2026-03-29T01:00:00Z");
        assertThat(time("Europe/Berlin", "2026-03-29T02:30+01:00")).isEqualTo("2026-03-29T01:30:00Z");
        assertThat(time("UTC", "2026-03-29 02:30")).isEqualTo("2026-03-29T02:30:00Z");
    }

    @Test
    void a_time_that_the_zone_has_twice_is_refused_and_both_are_named() {
        assertThatThrownBy(() -> time("Europe/Berlin", "2026-10-25 02:30"))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("has twice")
                .hasMessageContaining("write 2026-10-25T02:30:00+02:00 for the first, or 2026-10-25T02:30:00+01:00");
        assertThat(time("Europe/Berlin", "2026-10-25T02:30:00+02:00")).isEqualTo("2026-10-25T00:30:00Z");
        assertThat(time("Europe/Berlin", "2026-10-25T02:30:00+01:00")).isEqualTo("2026-10-25T01:30:00Z");
    }

    /** In Cairo the clocks went from 00:00 to 01:00 on the 24th of April 2026. */
    @Test
    void a_day_without_midnight_begins_with_its_first_moment() {
        assertThat(time("Africa/Cairo", "2026-04-24")).isEqualTo("2026-04-23T22:00:00Z");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "tomorrow-ish",
                "2026-02-30",
                "2026-13-01",
                "2026-02-10T25:00Z",
                "2026-02-10T12",
                "12:34",
                "ago",
                "2 ago",
                "2 parsecs ago",
                "-2 hours ago",
                "2 hours",
                "2026-02-10 12:34 Nowhere/City",
                "999999 years ago",
                "2026-02-10T12:34+99:00",
                "0000-01-01",
                "02/10/2026",
                "yesterday noon"
            })
    void anything_else_is_refused_with_the_accepted_forms(String text) {
        assertThatThrownBy(() -> time("Europe/Berlin", text))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("--as-of is '" + text + "'")
                .hasMessageContaining("write it like 2026-02-10T12:34:56Z")
                .hasMessageContaining("yesterday")
                .hasMessageContaining("'2 hours ago'");
    }
}
