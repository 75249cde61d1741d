/** Where settings come from: flags, the environment and the configuration file, in that order. */
@NullMarked
package io.ontologia.cli.internal.config;

import org.jspecify.annotations.NullMarked;
