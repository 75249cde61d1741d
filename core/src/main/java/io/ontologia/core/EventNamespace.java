package io.ontologia.core;

/** A namespace of the event bus, and how much is in it. */
public record EventNamespace(String name, long events, long sessions, long deadLetters) {}
