/** Feeds the commits of a store to Kafka. */
@NullMarked
package io.ontologia.bridge.kafka;

import org.jspecify.annotations.NullMarked;
