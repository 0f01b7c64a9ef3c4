import type { Partition, Table } from '../../store/store.ts';
import type { RowWriter } from './row-batch.ts';

/**
 * Fences in list time with elapsed times: list time stops while the system clock is behind, so it doesn't
 * tell a write's age. Key: the fence.
 */
const FENCES: Table<number> = { name: 'own-time' };

const EVERY_MS = 7 * 24 * 3_600_000;
const MAX_ENTRIES = 10_000;

export interface Age {
  /** Earlier writes qualify, in ms since the epoch. */
  readonly before: number;
  /** Earlier elapsed times qualify, in ms (`SlewedClock.elapsed`); independent of the system clock. */
  readonly seenBefore: number;
}

/**
 * Writes a clock record with the elapsed time, to tell the age of writes later, unless the logical clock isn't ahead of
 * the system clock or the last record is less than a week old.
 * @param elapsedMs from `SlewedClock.elapsed`
 */
export async function recordListClock(
  { partition, writer }: { readonly partition: Partition; readonly writer: RowWriter },
  elapsedMs: number,
): Promise<void> {
  if (!(await writer.isAhead())) return;
  const [last] = await partition.page(FENCES, { limit: 1, reverse: true });
  if (last && elapsedMs - last.value < EVERY_MS) return;
  const line = await writer.advanceClock();
  await partition.transaction((tx) => tx.put(FENCES, line, elapsedMs));
}

/**
 * Returns a retention limit in the list's logical time, in ms: the later of `before` and the last fence (see
 * `recordListClock`) up to `seenBefore`.
 */
export async function toListTime(partition: Partition, { before, seenBefore }: Age): Promise<number> {
  const lines = await partition.page(FENCES, { limit: MAX_ENTRIES });
  const line = lines.findLast(({ value }) => value <= seenBefore);
  return line ? Math.max(before, Date.parse(line.key)) : before;
}
