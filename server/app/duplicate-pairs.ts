import type { Duplicates } from '../contract/app/sharing.ts';
import type { Field, FieldDescriptor, IncomingRow, Module, Values } from '../lists/definitions/model.ts';
import type { Rows } from '../lists/rows/rows.ts';
import { duplicateKey } from '../sync/compare/duplicates.ts';
import { valuesOf } from '../lists/values/value-sets.ts';
import { createConverter } from '../sync/pull/convert.ts';
import { createYielder } from '../base/yield.ts';

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
