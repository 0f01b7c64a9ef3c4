import { rowDigest } from '../../../../server/federation/sharing/digest.ts';
import type { Row, Values } from '../../../../server/lists/definitions/model.ts';
import { parseQuery } from '../../../../server/lists/query/query.ts';
import { parseSort } from '../../../../server/lists/query/sort.ts';
import { chosenFields, rowsThatTravel, textsThatLeave, type Model, type ModelShare } from './model.ts';

/** A row as it may be seen, made of chosen values and of nothing else. */
function visibleRows(model: Model, share: ModelShare): Row[] {
  const fields = chosenFields(model, share);
  return rowsThatTravel(model, share).map((row) => {
    const texts = fields.map((field) => [field.name, textsThatLeave(model, share, row, field)] as const);
    const values = row.deletedAt === undefined ? texts.filter(([, each]) => each.length > 0) : [];
    const createdAt = new Date(row.createdAt).toISOString();
    return {
      recordID: row.recordID,
      values: Object.fromEntries(values),
      ...{ createdAt, createdBy: '0', updatedAt: createdAt, updatedBy: '0' },
      ...(row.deletedAt === undefined ? {} : { deletedAt: new Date(row.deletedAt).toISOString() }),
    };
  });
}

/** What the office must answer: the rows that fit, in their order, found by the chosen values alone. */
export function rightAnswer(model: Model, share: ModelShare, query: string, sort: string): Row[] {
  const fields = chosenFields(model, share);
  const fits = parseQuery(query, fields);
  const order = parseSort(sort, fields);
  return visibleRows(model, share)
    .filter((row) => fits(row.values, row))
    .sort((one, other) => order.compare(order.keyOf(one), order.keyOf(other)));
}

/** Digests of the rows that are there, by their ids. */
export function rightDigests(model: Model, share: ModelShare, names: readonly string[]): Map<string, string> {
  const rows = visibleRows(model, share).filter(({ deletedAt }) => deletedAt === undefined);
  return new Map(rows.map(({ recordID, values }) => [recordID, rowDigest(recordID, values, names)]));
}

/** Values by name, from entries as they travel. */
export function byName(
  values: readonly { readonly name: string; readonly value?: string | undefined }[],
): Values {
  const found: Record<string, string[]> = {};
  for (const { name, value = '' } of values) (found[name] ??= []).push(value);
  return found;
}
