import { FORMAT_VERSION } from '../files/format.ts';
import { operationLine } from '../files/line-buffer.ts';
import { readOperation, type Operation } from './operation.ts';
import { storedValueOf } from './record-ref.ts';
import { StoreError } from '../store.ts';

export interface Migrating {
  readonly table: string;
  readonly key: string;
  /** Undefined: deleted. */
  readonly value?: unknown;
}

/** Converts a loaded entry from version `n` to `n + 1`. Must be pure. */
export type Migration = (entry: Migrating) => Migrating;

/** By source version. Each new one raises `FORMAT_VERSION`. */
export type Migrations = Readonly<Record<number, Migration>>;

/** For versions raised only so that older programs refuse the data. */
const unchanged: Migration = (entry) => entry;

/** Version 2: share conditions, 3: multi-entry lines, 4: new form of our own rows. */
export const MIGRATIONS: Migrations = { 1: unchanged, 2: unchanged, 3: unchanged };

/**
 * Converts operations of format `version`. Throws StoreError `damaged` if a migration is missing, TypeError if one
 * changes what is deleted or returns what can't be stored.
 */
export function migrateOperations(
  operations: readonly Operation[],
  version: number,
  migrations: Migrations,
): readonly Operation[] {
  const steps = Array.from({ length: FORMAT_VERSION - version }, (_, at) => migrations[version + at]);
  if (steps.every((step) => step === unchanged)) return operations;
  return operations.map((operation) => {
    const { table, deletes, slot } = operation;
    let entry: Migrating = deletes
      ? { table, key: slot.key }
      : { table, key: slot.key, value: storedValueOf(slot) };
    for (let from = version; from < FORMAT_VERSION; from++) {
      const migrate = migrations[from];
      if (!migrate) {
        throw new StoreError(
          'damaged',
          `The data folder is of version ${from}, which this Footbridge cannot read. Nothing was changed.`,
        );
      }
      entry = migrate(entry);
    }
    const json = entry.value === undefined ? undefined : JSON.stringify(entry.value);
    const line = Buffer.from(`${operationLine(slot.seq, entry.table, entry.key, json)}\n`);
    const made = readOperation(line, 0, line.length - 1);
    if (made?.deletes !== deletes)
      throw new TypeError(`A migration of table ${entry.table} gave something that cannot be stored.`);
    return made;
  });
}
