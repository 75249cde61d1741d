/** What people and programs see: tables, JSON, colour and progress. */
@NullMarked
package io.ontologia.cli.internal.output;

import org.jspecify.annotations.NullMarked;
