package io.ontologia.core.spi;

import io.ontologia.core.Identity;
import io.ontologia.core.TypeRef;

/**
 * What should be true of one row.
 *
 * @param fieldsJson the payload as canonical JSON
 */
public record DesiredRow(TypeRef type, Identity identity, String fieldsJson) {}
