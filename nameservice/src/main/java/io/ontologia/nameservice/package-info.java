/**
 * Where things are: one record for each ledger or graph source, with four concerns (head, index, status, config) that move
 * independently, each by a compare-and-set on its watermark and payload. {@link io.ontologia.nameservice.Nameservice} is the
 * contract; {@link io.ontologia.nameservice.Nameservices} opens one by URI.
 */
@NullMarked
package io.ontologia.nameservice;

import org.jspecify.annotations.NullMarked;
