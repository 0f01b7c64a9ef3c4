import type { Entry, Partition, Table } from './store.ts';

/** Yields a table's entries in key order, read in pages of `limit`. */
export async function* everyEntry<T>(
  partition: Pick<Partition, 'page'>,
  table: Table<T>,
  limit = 1000,
): AsyncGenerator<Entry<T>> {
  let after: string | undefined;
  do {
    const page: Entry<T>[] = await partition.page(table, {
      limit,
      ...(after === undefined ? {} : { after }),
    });
    yield* page;
    after = page.length === limit ? page.at(-1)?.key : undefined;
  } while (after !== undefined);
}

/** Yields a table's values in key order, read in pages. */
export async function* everyValue<T>(partition: Pick<Partition, 'page'>, table: Table<T>): AsyncGenerator<T> {
  for await (const { value } of everyEntry(partition, table)) yield value;
}
