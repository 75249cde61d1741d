/** The client of a nameservice that another process serves over HTTP. */
@NullMarked
package io.ontologia.nameservice.internal.http;

import org.jspecify.annotations.NullMarked;
