import type { FailedRow } from '../contract/app/sharing.ts';
import type { Say } from '../words/said.ts';
import type { WaitingRow } from '../sync/pull/failed-rows.ts';

const MAX_SHOWN = 1000;

/** Describes a row that couldn't be applied; its values are cut after 1000 characters in total. */
export function toFailedRow(row: WaitingRow, say: Say): FailedRow {
  return {
    failedID: `${row.sharedModuleID}-${row.recordID}`,
    recordID: row.recordID,
    moduleID: row.moduleID,
    reason: say(row.reason),
    values: cutValues(row.record?.values ?? []),
    since: row.since,
    tries: row.tries,
  };
}

/** Returns the first values by column, cut after 1000 characters in total. */
function cutValues(values: Iterable<readonly [string, readonly string[]]>): FailedRow['values'] {
  const shown: [string, string[]][] = [];
  let room = MAX_SHOWN;
  for (const [name, texts] of values) {
    if (room <= 0) break;
    const cut: string[] = [];
    for (const text of texts) {
      if (room <= 0) break;
      cut.push(text.slice(0, room));
      room -= text.length + 1;
    }
    shown.push([name, cut]);
  }
  return Object.fromEntries(shown);
}
