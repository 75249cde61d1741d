/** {@code onto commits} and {@code onto diff}: what happened, commit by commit. */
@NullMarked
package io.ontologia.cli.internal.commit;

import org.jspecify.annotations.NullMarked;
