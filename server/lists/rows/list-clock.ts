import type { Partition, Table } from '../../store/store.ts';
import type { RowWriter } from './row-batch.ts';

/**
 * A list's own time never goes back: once a clock that stood ahead was put right, it stands where that had been until the
 * clock is there again, and what is written meanwhile has times that say nothing of its age. So a line is drawn in it now
 * and then ({@link RowWriter.advanceClock}), and beside that stands how much time had been seen to pass by then. Key: the line.
 */
const FENCES: Table<number> = { name: 'own-time' };

const EVERY_MS = 7 * 24 * 3_600_000;
const MAX_ENTRIES = 10_000;

/** What is older than it is to be kept. */
export interface Age {
  /** What was written before this, in milliseconds since the epoch. */
  readonly before: number;
  /** And before so much time was seen to pass, in milliseconds: `SlewedClock.seen`, which no clock changes. */
  readonly seenBefore: number;
}

/** To be called every day or so. @param seen as of now */
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

/** In the list's own time, in milliseconds: what was written before it is as old as that. */
export async function listTimeOf(partition: Partition, { before, seenBefore }: Age): Promise<number> {
  const lines = await partition.page(FENCES, { limit: MAX_ENTRIES });
  const line = lines.findLast(({ value }) => value <= seenBefore);
  return line ? Math.max(before, Date.parse(line.key)) : before;
}
