package io.ontologia.core;

/** An event in a listing. */
public record ListedEvent(Event event, EventStatus status) {}
