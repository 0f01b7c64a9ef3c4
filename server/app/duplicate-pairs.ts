import type { Duplicates } from '../contract/app/sharing.ts';
import type { Field, FieldDescriptor, IncomingRow, Module, Values } from '../lists/definitions/model.ts';
import type { Rows } from '../lists/rows/rows.ts';
import { duplicateKey } from '../sync/compare/duplicates.ts';
import { valuesOf } from '../lists/values/value-sets.ts';
import { createConverter } from '../sync/pull/convert.ts';
import { createYielder } from '../base/yield.ts';
import type { Federation } from '../federation/federation.ts';
import { NO_DUPLICATES, type DuplicateRows } from '../sync/compare/duplicate-rows.ts';
import type { Sync } from '../sync/sync.ts';

/** A column of theirs and the one of ours to fill. */
export interface DuplicatePair {
  readonly origin: FieldDescriptor;
  readonly destination: Field;
}

/** Returns matched columns that both sides have, without references, whose titles aren't known yet. */
export function pairComparableColumns(
  offered: { readonly fields: readonly FieldDescriptor[] },
  { fields }: Pick<Module, 'fields'>,
  matches: readonly { readonly origin: string; readonly destination: string }[],
): DuplicatePair[] {
  return matches.flatMap((match) => {
    const origin = offered.fields.find(({ name }) => name === match.origin);
    const destination = fields.find(({ name }) => name === match.destination);
    return origin && destination && origin.kind !== 'Record' ? [{ origin, destination }] : [];
  });
}

/**
 * Counts, before an offer is received, rows already in the list by their origin, and others equal to a row of ours in
 * all paired columns.
 */
export async function countReceivedDuplicates(
  rows: Pick<Rows, 'scan' | 'findUnknown'>,
  pairs: readonly DuplicatePair[],
  theirs: readonly IncomingRow[],
  nodeID: string,
): Promise<Duplicates> {
  const unknown = await rows.findUnknown(nodeID, theirs);
  const columns = pairs.map(({ destination }) => destination.name);
  const looked = new Map<string, number>();
  for (const values of unknown.flatMap(createRowConverter(pairs))) {
    const name = duplicateKey({ values }, columns);
    if (name !== undefined) looked.set(name, (looked.get(name) ?? 0) + 1);
  }
  let twice = 0;
  const pause = createYielder();
  for await (const batch of rows.scan()) {
    for (const row of batch) {
      if (looked.size === 0) break;
      const name = duplicateKey(row, columns);
      if (name !== undefined) {
        twice += looked.get(name) ?? 0;
        looked.delete(name);
      }
      await pause();
    }
  }
  const compared = pairs.map(({ destination: { label, name } }) => label || name);
  return { looked: theirs.length, recognised: theirs.length - unknown.length, twice, compared };
}

/**
 * Creates a function that converts a partner's row to our columns, in an array of one; [] if a value doesn't convert.
 */
function createRowConverter(pairs: readonly DuplicatePair[]): (record: IncomingRow) => Values[] {
  const converters = pairs.map(({ origin, destination }) => ({
    from: origin.name,
    into: destination.name,
    convert: createConverter(origin, destination),
  }));
  return ({ values }) => {
    const received: Record<string, readonly string[]> = {};
    for (const { from, into, convert } of converters) {
      const converted = convert(valuesOf(values, from));
      if (!('values' in converted)) return [];
      received[into] = converted.values;
    }
    return [received];
  };
}

/**
 * Returns rows that our list had with the same ones an offer brought; none unless the offer is mapped to it. Stores
 * how many pairs are left.
 */
export async function findDuplicateRows(
  { federation, sync }: { readonly federation: Federation; readonly sync: Pick<Sync, 'findDuplicateRows'> },
  moduleID: string,
  sharedModuleID: string,
): Promise<DuplicateRows> {
  for (const { nodeID } of await federation.nodes.list()) {
    const matched = (await federation.mappings.list(nodeID)).some(
      (mapping) => mapping.federationModuleID === sharedModuleID && mapping.composeModuleID === moduleID,
    );
    if (matched) return sync.findDuplicateRows(nodeID, sharedModuleID, moduleID);
  }
  return NO_DUPLICATES;
}

/** Stores, for each offer mapped to our list, how many duplicate pairs are left, as the inbox shows. */
export async function recountDuplicates(
  deps: { readonly federation: Federation; readonly sync: Pick<Sync, 'findDuplicateRows'> },
  moduleID: string,
): Promise<void> {
  const { federation, sync } = deps;
  for (const { nodeID } of await federation.nodes.list())
    for (const mapping of await federation.mappings.list(nodeID))
      if (mapping.composeModuleID === moduleID)
        await sync.findDuplicateRows(nodeID, mapping.federationModuleID, moduleID);
}
