/** {@code onto init}, {@code onto info}, {@code onto fsck}, {@code onto lock}: a store as a whole. */
@NullMarked
package io.ontologia.cli.internal.admin;

import org.jspecify.annotations.NullMarked;
