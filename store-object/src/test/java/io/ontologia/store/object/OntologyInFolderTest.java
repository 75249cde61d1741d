package io.ontologia.store.object;

import io.ontologia.testkit.AggregateContract;
import io.ontologia.testkit.CommitLogContract;
import io.ontologia.testkit.CompatibleChangesContract;
import io.ontologia.testkit.DeclaredStepsContract;
import io.ontologia.testkit.DigestContract;
import io.ontologia.testkit.GroupContract;
import io.ontologia.testkit.KeyContract;
import io.ontologia.testkit.LostLeaseContract;
import io.ontologia.testkit.MigrationContract;
import io.ontologia.testkit.MigrationSafetyContract;
import io.ontologia.testkit.PagingContract;
import io.ontologia.testkit.PinnedSessionContract;
import io.ontologia.testkit.QueryContract;
import io.ontologia.testkit.ReachContract;
import io.ontologia.testkit.ReadersAndWritersContract;
import io.ontologia.testkit.ReconcileContract;
import io.ontologia.testkit.RefusalContract;
import io.ontologia.testkit.RetractionContract;
import io.ontologia.testkit.RollingDeploymentContract;
import io.ontologia.testkit.SchemaDropContract;
import io.ontologia.testkit.SessionContract;
import io.ontologia.testkit.SessionEndContract;
import io.ontologia.testkit.StreamContract;
import io.ontologia.testkit.TemporalContract;
import io.ontologia.testkit.TraversalContract;
import io.ontologia.testkit.TypedFilterContract;
import io.ontologia.testkit.UpgradedReadsContract;
import io.ontologia.testkit.WriteLockContract;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every contract of a storage backend, on objects in a folder. */
class OntologyInFolderTest {
    @TempDir
    Path folder;

    @Nested
    class Digest extends DigestContract {
        @Override
        protected String newStore() {
            return folder.resolve("store").toUri().toString();
        }
    }

    @Nested
    class Retraction extends RetractionContract {
        @Override
        protected String newStore() {
            return folder.resolve("store").toUri().toString();
        }
    }

    @Nested
    class Session extends SessionContract {
        @Override
        protected String newStore() {
            return folder.resolve("store").toUri().toString();
        }
    }

    @Nested
    class SessionEnd extends SessionEndContract {
        @Override
        protected String newStore() {
            return folder.resolve("store").toUri().toString();
        }
    }

    @Nested
    class Reconcile extends ReconcileContract {
        @Override
        protected String newStore() {
            return folder.resolve("store").toUri().toString();
        }
    }

    @Nested
    class Refusal extends RefusalContract {
        @Override
        protected String newStore() {
            return folder.resolve("store").toUri().toString();
        }
    }

    @Nested
    class Query extends QueryContract {
        @Override
        protected String newStore() {
            return folder.resolve("store").toUri().toString();
        }
    }

    @Nested
    class Key extends KeyContract {
        @Override
        protected String newStore() {
            return folder.resolve("store").toUri().toString();
        }
    }

    @Nested
    class Temporal extends TemporalContract {
        @Override
        protected String newStore() {
            return folder.resolve("store").toUri().toString();
        }
    }

    @Nested
    class Paging extends PagingContract {
        @Override
        protected String newStore() {
            return folder.resolve("store").toUri().toString();
        }
    }

    @Nested
    class Aggregate extends AggregateContract {
        @Override
        protected String newStore() {
            return folder.resolve("store").toUri().toString();
        }
    }

    @Nested
    class Traversal extends TraversalContract {
        @Override
        protected String newStore() {
            return folder.resolve("store").toUri().toString();
        }
    }

    @Nested
    class Group extends GroupContract {
        @Override
        protected String newStore() {
            return folder.resolve("store").toUri().toString();
        }
    }

    @Nested
    class Reach extends ReachContract {
        @Override
        protected String newStore() {
            return folder.resolve("store").toUri().toString();
        }
    }

    @Nested
    class CommitLog extends CommitLogContract {
        @Override
        protected String newStore() {
            return folder.resolve("store").toUri().toString();
        }
    }

    @Nested
    class PinnedSession extends PinnedSessionContract {
        @Override
        protected String newStore() {
            return folder.resolve("store").toUri().toString();
        }
    }

    @Nested
    class WriteLock extends WriteLockContract {
        @Override
        protected String newStore() {
            return folder.resolve("store").toUri().toString();
        }

        @Test
        void a_dead_holder_whose_clock_was_a_day_ahead_does_not_block_writers_until_tomorrow() {
            assertBlockedNoLongerThanTheLease();
        }
    }

    @Nested
    class LostLease extends LostLeaseContract {
        @Override
        protected String newStore() {
            return folder.resolve("store").toUri().toString();
        }
    }

    @Nested
    class Migration extends MigrationContract {
        @Override
        protected String newStore() {
            return folder.resolve("store").toUri().toString();
        }
    }

    @Nested
    class MigrationSafety extends MigrationSafetyContract {
        @Override
        protected String newStore() {
            return folder.resolve("store").toUri().toString();
        }
    }

    @Nested
    class SchemaDrop extends SchemaDropContract {
        @Override
        protected String newStore() {
            return folder.resolve("store").toUri().toString();
        }
    }

    @Nested
    class CompatibleChanges extends CompatibleChangesContract {
        @Override
        protected String newStore() {
            return folder.resolve("store").toUri().toString();
        }
    }

    @Nested
    class DeclaredSteps extends DeclaredStepsContract {
        @Override
        protected String newStore() {
            return folder.resolve("store").toUri().toString();
        }
    }

    @Nested
    class RollingDeployment extends RollingDeploymentContract {
        @Override
        protected String newStore() {
            return folder.resolve("store").toUri().toString();
        }
    }

    @Nested
    class UpgradedReads extends UpgradedReadsContract {
        @Override
        protected String newStore() {
            return folder.resolve("store").toUri().toString();
        }
    }

    @Nested
    class Streams extends StreamContract {
        private int stores;

        @Override
        protected String newStore() {
            return folder.resolve("store" + ++stores).toUri().toString();
        }
    }

    @Nested
    class ReadersAndWriters extends ReadersAndWritersContract {
        @Override
        protected String newStore() {
            return folder.resolve("store").toUri().toString();
        }
    }

    @Nested
    class TypedFilter extends TypedFilterContract {
        @Override
        protected String newStore() {
            return folder.resolve("store").toUri().toString();
        }
    }
}
