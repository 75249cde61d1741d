package io.ontologia.nameservice;

import io.ontologia.kernel.Clock;
import io.ontologia.testkit.NameserviceRaceContract;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** Races in a folder, in every layout. */
class FolderNameserviceRaceIT {
    @TempDir
    private Path folder;

    private Nameservice open(Layout layout, Clock clock) {
        return Nameservices.open(
                "file://" + folder + "?layout=" + layout,
                NameserviceOptions.defaults().clock(clock));
    }

    @Nested
    class RaceInA extends NameserviceRaceContract {
        @Override
        protected Nameservice open(Clock clock) {
            return FolderNameserviceRaceIT.this.open(Layout.A, clock);
        }

        @Override
        protected int raceRounds() {
            return 20;
        }
    }

    @Nested
    class RaceInB extends NameserviceRaceContract {
        @Override
        protected Nameservice open(Clock clock) {
            return FolderNameserviceRaceIT.this.open(Layout.B, clock);
        }

        @Override
        protected int raceRounds() {
            return 20;
        }
    }

    @Nested
    class RaceInC extends NameserviceRaceContract {
        @Override
        protected Nameservice open(Clock clock) {
            return FolderNameserviceRaceIT.this.open(Layout.C, clock);
        }

        @Override
        protected int raceRounds() {
            return 20;
        }
    }
}
