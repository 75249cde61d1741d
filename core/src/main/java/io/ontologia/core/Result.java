package io.ontologia.core;

/**
 * What a query found, with what the store knows about it.
 *
 * @param value the entity or relation
 * @param commitId the commit that wrote this version
 */
public record Result<T>(T value, Identity identity, long commitId) {}
