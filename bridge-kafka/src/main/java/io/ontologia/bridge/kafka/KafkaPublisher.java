package io.ontologia.bridge.kafka;

import io.ontologia.core.Bridge;
import io.ontologia.core.Change;
import io.ontologia.core.ChangePublisher;
import io.ontologia.core.CommitInfo;
import io.ontologia.core.CommittedChanges;
import io.ontologia.core.Identity;
import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.UtcTimestamp;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/**
 * Publishes to one topic, for a {@link Bridge}: one message for each change, a JSON object. All messages of a store have the
 * store's name as their key, so they are in one partition and in the order of the commits; a commit's changes follow each
 * other. The header {@code commit_id} tells who has seen a message before.
 *
 * <pre>{@code
 * try (var publisher = new KafkaPublisher(Map.of("bootstrap.servers", "…"), "changes", "shop");
 *         var bridge = Bridge.of(session, "kafka", EventOptions.defaults(), publisher).start(failure -> …)) { … }
 * }</pre>
 */
public final class KafkaPublisher implements ChangePublisher, AutoCloseable {
    private final Producer<String, String> producer;
    private final String topic;
    private final String store;

    /**
     * Connects when it publishes for the first time.
     *
     * @param configuration of Kafka's producer; acknowledgement by all replicas and idempotence, which keep the order, cannot
     *     be switched off
     * @param store the key of all messages; another one for each store that shares the topic
     */
    public KafkaPublisher(Map<String, ?> configuration, String topic, String store) {
        Map<String, Object> settings = new HashMap<>(configuration);
        settings.put(ProducerConfig.ACKS_CONFIG, "all");
        settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        this.producer = new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
        this.topic = topic;
        this.store = store;
    }

    @Override
    public void publish(List<CommittedChanges> commits) {
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        try {
            for (CommittedChanges commit : commits) {
                for (Change change : commit.changes()) {
                    sent.add(producer.send(message(commit.commit(), change)));
                }
            }
            producer.flush();
            for (Future<RecordMetadata> one : sent) {
                one.get();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failed(e);
        } catch (ExecutionException | KafkaException e) {
            throw failed(e);
        }
    }

    private ProducerRecord<String, String> message(CommitInfo commit, Change change) {
        Map<String, @Nullable Object> value = new LinkedHashMap<>();
        value.put("commit_id", commit.id());
        value.put("committed_at", UtcTimestamp.format(commit.at()));
        value.put("metadata", commit.metadata());
        value.put("kind", change.type().kind().name().toLowerCase(Locale.ROOT));
        value.put("type", change.type().name());
        if (change.identity() instanceof Identity.OfRelation relation) {
            value.put("left_key", relation.leftKey());
            value.put("right_key", relation.rightKey());
            value.put("instance_key", relation.instanceKey());
        } else {
            value.put("key", change.identity().toString());
        }
        value.put("operation", change.operation().wireName());
        value.put("before", change.before().orElse(null));
        value.put("after", change.after());
        ProducerRecord<String, String> message = new ProducerRecord<>(topic, store, CanonicalJson.write(value));
        message.headers().add("commit_id", Long.toString(commit.id()).getBytes(StandardCharsets.UTF_8));
        return message;
    }

    private OntologiaException failed(Exception cause) {
        Throwable reason = cause instanceof ExecutionException && cause.getCause() != null ? cause.getCause() : cause;
        return new OntologiaException(
                ErrorKind.UNAVAILABLE,
                "cannot publish to topic '" + topic + "'",
                reason.getClass().getSimpleName() + ": " + reason.getMessage(),
                "check the broker; the bridge hands the same commits over again",
                cause);
    }

    /** Lets go of the connection. Close the bridge first. */
    @Override
    public void close() {
        producer.close();
    }
}
