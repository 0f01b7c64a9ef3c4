import { FORMAT_VERSION } from '../files/format.ts';
import { operationLine } from '../files/line-buffer.ts';
import { readOperation, type Operation } from './operation.ts';
import { storedValueOf } from './record-ref.ts';
import { StoreError } from '../store.ts';

/** An entry while it is migrated from one version to the next. */
export interface Migrating {
  readonly table: string;
  readonly key: string;
  /** It is undefined if the entry is deleted. */
  readonly value?: unknown;
}

/** Converts an entry of version `n` to version `n + 1`, when a partition is loaded. Must be pure. */
export type Migration = (entry: Migrating) => Migrating;

/** Migrations by source version. Each new one raises `FORMAT_VERSION`. */
export type Migrations = Readonly<Record<number, Migration>>;

/** The version was raised only so that older programs refuse the data. */
const unchanged: Migration = (entry) => entry;

/** Version 2 added conditions of shares, 3 lines with several entries, 4 the new form for our own rows. */
export const MIGRATIONS: Migrations = { 1: unchanged, 2: unchanged, 3: unchanged };

/**
 * Converts operations of format `version` to the present one. Throws StoreError `damaged` if a migration is missing,
 * TypeError if one changes what is deleted or returns what can't be stored.
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
