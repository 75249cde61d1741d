package io.ontologia.objectstore;

/**
 * What a cache did so far.
 *
 * @param hits objects that were opened without a download of their own
 * @param misses objects that were downloaded, or would have been had they existed
 * @param bytes what the folder holds now, whoever put it there
 * @param evictions objects that this cache removed to make room
 */
public record CacheStats(long hits, long misses, long bytes, long evictions) {}
