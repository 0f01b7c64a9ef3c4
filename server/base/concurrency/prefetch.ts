/**
 * Asks for the next item while the one before is being used: the partner's next page travels while this one is
 * written to disk. Ends the source when the reader stops early.
 */
export async function* prefetch<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]();
  let coming = iterator.next();
  try {
    for (;;) {
      const item = await coming;
      if (item.done === true) return;
      coming = iterator.next();
      // The failure is for the reader, at its turn; until then nobody else is to hear of it.
      coming.catch(() => undefined);
      yield item.value;
    }
  } finally {
    await iterator.return?.(undefined).catch(() => undefined);
  }
}
