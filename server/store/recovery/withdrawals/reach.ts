import { z } from 'zod';
import type { PartitionState } from '../../engine/partition-state.ts';
import { entryOf } from '../../engine/slot.ts';
import type { Partition, Table, Tx } from '../../store.ts';

/** A position in the revocation log: the file, which has a random name, and the number of its note. */
export const reachSchema = z.object({ book: z.string(), no: z.int().nonnegative() });
export type Reach = z.infer<typeof reachSchema>;

/** The same as noted beside the store's parts: whether all of it came from a backup that was not handled yet. */
export const notedSchema = reachSchema.extend({ restored: z.literal(true).exactOptional() });
export type Noted = z.infer<typeof notedSchema>;

/** Notes may have existed that nobody knows: no file and no data is as new as this. */
export const UNKNOWN_REACH: Reach = { book: '', no: 0 };

/** Written in one transaction with the data it concerns, so that data that went back shows how far. */
const REACH: Table<Reach> = { name: 'withdrawn-reach' };
const KEY = 'withdrawn-reach';

export const putReach = (tx: Tx, reach: Reach): void => {
  tx.put(REACH, KEY, reach);
};

export const reachOf = (system: Pick<Partition, 'get'>): Promise<Reach | undefined> => system.get(REACH, KEY);

/** Reads it from a partition `system` that is not open. */
export function reachIn(system: PartitionState): Reach | undefined {
  const slot = system.table(REACH.name).byKey.get(KEY);
  return slot && reachSchema.safeParse(entryOf<unknown>(slot).value).data;
}
