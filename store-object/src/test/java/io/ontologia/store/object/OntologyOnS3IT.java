package io.ontologia.store.object;

import io.ontologia.testkit.AggregateContract;
import io.ontologia.testkit.CommitLogContract;
import io.ontologia.testkit.CompatibleChangesContract;
import io.ontologia.testkit.DeclaredStepsContract;
import io.ontologia.testkit.DigestContract;
import io.ontologia.testkit.ErasureContract;
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
import io.ontologia.testkit.S3Server;
import io.ontologia.testkit.SchemaDropContract;
import io.ontologia.testkit.SessionContract;
import io.ontologia.testkit.SessionEndContract;
import io.ontologia.testkit.StreamContract;
import io.ontologia.testkit.TemporalContract;
import io.ontologia.testkit.TraversalContract;
import io.ontologia.testkit.TypedFilterContract;
import io.ontologia.testkit.UpgradedReadsContract;
import io.ontologia.testkit.WriteLockContract;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** Every contract of a storage backend, on S3. */
class OntologyOnS3IT {
    private static S3Server server;

    private static final AtomicInteger STORES = new AtomicInteger();

    @BeforeAll
    static void start() {
        server = S3Server.start();
        server.createBucket("contracts");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String nextStore() {
        return "s3://contracts/store-" + STORES.incrementAndGet();
    }

    private static Map<String, String> reachServer() {
        return Map.of("s3_endpoint_url", server.endpoint().toString(), "s3_region", "us-east-1");
    }

    @Nested
    class Digest extends DigestContract {
        @Override
        protected String newStore() {
            return nextStore();
        }

        @Override
        protected Map<String, String> settings() {
            return reachServer();
        }
    }

    @Nested
    class Retraction extends RetractionContract {
        @Override
        protected String newStore() {
            return nextStore();
        }

        @Override
        protected Map<String, String> settings() {
            return reachServer();
        }
    }

    @Nested
    class Session extends SessionContract {
        @Override
        protected String newStore() {
            return nextStore();
        }

        @Override
        protected Map<String, String> settings() {
            return reachServer();
        }
    }

    @Nested
    class SessionEnd extends SessionEndContract {
        @Override
        protected String newStore() {
            return nextStore();
        }

        @Override
        protected Map<String, String> settings() {
            return reachServer();
        }
    }

    @Nested
    class Reconcile extends ReconcileContract {
        @Override
        protected String newStore() {
            return nextStore();
        }

        @Override
        protected Map<String, String> settings() {
            return reachServer();
        }
    }

    @Nested
    class Refusal extends RefusalContract {
        @Override
        protected String newStore() {
            return nextStore();
        }

        @Override
        protected Map<String, String> settings() {
            return reachServer();
        }
    }

    @Nested
    class Query extends QueryContract {
        @Override
        protected String newStore() {
            return nextStore();
        }

        @Override
        protected Map<String, String> settings() {
            return reachServer();
        }
    }

    @Nested
    class Key extends KeyContract {
        @Override
        protected String newStore() {
            return nextStore();
        }

        @Override
        protected Map<String, String> settings() {
            return reachServer();
        }
    }

    @Nested
    class Temporal extends TemporalContract {
        @Override
        protected String newStore() {
            return nextStore();
        }

        @Override
        protected Map<String, String> settings() {
            return reachServer();
        }
    }

    @Nested
    class Paging extends PagingContract {
        @Override
        protected String newStore() {
            return nextStore();
        }

        @Override
        protected Map<String, String> settings() {
            return reachServer();
        }
    }

    @Nested
    class Aggregate extends AggregateContract {
        @Override
        protected String newStore() {
            return nextStore();
        }

        @Override
        protected Map<String, String> settings() {
            return reachServer();
        }
    }

    @Nested
    class Traversal extends TraversalContract {
        @Override
        protected String newStore() {
            return nextStore();
        }

        @Override
        protected Map<String, String> settings() {
            return reachServer();
        }
    }

    @Nested
    class Group extends GroupContract {
        @Override
        protected String newStore() {
            return nextStore();
        }

        @Override
        protected Map<String, String> settings() {
            return reachServer();
        }
    }

    @Nested
    class Reach extends ReachContract {
        @Override
        protected String newStore() {
            return nextStore();
        }

        @Override
        protected Map<String, String> settings() {
            return reachServer();
        }
    }

    @Nested
    class CommitLog extends CommitLogContract {
        @Override
        protected String newStore() {
            return nextStore();
        }

        @Override
        protected Map<String, String> settings() {
            return reachServer();
        }
    }

    @Nested
    class PinnedSession extends PinnedSessionContract {
        @Override
        protected String newStore() {
            return nextStore();
        }

        @Override
        protected Map<String, String> settings() {
            return reachServer();
        }
    }

    @Nested
    class WriteLock extends WriteLockContract {
        @Override
        protected String newStore() {
            return nextStore();
        }

        @Override
        protected Map<String, String> settings() {
            return reachServer();
        }
    }

    @Nested
    class LostLease extends LostLeaseContract {
        @Override
        protected String newStore() {
            return nextStore();
        }

        @Override
        protected Map<String, String> settings() {
            return reachServer();
        }
    }

    @Nested
    class Migration extends MigrationContract {
        @Override
        protected String newStore() {
            return nextStore();
        }

        @Override
        protected Map<String, String> settings() {
            return reachServer();
        }
    }

    @Nested
    class MigrationSafety extends MigrationSafetyContract {
        @Override
        protected String newStore() {
            return nextStore();
        }

        @Override
        protected Map<String, String> settings() {
            return reachServer();
        }
    }

    @Nested
    class Erasure extends ErasureContract {
        @Override
        protected String newStore() {
            return nextStore();
        }

        @Override
        protected Map<String, String> settings() {
            return reachServer();
        }
    }

    @Nested
    class SchemaDrop extends SchemaDropContract {
        @Override
        protected String newStore() {
            return nextStore();
        }

        @Override
        protected Map<String, String> settings() {
            return reachServer();
        }
    }

    @Nested
    class CompatibleChanges extends CompatibleChangesContract {
        @Override
        protected String newStore() {
            return nextStore();
        }

        @Override
        protected Map<String, String> settings() {
            return reachServer();
        }
    }

    @Nested
    class DeclaredSteps extends DeclaredStepsContract {
        @Override
        protected String newStore() {
            return nextStore();
        }

        @Override
        protected Map<String, String> settings() {
            return reachServer();
        }
    }

    @Nested
    class RollingDeployment extends RollingDeploymentContract {
        @Override
        protected String newStore() {
            return nextStore();
        }

        @Override
        protected Map<String, String> settings() {
            return reachServer();
        }
    }

    @Nested
    class UpgradedReads extends UpgradedReadsContract {
        @Override
        protected String newStore() {
            return nextStore();
        }

        @Override
        protected Map<String, String> settings() {
            return reachServer();
        }
    }

    @Nested
    class Streams extends StreamContract {
        @Override
        protected String newStore() {
            return nextStore();
        }

        @Override
        protected Map<String, String> settings() {
            return reachServer();
        }
    }

    @Nested
    class ReadersAndWriters extends ReadersAndWritersContract {
        @Override
        protected String newStore() {
            return nextStore();
        }

        @Override
        protected Map<String, String> settings() {
            return reachServer();
        }
    }

    @Nested
    class TypedFilter extends TypedFilterContract {
        @Override
        protected String newStore() {
            return nextStore();
        }

        @Override
        protected Map<String, String> settings() {
            return reachServer();
        }
    }
}
