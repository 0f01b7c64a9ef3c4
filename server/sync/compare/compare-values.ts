import { titleOf } from '../../lists/rows/row-titles.ts';
import type { Row } from '../../lists/definitions/model.ts';
import type { Rows } from '../../lists/rows/rows.ts';
import { hasSameTexts, valuesOf } from '../../lists/values/value-sets.ts';
import { sourceFrom } from '../../lists/rows/sources.ts';
import type { CompareCalls } from '../../peer/dialects/footbridge-compare.ts';
import type { PullJob } from '../pull/job.ts';
import { createTransformation } from '../pull/transform.ts';

export interface ComparedRow {
  readonly recordID: string;
  /** Our names of the columns that differ after conversion; undefined: theirs can't be converted. */
  readonly columns: readonly string[] | undefined;
  /** Title of the partner's row. */
  readonly title: string;
  readonly own: Row | undefined;
}

/** Rows requested at a time; the partner accepts 500 at most. */
const PIECE = 200;

/**
 * Fetches rows and yields each, converted, compared with what we received of it. Leaves out rows that the
 * partner no longer shows.
 */
export async function* compareValues(
  { calls, job, rows }: { calls: Pick<CompareCalls, 'rows'>; job: PullJob; rows: Pick<Rows, 'findReceived'> },
  recordIDs: readonly string[],
): AsyncGenerator<ComparedRow> {
  const { shared, mapping, module } = job;
  const transformation = createTransformation(mapping.fields, shared.fields, module.fields);
  for (let at = 0; at < recordIDs.length; at += PIECE) {
    const piece = recordIDs.slice(at, at + PIECE);
    for await (const { records } of calls.rows(shared.externalFederationModuleID, piece)) {
      for (const record of records) {
        if (record.deletedAt !== undefined) continue;
        // One by one: together they may be far larger than the answer.
        const [own] = await rows.findReceived(shared.nodeID, [record.recordID]);
        const transformed = transformation.apply(record);
        const columns =
          'row' in transformed
            ? transformation.columns.filter(
                (column) =>
                  !hasSameTexts(
                    valuesOf(transformed.row.values, column),
                    valuesOf((own && sourceFrom(own, shared.nodeID)?.values) ?? {}, column),
                  ),
              )
            : undefined;
        yield {
          recordID: record.recordID,
          columns,
          title: titleOf(shared.fields, record.values),
          own,
        };
      }
    }
  }
}
