import { omitUndefined } from '../base/omit-undefined.ts';
import type { Doubt } from '../base/vocabulary.ts';
import type { ImportAnswer } from '../contract/app/import.ts';
import type { ImportResult } from '../lists/csv/result.ts';
import type { Rejections } from '../lists/csv/reasons.ts';
import type { Say } from '../words/said.ts';

/** Describes an import or its trial for the window. */
export function importAnswer(result: ImportResult, say: Say): ImportAnswer {
  const { moduleID, stepID, stepSize, created, updated, unchanged, sums, emptied = [] } = result;
  return {
    ...{ moduleID, created, updated, unchanged, ...rejectionsAnswer(result, say), sums: [...sums] },
    notes: result.notes.map(say),
    doubts: doubtsAnswer(result.doubts),
    ignored: [...result.ignored],
    emptied: [...emptied].map(([column, cells]) => ({ column, cells })),
    ...omitUndefined({ stepID, stepSize }),
  };
}

/** Describes doubts about how to read a file. */
export const doubtsAnswer = (doubts: readonly Doubt[]): ImportAnswer['doubts'] =>
  doubts.map(({ columns, ...doubt }) => ({
    ...doubt,
    alternatives: [...doubt.alternatives],
    ...(columns ? { columns: [...columns] } : {}),
  }));

/** Returns the rejected lines with reasons, their number, and each reason with its lines. */
export function rejectionsAnswer(
  of: Rejections,
  say: Say,
): Pick<ImportAnswer, 'rejected' | 'rejectedLines' | 'reasons'> {
  return {
    rejected: of.rejected.map(({ line, reason }) => ({ line, reason: say(reason) })),
    rejectedLines: of.rejectedLines,
    reasons: rejectionReasons(of, say),
  };
}

/** Returns each reason once, with its lines. */
export const rejectionReasons = (
  { reasons }: Pick<Rejections, 'reasons'>,
  say: Say,
): ImportAnswer['reasons'] =>
  reasons.map(({ reason, count, lines }) => ({ reason: say(reason), count, lines: [...lines] }));
