package io.ontologia.bridge.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.Bridge;
import io.ontologia.core.Entity;
import io.ontologia.core.EventOptions;
import io.ontologia.core.Key;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Session;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.JsonObject;
import io.ontologia.kernel.OntologiaException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.test.KafkaClusterTestKit;
import org.apache.kafka.common.test.TestKitNodes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A bridge to a real broker of one node. */
@Timeout(180)
class KafkaPublisherIT {
    private static final int PARTITIONS = 3;

    private static KafkaClusterTestKit broker;

    record Customer(@Key String id, String name) implements Entity {}

    @TempDir
    Path folder;

    @BeforeAll
    static void start() throws Exception {
        broker = new KafkaClusterTestKit.Builder(new TestKitNodes.Builder()
                        .setCombined(true)
                        .setNumControllerNodes(1)
                        .setNumBrokerNodes(1)
                        .build())
                .setConfigProp("offsets.topic.replication.factor", "1")
                .build();
        broker.format();
        broker.startup();
        broker.waitForReadyBrokers();
    }

    @AfterAll
    static void stop() throws Exception {
        broker.close();
    }

    private static Map<String, Object> servers() {
        return Map.of("bootstrap.servers", broker.bootstrapServers());
    }

    private static void create(String topic) throws Exception {
        try (Admin admin = Admin.create(servers())) {
            admin.createTopics(List.of(new NewTopic(topic, PARTITIONS, (short) 1)))
                    .all()
                    .get(1, TimeUnit.MINUTES);
        }
    }

    private static List<ConsumerRecord<String, String>> read(String topic, int count) {
        List<ConsumerRecord<String, String>> messages = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(servers(), new StringDeserializer(), new StringDeserializer())) {
            List<TopicPartition> partitions = new ArrayList<>();
            for (int i = 0; i < PARTITIONS; i++) {
                partitions.add(new TopicPartition(topic, i));
            }
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            while (messages.size() < count) {
                consumer.poll(Duration.ofSeconds(1)).forEach(messages::add);
            }
        }
        return messages;
    }

    private Session open() {
        return Ontologia.open("sqlite:///" + folder.resolve("onto.db"), Customer.class);
    }

    private static void commit(Session session, int from, int to) {
        for (int i = from; i <= to; i++) {
            session.ensure(new Customer("a", "version " + i), new Customer("b", "version " + i));
            session.commit(Map.of("number", i));
        }
    }

    @Test
    void changes_arrive_in_the_order_of_the_commits_and_a_new_run_goes_on() throws Exception {
        create("changes");
        try (Session session = open();
                KafkaPublisher publisher = new KafkaPublisher(servers(), "changes", "shop")) {
            commit(session, 1, 150);
            try (Bridge bridge = Bridge.of(session, "kafka", EventOptions.defaults(), publisher)) {
                bridge.step();
            }
            commit(session, 151, 160);
            try (Bridge bridge = Bridge.of(session, "kafka", EventOptions.defaults(), publisher)) {
                bridge.step();
            }
        }

        List<ConsumerRecord<String, String>> messages = read("changes", 320);

        assertThat(messages)
                .hasSize(320)
                .allSatisfy(message -> assertThat(message.key()).isEqualTo("shop"));
        assertThat(messages)
                .extracting(ConsumerRecord::partition)
                .containsOnly(messages.get(0).partition());
        for (int i = 0; i < messages.size(); i++) {
            Map<String, ?> value =
                    JsonObject.parse("message", messages.get(i).value()).fields();
            assertThat(value.get("commit_id")).hasToString(String.valueOf(i / 2 + 1));
            assertThat(value.get("key")).isEqualTo(i % 2 == 0 ? "a" : "b");
            assertThat(value.get("operation")).isEqualTo(i < 2 ? "insert" : "update_version");
            assertThat(value.get("after"))
                    .isEqualTo(Map.of("id", i % 2 == 0 ? "a" : "b", "name", "version " + (i / 2 + 1)));
        }
    }

    @Test
    void a_started_bridge_publishes_by_itself() throws Exception {
        create("live");
        CountDownLatch failures = new CountDownLatch(1);
        try (Session session = open();
                KafkaPublisher publisher = new KafkaPublisher(servers(), "live", "shop");
                Bridge bridge = Bridge.of(
                                session, "live", EventOptions.of(Map.of("event_poll_interval_ms", "50")), publisher)
                        .start(failure -> failures.countDown())) {
            commit(session, 1, 3);

            assertThat(read("live", 6)).hasSize(6);
            assertThat(bridge).isNotNull();
            assertThat(failures.getCount()).isEqualTo(1);
        }
    }

    @Test
    void what_the_broker_does_not_take_is_an_error_and_stays_to_be_published() throws Exception {
        Map<String, Object> impatient = Map.of(
                "bootstrap.servers",
                broker.bootstrapServers(),
                "max.block.ms",
                "300",
                "delivery.timeout.ms",
                "400",
                "request.timeout.ms",
                "300",
                "linger.ms",
                "0");
        try (Session session = open();
                KafkaPublisher nowhere = new KafkaPublisher(impatient, "not a topic", "shop")) {
            commit(session, 1, 2);
            try (Bridge bridge = Bridge.of(session, "kafka", EventOptions.defaults(), nowhere)) {
                assertThatThrownBy(bridge::step)
                        .isInstanceOfSatisfying(
                                OntologiaException.class,
                                e -> assertThat(e.kind()).isEqualTo(ErrorKind.UNAVAILABLE));
            }
            create("later");
            try (KafkaPublisher publisher = new KafkaPublisher(servers(), "later", "shop");
                    Bridge bridge = Bridge.of(session, "kafka", EventOptions.defaults(), publisher)) {
                bridge.step();
            }
        }

        assertThat(read("later", 4)).hasSize(4);
    }
}
