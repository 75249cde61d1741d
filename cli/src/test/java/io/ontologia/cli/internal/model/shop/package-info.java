/** Records that stand for a user's own model. */
@NullMarked
package io.ontologia.cli.internal.model.shop;

import org.jspecify.annotations.NullMarked;
