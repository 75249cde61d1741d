package io.ontologia.store.object;

import io.ontologia.testkit.AggregateContract;
import io.ontologia.testkit.AggregateDifferentialContract;
import io.ontologia.testkit.CommitLogContract;
import io.ontologia.testkit.CompatibleChangesContract;
import io.ontologia.testkit.CopyContract;
import io.ontologia.testkit.DeclaredStepsContract;
import io.ontologia.testkit.DigestContract;
import io.ontologia.testkit.EventCopyContract;
import io.ontologia.testkit.ExplainContract;
import io.ontologia.testkit.FilterPathsContract;
import io.ontologia.testkit.FilterValuesContract;
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
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Every contract of a storage backend, on objects in memory. */
class OntologyInMemoryTest {
    private static final AtomicInteger STORES = new AtomicInteger();

    private static String nextStore() {
        return "memory:contract-" + STORES.incrementAndGet();
    }

    @Nested
    class FilterPaths extends FilterPathsContract {
        @Override
        protected String newStore() {
            return "memory:contract-" + STORES.incrementAndGet();
        }
    }

    @Nested
    class Digest extends DigestContract {
        @Override
        protected String newStore() {
            return nextStore();
        }
    }

    @Nested
    class Session extends SessionContract {
        @Override
        protected String newStore() {
            return nextStore();
        }
    }

    @Nested
    class SessionEnd extends SessionEndContract {
        @Override
        protected String newStore() {
            return nextStore();
        }
    }

    @Nested
    class Copy extends CopyContract {
        @Override
        protected String newStore() {
            return nextStore();
        }

        @Override
        protected String newTarget() {
            return nextStore();
        }
    }

    @Nested
    class EventCopy extends EventCopyContract {
        @Override
        protected String newStore() {
            return nextStore();
        }

        @Override
        protected String newTarget() {
            return nextStore();
        }
    }

    @Nested
    class Explain extends ExplainContract {
        @Override
        protected String newStore() {
            return nextStore();
        }

        @Override
        protected int filesAfter(int commits) {
            return commits;
        }
    }

    @Nested
    class Reconcile extends ReconcileContract {
        @Override
        protected String newStore() {
            return nextStore();
        }
    }

    @Nested
    class Refusal extends RefusalContract {
        @Override
        protected String newStore() {
            return nextStore();
        }
    }

    @Nested
    class Query extends QueryContract {
        @Override
        protected String newStore() {
            return nextStore();
        }
    }

    @Nested
    class FilterValues extends FilterValuesContract {
        @Override
        protected String newStore() {
            return nextStore();
        }
    }

    @Nested
    class Key extends KeyContract {
        @Override
        protected String newStore() {
            return nextStore();
        }
    }

    @Nested
    class Temporal extends TemporalContract {
        @Override
        protected String newStore() {
            return nextStore();
        }
    }

    @Nested
    class Paging extends PagingContract {
        @Override
        protected String newStore() {
            return nextStore();
        }
    }

    @Nested
    class Aggregate extends AggregateContract {
        @Override
        protected String newStore() {
            return nextStore();
        }
    }

    @Nested
    class Traversal extends TraversalContract {
        @Override
        protected String newStore() {
            return nextStore();
        }
    }

    @Nested
    class Group extends GroupContract {
        @Override
        protected String newStore() {
            return nextStore();
        }
    }

    @Nested
    class AggregateDifferential extends AggregateDifferentialContract {
        @Override
        protected String newStore() {
            return nextStore();
        }
    }

    @Nested
    class Reach extends ReachContract {
        @Override
        protected String newStore() {
            return nextStore();
        }
    }

    @Nested
    class CommitLog extends CommitLogContract {
        @Override
        protected String newStore() {
            return nextStore();
        }
    }

    @Nested
    class PinnedSession extends PinnedSessionContract {
        @Override
        protected String newStore() {
            return nextStore();
        }
    }

    @Nested
    class WriteLock extends WriteLockContract {
        @Override
        protected String newStore() {
            return nextStore();
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
            return nextStore();
        }
    }

    @Nested
    class Migration extends MigrationContract {
        @Override
        protected String newStore() {
            return nextStore();
        }
    }

    @Nested
    class MigrationSafety extends MigrationSafetyContract {
        @Override
        protected String newStore() {
            return nextStore();
        }
    }

    @Nested
    class SchemaDrop extends SchemaDropContract {
        @Override
        protected String newStore() {
            return nextStore();
        }
    }

    @Nested
    class CompatibleChanges extends CompatibleChangesContract {
        @Override
        protected String newStore() {
            return nextStore();
        }
    }

    @Nested
    class DeclaredSteps extends DeclaredStepsContract {
        @Override
        protected String newStore() {
            return nextStore();
        }
    }

    @Nested
    class RollingDeployment extends RollingDeploymentContract {
        @Override
        protected String newStore() {
            return nextStore();
        }
    }

    @Nested
    class UpgradedReads extends UpgradedReadsContract {
        @Override
        protected String newStore() {
            return nextStore();
        }
    }

    @Nested
    class Streams extends StreamContract {
        @Override
        protected String newStore() {
            return nextStore();
        }
    }

    @Nested
    class ReadersAndWriters extends ReadersAndWritersContract {
        @Override
        protected String newStore() {
            return nextStore();
        }
    }

    @Nested
    class TypedFilter extends TypedFilterContract {
        @Override
        protected String newStore() {
            return nextStore();
        }
    }
}
