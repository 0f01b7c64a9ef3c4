import { z } from 'zod';
import type { PartitionState } from '../../engine/partition-state.ts';
import { entryOf } from '../../engine/slot.ts';
import type { Partition, Table, Tx } from '../../store.ts';

/** How far what was taken back is noted: in which file, each of which has a random name, and up to which note of it. */
export const reachSchema = z.object({ book: z.string(), no: z.int().nonnegative() });
export type Reach = z.infer<typeof reachSchema>;

/** The same, as it is noted beside the parts of a store: whether all of that came out of a backup and was not seen to yet. */
export const notedSchema = reachSchema.extend({ restored: z.literal(true).exactOptional() });
export type Noted = z.infer<typeof notedSchema>;

/** There may have been notes of which nothing is known any more: no file and no data is as new as this. */
export const UNKNOWN_REACH: Reach = { book: '', no: 0 };

/** Beside what the notes are about, written with it: data that went back says by this how far. */
const REACH: Table<Reach> = { name: 'withdrawn-reach' };
const KEY = 'withdrawn-reach';

export const putReach = (tx: Tx, reach: Reach): void => {
  tx.put(REACH, KEY, reach);
};

export const reachOf = (system: Pick<Partition, 'get'>): Promise<Reach | undefined> => system.get(REACH, KEY);

/** That of a partition `system` that is not in use. */
export function reachIn(system: PartitionState): Reach | undefined {
  const slot = system.table(REACH.name).byKey.get(KEY);
  return slot && reachSchema.safeParse(entryOf<unknown>(slot).value).data;
}
