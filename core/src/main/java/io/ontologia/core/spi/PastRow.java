package io.ontologia.core.spi;

import io.ontologia.core.TypeRef;

/** A version of a row, whatever its type. */
public record PastRow(TypeRef type, StoredRow row) {}
