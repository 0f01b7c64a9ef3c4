import type { FailedRow } from '../contract/app/sharing.ts';
import type { Say } from '../words/said.ts';
import type { WaitingRow } from '../sync/pull/decisions.ts';

/** A row that could not be applied, as the window shows it. */
export function failedRow(row: WaitingRow, say: Say): FailedRow {
  return {
    failedID: `${row.sharedModuleID}-${row.recordID}`,
    recordID: row.recordID,
    moduleID: row.moduleID,
    reason: say(row.reason),
    values: Object.fromEntries((row.record?.values ?? []).map(([name, texts]) => [name, [...texts]])),
    since: row.since,
    tries: row.tries,
  };
}
