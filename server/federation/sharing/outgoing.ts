import type { ListForOthers } from '../../lists/lists.ts';
import type { Field, Row, Values } from '../../lists/definitions/model.ts';
import type { ColumnTitles, TitlePins } from '../../lists/rows/pinned-titles.ts';
import { isReferring } from '../../lists/rows/references.ts';
import { lastChangeTime } from '../../lists/values/times.ts';
import { valuesOf } from '../../lists/values/value-sets.ts';

/** Repeated names are a multi-value column's values, in order. */
export interface FeedValue {
  readonly name: string;
  readonly value: string;
}

/** As one partner sees it: exposed columns, none if deleted. */
export interface FeedRow {
  readonly recordID: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly deletedAt?: string;
  readonly values: readonly FeedValue[];
}

/** Returns the values by column name, each in order. */
export function groupByColumn(values: readonly FeedValue[]): Record<string, string[]> {
  const columns: Record<string, string[]> = {};
  for (const { name, value } of values) (columns[name] ??= []).push(value);
  return columns;
}

/** Projects rows for sending: the only way from a row to a partner. */
export interface Outgoing {
  /** Returns the rows as sent, in order. */
  rows(rows: readonly Row[]): Promise<FeedRow[]>;
  /** Returns a text that changes when titles, and so the sent rows, may change. */
  version(): Promise<string>;
  /** References are sent as titles of rows. */
  readonly namesRows: boolean;
  /** Shows rows as sent, for sort and query: references as titles, deleted rows empty. */
  comparing(columns: readonly string[]): Promise<Comparing>;
}

export interface Comparing {
  /** Equal for equal texts. */
  readonly key: string;
  readonly toCompared: (row: Row) => Values;
}

/**
 * Creates the conversion of rows into what a partner gets: `rows` as sent, `comparing` as queries see them; `version`
 * changes with the titles. `fields`: shared columns as they are now; `pins`: title columns by id of the reference
 * column.
 */
export function createOutgoing(list: ListForOthers, fields: readonly Field[], pins: TitlePins): Outgoing {
  const titles = list.titles(pins);
  return {
    rows: async (rows) => {
      const texts = await titles.forRows(fields, rows);
      return rows.map((row) => feedRow(row, fields, texts));
    },
    version: () => titles.version(fields),
    namesRows: fields.some((field) => isReferring(field) && pins[field.fieldID] !== undefined),
    comparing: async (columns) => {
      const compared = fields.filter(({ kind, name }) => kind === 'Record' && columns.includes(name));
      if (compared.length === 0)
        return { key: '', toCompared: ({ deletedAt, values }) => (deletedAt ? {} : values) };
      const { titles: texts, version } = await titles.all(compared);
      return {
        key: version,
        toCompared: ({ deletedAt, values }) => {
          const seen = compared.map((field) => [field.name, sentTexts(values, field, texts)] as const);
          return deletedAt ? {} : { ...values, ...Object.fromEntries(seen) };
        },
      };
    },
  };
}

/** Returns a row as sent; a deleted one has no values. */
function feedRow(row: Row, fields: readonly Field[], titles: ColumnTitles): FeedRow {
  const { recordID, createdAt, deletedAt } = row;
  const updatedAt = lastChangeTime(row);
  if (deletedAt !== undefined) return { recordID, createdAt, updatedAt, deletedAt, values: [] };
  const values: FeedValue[] = [];
  for (const field of fields)
    for (const value of sentTexts(row.values, field, titles)) values.push({ name: field.name, value });
  return { recordID, createdAt, updatedAt, values };
}

/** Returns a column's texts as sent: references only as titles, never as ids; those without a title are left out. */
function sentTexts(values: Values, { name, kind }: Field, titles: ColumnTitles): readonly string[] {
  const stored = valuesOf(values, name);
  if (kind !== 'Record') return stored;
  const texts = stored.map((text) => titles.get(name)?.get(text) ?? '');
  return texts.filter((text) => text !== '');
}
