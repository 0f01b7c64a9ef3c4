/** Yields the source's items, requesting the next one ahead. Ends the source if the reader stops early. */
export async function* prefetch<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]();
  let coming = iterator.next();
  try {
    for (;;) {
      const item = await coming;
      if (item.done === true) return;
      coming = iterator.next();
      // The reader gets the failure later; this prevents an unhandled rejection.
      coming.catch(() => undefined);
      yield item.value;
    }
  } finally {
    await iterator.return?.(undefined).catch(() => undefined);
  }
}
