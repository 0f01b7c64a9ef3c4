import type { Partition, Table } from '../../store/store.ts';
import type { RowWriter } from './row-batch.ts';

/**
 * The list's logical clock never goes back: after a fast system clock was corrected it stops until the
 * clock catches up, and times of writes meanwhile don't tell their age. So a fence is written now and then
 * ({@link RowWriter.advanceClock}) with the time elapsed by then. Key: the fence.
 */
const FENCES: Table<number> = { name: 'own-time' };

const EVERY_MS = 7 * 24 * 3_600_000;
const MAX_ENTRIES = 10_000;

/** Retention limits. */
export interface Age {
  /** Written before this, in milliseconds since the epoch. */
  readonly before: number;
  /** And before this elapsed time, in milliseconds (`SlewedClock.elapsed`), which no system clock changes. */
  readonly seenBefore: number;
}

/**
 * Writes a fence with the elapsed time if the logical clock is ahead and the last fence is a week old. Call it
 * about once a day.
 * @param seen elapsed time as of now, in milliseconds
 */
export async function recordListClock(
  { partition, writer }: { readonly partition: Partition; readonly writer: RowWriter },
  seen: number,
): Promise<void> {
  if (!(await writer.isAhead())) return;
  const [last] = await partition.page(FENCES, { limit: 1, reverse: true });
  if (last && seen - last.value < EVERY_MS) return;
  const line = await writer.advanceClock();
  await partition.transaction((tx) => tx.put(FENCES, line, seen));
}

/** Returns a retention limit in the list's logical time, in milliseconds: writes before it are old enough. */
export async function listTimeOf(partition: Partition, { before, seenBefore }: Age): Promise<number> {
  const lines = await partition.page(FENCES, { limit: MAX_ENTRIES });
  const line = lines.findLast(({ value }) => value <= seenBefore);
  return line ? Math.max(before, Date.parse(line.key)) : before;
}
