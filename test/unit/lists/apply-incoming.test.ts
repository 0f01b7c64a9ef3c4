import fc from 'fast-check';
import { expect, it } from 'vitest';
import { applyIncoming } from '../../../server/lists/rows/apply-incoming.ts';
import type { IncomingRow, Row } from '../../../server/lists/definitions/model.ts';
import { incoming, minuteTime } from '../../support/harness/lists.ts';

const context = { nodeID: '9', columns: ['Name'], now: '2026-01-01T00:00:00Z', newID: () => '1' };

/** What the user sees in the end, after versions have arrived in this order. */
function shown(versions: readonly IncomingRow[]): string | undefined {
  let row: Row | undefined;
  for (const version of versions) {
    const [put] = applyIncoming({ known: row, same: undefined }, version, context).puts;
    row = put?.after ?? row;
  }
  return row?.deletedAt === undefined ? row?.values.Name?.[0] : undefined;
}

const version = fc
  .record({ minute: fc.nat(8), deleted: fc.boolean() })
  .map(({ minute, deleted }): IncomingRow =>
    deleted
      ? incoming('1', 0, {}, { updatedAt: minuteTime(0), deletedAt: minuteTime(minute) })
      : incoming('1', minute, { Name: `at ${minute}` }),
  );

it('T3, T4: the newest version shows, in whatever order and however often versions arrive', () => {
  fc.assert(
    fc.property(
      fc
        .array(version, { minLength: 1, maxLength: 8 })
        .chain((versions) =>
          fc.tuple(
            fc.constant(versions),
            fc.shuffledSubarray([...versions, ...versions], { minLength: versions.length * 2 }),
          ),
        ),
      ([versions, arriving]) => {
        const time = ({ updatedAt, deletedAt }: IncomingRow): string => deletedAt ?? updatedAt;
        const newest = versions.map(time).sort().at(-1);
        const last = versions.filter((each) => time(each) === newest);
        const wins = last.find(({ deletedAt }) => deletedAt !== undefined) ?? last[0];
        expect(shown(arriving)).toBe(wins?.deletedAt === undefined ? wins?.values.Name?.[0] : undefined);
      },
    ),
    { numRuns: 500 },
  );
});
