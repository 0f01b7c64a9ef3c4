import { FORMAT_VERSION } from '../files/format.ts';
import { operationLine } from '../files/line-buffer.ts';
import { readOperation, type Operation } from './operation.ts';
import { storedIn } from './slot.ts';
import { StoreError } from '../store.ts';

/** One entry on its way from a version of the data to the next one. */
export interface Migrating {
  readonly table: string;
  readonly key: string;
  /** Undefined where the entry is deleted: then only table and key count. */
  readonly value?: unknown;
}

/**
 * Turns an entry as version `n` wrote it into what version `n + 1` would have written. Must be pure. Runs
 * when a partition is loaded; the files of the old version stay until the new ones have proven themselves.
 */
export type Migration = (entry: Migrating) => Migrating;

/** By the version that they start from. Raise `FORMAT_VERSION` with every one that is added. */
export type Migrations = Readonly<Record<number, Migration>>;

/** Every entry is as it was: the version was raised so that programs of before open no such data. */
const unchanged: Migration = (entry) => entry;

/**
 * All there are; version 1 is the first. Since version 2 a share may give some of a list's rows only (docs/conditions.md):
 * a program that knows of no condition would give all of them.
 */
export const MIGRATIONS: Migrations = { 1: unchanged };

/** Operations from a file of `version`, as this version writes them. Throws StoreError when there is no way. */
export function upgrade(
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
      : { table, key: slot.key, value: storedIn(slot) };
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
