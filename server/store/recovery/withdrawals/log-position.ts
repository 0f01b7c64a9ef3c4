import { z } from 'zod';
import type { PartitionState } from '../../engine/partition-state.ts';
import { entryOf } from '../../engine/record-ref.ts';
import type { Partition, Table, Tx } from '../../store.ts';

/** Random log name and note number. */
export const logPositionSchema = z.object({ book: z.string(), no: z.int().nonnegative() });
export type LogPosition = z.infer<typeof logPositionSchema>;

/** `restored`: from a backup not handled yet. */
export const notedSchema = logPositionSchema.extend({ restored: z.literal(true).exactOptional() });
export type Noted = z.infer<typeof notedSchema>;

/** Unknown notes may have existed: nothing is as new as this. */
export const UNKNOWN_POSITION: LogPosition = { book: '', no: 0 };

/** Written in its data's transaction, to show how far data went back. */
const POSITIONS: Table<LogPosition> = { name: 'withdrawn-reach' };
const ENTRY_KEY = 'withdrawn-reach';

/** Stores the log's position in the transaction. */
export const putPosition = (tx: Tx, reach: LogPosition): void => {
  tx.put(POSITIONS, ENTRY_KEY, reach);
};

export const readPosition = (system: Pick<Partition, 'get'>): Promise<LogPosition | undefined> =>
  system.get(POSITIONS, ENTRY_KEY);

/** Returns the revocation log's position, if any, in an unopened partition `system`. */
export function storedPosition(system: PartitionState): LogPosition | undefined {
  const slot = system.table(POSITIONS.name).byKey.get(ENTRY_KEY);
  return slot && logPositionSchema.safeParse(entryOf<unknown>(slot).value).data;
}
