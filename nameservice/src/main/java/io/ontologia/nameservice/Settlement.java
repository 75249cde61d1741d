package io.ontologia.nameservice;

/** What happens to a record that went different ways here and upstream. */
public enum Settlement {
    /** It is reported, and nothing is changed. */
    REPORT,
    /** What is here counts: a push replaces what is upstream; a pull leaves what is here, so that the next push brings it upstream. */
    OURS,
    /** What is upstream counts: a pull replaces what is here; a push leaves what is upstream, so that the next pull brings it here. */
    THEIRS
}
