/** What the S3 store sends over the wire, and what it makes of the answers. */
@NullMarked
package io.ontologia.objectstore.internal.s3;

import org.jspecify.annotations.NullMarked;
