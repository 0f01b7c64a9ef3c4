/** Rows may have 4 MiB each, so their number doesn't bound memory. */
const MAX_BATCH_BYTES = 4 * 1024 * 1024;

/** Yields the entries in batches of at most 4 MiB and `maxEntries`. A larger entry is a batch of its own. */
export function* batchByBytes<E extends { readonly bytes: number }>(
  entries: readonly E[],
  maxEntries = Infinity,
): Generator<readonly E[]> {
  for (let first = 0; first < entries.length;) {
    let [size, end] = [0, first];
    while (end < entries.length && end - first < maxEntries) {
      size += entries[end]?.bytes ?? 0;
      if (end > first && size > MAX_BATCH_BYTES) break;
      end++;
    }
    yield entries.slice(first, end);
    first = end;
  }
}

/** Yields the items in arrays of at most `size`. */
export function* batchByCount<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}
