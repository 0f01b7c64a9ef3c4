import { describe, expect, it } from 'vitest';
import { MOST_GAPS, withGap, type Gap } from '../../../server/federation/sharing/gaps.ts';
import { travels } from '../../../server/federation/sharing/travels.ts';
import type { Row } from '../../../server/lists/definitions/model.ts';
import { seeded } from '../../support/seeded.ts';

const START = Date.UTC(2026, 0, 1);
const at = (minutes: number): string => new Date(START + minutes * 60_000).toISOString();
const by = { createdBy: '1', updatedBy: '1' };
const row = (from: string, to: string): Row => ({
  ...{ recordID: '1', values: {}, createdAt: from, updatedAt: to, deletedAt: to, ...by },
});
const isTold = (gaps: readonly Gap[], from: string, to: string): boolean =>
  travels(row(from, to), { createdAt: at(0), gaps }, { nodeID: '7' });

describe('the times during which a list was not shared', () => {
  it('are all kept as long as they are few', () => {
    const first = withGap([], { from: at(1), to: at(2) });
    expect(withGap(first, { from: at(5), to: at(9) })).toEqual([
      { from: at(1), to: at(2) },
      { from: at(5), to: at(9) },
    ]);
  });

  it('tell of no row that came and went in one, however many there were', () => {
    const random = seeded(20_261_122);
    const every: Gap[] = [];
    let kept: readonly Gap[] = [];
    for (let minute = 10; every.length < 4 * MOST_GAPS;) {
      const to = minute + 3 + random.below(500);
      const gap = { from: at(minute), to: at(to) };
      every.push(gap);
      kept = withGap(kept, gap);
      minute = to + 1 + random.below(5000);
      for (const { from } of every) {
        const inside = new Date(Date.parse(from) + 60_000).toISOString();
        const later = new Date(Date.parse(from) + 120_000).toISOString();
        expect(isTold(kept, inside, later), `${from} after ${every.length}`).toBe(false);
      }
    }
    expect(kept).toHaveLength(MOST_GAPS);
    expect(isTold(kept, at(0), at(5))).toBe(true);
  });

  it('grow together where the list was shared for the shortest time between them', () => {
    let kept: readonly Gap[] = [];
    for (let n = 0; n < MOST_GAPS; n++) kept = withGap(kept, { from: at(n * 100), to: at(n * 100 + 10) });
    kept = withGap(kept, { from: at(MOST_GAPS * 100 - 89), to: at(MOST_GAPS * 100) });
    expect(kept).toHaveLength(MOST_GAPS);
    expect(kept.at(-1)).toEqual({ from: at((MOST_GAPS - 1) * 100), to: at(MOST_GAPS * 100) });
    expect(isTold(kept, at(50), at(60))).toBe(true);
  });
});
