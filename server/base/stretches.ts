/**
 * Bytes, as they are stored, that are read and worked on at a time: they take a few times as much then. Rows may be of 4 MiB
 * each, so that no number of rows is a bound.
 */
const STRETCH_BYTES = 4 * 1024 * 1024;

/** The same, in their order, as many at a time as that is; one in any case. @param most and no more than so many */
export function* inStretches<E extends { readonly bytes: number }>(
  entries: readonly E[],
  most = Infinity,
): Generator<readonly E[]> {
  for (let first = 0; first < entries.length;) {
    let [size, end] = [0, first];
    while (end < entries.length && end - first < most) {
      size += entries[end]?.bytes ?? 0;
      if (end > first && size > STRETCH_BYTES) break;
      end++;
    }
    yield entries.slice(first, end);
    first = end;
  }
}
