import type { ImportAnswer } from '../contract/app/import.ts';
import type { ImportResult } from '../lists/csv/import.ts';
import type { Say } from '../words/said.ts';

/** What became of a file, or would become of it, in somebody's language. */
export function importAnswer(result: ImportResult, say: Say): ImportAnswer {
  const { moduleID, created, updated, unchanged, rejectedLines, sums } = result;
  const notes = result.notes.map(say);
  const rejected = result.rejected.map(({ line, reason }) => ({ line, reason: say(reason) }));
  return { moduleID, created, updated, unchanged, rejected, rejectedLines, sums: [...sums], notes };
}
