/** What every command works with: the invocation, the global options, exit codes and the report of errors. */
@NullMarked
package io.ontologia.cli.internal;

import org.jspecify.annotations.NullMarked;
