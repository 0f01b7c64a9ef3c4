import type { Row } from '../../lists/definitions/model.ts';
import type { Rows } from '../../lists/rows/rows.ts';
import { createYielder } from '../../base/yield.ts';

/** Between two times in which a list was shared. */
export interface UnsharedInterval {
  readonly from: string;
  readonly to: string;
}

/** From here on, unused ones are removed. */
export const PRUNE_FROM = 50;

/** Returns whether a row was created and deleted within the interval, so that the partner never had it. */
export function containsLifetimeOf({ from, to }: UnsharedInterval, { createdAt, deletedAt }: Row): boolean {
  return deletedAt !== undefined && createdAt >= from && deletedAt < to;
}

const PAGE = 1000;

/**
 * Returns intervals in which no row was both created and deleted, so that they can be removed. They mustn't be merged
 * instead: deletions of rows shared between two would never be reported.
 */
export async function unusedIntervals(
  gaps: readonly UnsharedInterval[],
  rows: Pick<Rows, 'changesSince'>,
): Promise<ReadonlySet<UnsharedInterval>> {
  const idle = new Set(gaps);
  const pause = createYielder();
  for (let afterSeq = 0; idle.size > 0;) {
    const page = await rows.changesSince({ afterSeq }, PAGE);
    for (const { value } of page) {
      if (value.deletedAt !== undefined)
        for (const gap of idle) if (containsLifetimeOf(gap, value)) idle.delete(gap);
      await pause();
    }
    const last = page.at(-1);
    if (!last || page.length < PAGE) break;
    afterSeq = last.seq;
  }
  return idle;
}
