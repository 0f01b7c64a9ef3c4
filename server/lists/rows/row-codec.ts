import type { Provenance, Row, Values, RowSource } from '../definitions/model.ts';
import { omit } from '../../base/omit.ts';
import type { Codec } from '../../store/store.ts';
import { hasSameTexts, hasSameValues, valuesOf } from '../values/value-sets.ts';

/**
 * Stores values equal to received ones once. `same: 1`: all values were received; `received.values` (or
 * `former.values`) holds only others. `same: 2`: a {@link NewRow}.
 */
export const ROW_CODEC = { encode, decode } satisfies Codec<Row>;

interface Packed extends Row {
  readonly same?: 1;
  /** In place of `received`'s; exactly received values are omitted. */
  readonly ways?: readonly (Omit<RowSource, 'values'> & Partial<RowSource>)[];
}

/**
 * For `createNewRowsEncoder`: values as received, if at all. A text is a single value, an empty one an empty
 * column.
 */
interface NewRow extends Omit<Row, 'values' | 'received'> {
  readonly values: StoredValues;
  readonly received?: Omit<Provenance, 'values'>;
  readonly same: 2;
}
type StoredValues = Readonly<Record<string, string | readonly string[]>>;

const textsIn = (stored: string | readonly string[]): readonly string[] =>
  typeof stored === 'string' ? (stored === '' ? [] : [stored]) : stored;

/** Returns the values as lists of texts, without empty columns. */
export const filledValues = (stored: StoredValues): Values =>
  Object.fromEntries(
    Object.entries(stored).flatMap(([name, texts]) => (texts.length === 0 ? [] : [[name, textsIn(texts)]])),
  );

/** Returns the row as stored: omits received values if all equal the row's, and a source's if they equal these. */
function encode(row: Row): Packed {
  const { values, received, former } = row;
  if (former) {
    const rest = omitReceivedValues(values, former);
    return rest ? { ...row, same: 1, former: { ...former, values: rest } } : row;
  }
  if (!received) return row;
  const { ways } = received;
  const lead = ways ? omit(received, 'ways') : received;
  const packed: Packed = ways
    ? {
        ...row,
        received: lead,
        ways: ways.map((source) =>
          hasSameValues(source.values, received.values) ? omit(source, 'values') : source,
        ),
      }
    : row;
  const rest = omitReceivedValues(values, received);
  return rest ? { ...packed, same: 1, received: { ...lead, values: rest } } : packed;
}

/** Returns received values of columns that the row lacks, as the others equal the row's. Undefined if one differs. */
function omitReceivedValues(values: Values, received: Provenance): Values | undefined {
  if (values === received.values) return {};
  for (const name in values) if (!isReceived(name, values, received)) return undefined;
  const rest: Record<string, readonly string[]> = {};
  for (const name in received.values) {
    if (!Object.hasOwn(values, name)) rest[name] = valuesOf(received.values, name);
  }
  return rest;
}

/** Returns whether the column has the received value. */
function isReceived(name: string, values: Values, { values: received }: Provenance): boolean {
  return Object.hasOwn(received, name) && hasSameTexts(valuesOf(values, name), valuesOf(received, name));
}

/** Returns the row that {@link encode} stored, with the values that it omitted. */
function decode(stored: unknown): Row {
  if ((stored as { readonly same?: unknown }).same === 2) return decodeNew(stored as NewRow);
  const packed = stored as Packed;
  const { received, former, same, ways } = packed;
  if (former && same) {
    const values = { ...former.values, ...packed.values };
    return { ...omit(packed, 'same'), former: { ...former, values } };
  }
  if (!received || (!same && !ways)) return packed;
  const values = same ? { ...received.values, ...packed.values } : received.values;
  const all = ways?.map((source) => ({ ...source, values: source.values ?? values }));
  return {
    ...omit(packed, 'same', 'ways'),
    received: { ...received, values, ...(all ? { ways: all } : {}) },
  };
}

/**
 * Decodes a row stored as new. Its values lack empty columns; if a partner brought it, all values, with empty columns,
 * are its received ones too.
 */
function decodeNew(stored: NewRow): Row {
  const values: Record<string, readonly string[]> = {};
  const received: Record<string, readonly string[]> = {};
  for (const name in stored.values) {
    const texts = textsIn(stored.values[name] ?? '');
    received[name] = texts;
    if (texts.length > 0) values[name] = texts;
  }
  const { received: way } = stored;
  const row = { ...omit(stored, 'same', 'received'), values };
  return way ? { ...row, received: { ...way, values: received } } : row;
}
