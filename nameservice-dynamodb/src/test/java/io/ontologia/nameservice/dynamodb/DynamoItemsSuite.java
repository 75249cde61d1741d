package io.ontologia.nameservice.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.ConcernValue;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.PushOutcome;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** A table, and a nameservice on it whose requests can be counted and made to fail. */
abstract class DynamoItemsSuite {
    static final Alias DB = Alias.parse("mydb");

    @RegisterExtension
    final LocalDynamo dynamo = new LocalDynamo();

    final FaultyDynamo network = new FaultyDynamo();
    Nameservice names;
    DynamoDbClient table;

    @BeforeEach
    final void open() {
        names = network.open(dynamo.location());
        table = dynamo.client();
    }

    @AfterEach
    final void close() {
        names.close();
        table.close();
    }

    final Map<String, AttributeValue> item(String alias) {
        return table.getItem(get -> get.tableName(dynamo.location().table())
                        .key(Map.of("pk", AttributeValue.fromS(alias)))
                        .consistentRead(true))
                .item();
    }

    final AttributeValue attribute(String name) {
        return java.util.Objects.requireNonNull(item("mydb:main").get(name));
    }

    final void push(Concern concern, ConcernValue next) {
        ConcernValue current = names.concern(DB, concern).orElseThrow();
        assertThat(names.push(DB, concern, current, next)).isEqualTo(new PushOutcome.Updated(next));
    }
}
