/** The object store on S3 and on servers that speak its protocol. */
@NullMarked
package io.ontologia.objectstore.internal.s3;

import org.jspecify.annotations.NullMarked;
