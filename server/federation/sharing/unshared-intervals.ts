import type { Row } from '../../lists/definitions/model.ts';
import type { Rows } from '../../lists/rows/rows.ts';
import { createYielder } from '../../base/yield.ts';

/** A time during which a list was not shared, between two in which it was. */
export interface UnsharedInterval {
  readonly from: string;
  readonly to: string;
}

/** From so many on it is looked at which of them any row still needs. */
export const PRUNE_FROM = 50;

/** Whether a row came and went in it, so that a partner never had it. */
export function containsLifetimeOf({ from, to }: UnsharedInterval, { createdAt, deletedAt }: Row): boolean {
  return deletedAt !== undefined && createdAt >= from && deletedAt < to;
}

const PAGE = 1000;

/**
 * The gaps that no row of the list came and went in. They are over, and whatever goes from now on goes later: without
 * them the same is told. So there are never more to be kept than rows that they are for, and none has to be made one
 * with another, by which the end of rows that were shared between the two would never be told.
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
