import { describe, expect, it } from 'vitest';
import type { Exposure, Node } from '../../../server/federation/model.ts';
import { createVisibleChanges } from '../../../server/federation/sharing/visible-changes.ts';
import { isAnnouncedTo } from '../../../server/federation/sharing/visibility.ts';
import type { Values } from '../../../server/lists/definitions/model.ts';
import type { Rows } from '../../../server/lists/rows/rows.ts';
import { manualClock } from '../../support/harness/manual-clock.ts';
import { customers } from '../../support/data/office-lists.ts';
import { seeded } from '../../support/data/seeded.ts';
import { makeList, testLists, text, values } from '../../support/harness/lists.ts';

const PEOPLE = customers({ rows: 200, seed: 3 }).rows;
const node = (nodeID: string): Node => ({ nodeID, installation: `office-${nodeID}` }) as Node;

/** What is told, by looking at each row that there is. */
async function rightly(rows: Rows, exposure: Exposure, to: Node, after: number): Promise<string[]> {
  const all = await rows.changesSince({ afterSeq: after }, 100_000);
  return all.filter(({ value }) => isAnnouncedTo(value, exposure, to)).map(({ key }) => key);
}

describe('what changed of the rows that a partner is told of', () => {
  it('is the same as by a look at all rows, from any place on, whatever happened since the last question', async () => {
    const office = await testLists();
    const { rows } = await makeList(office, [text('Name')]);
    const random = seeded(77);
    const clock = manualClock();
    const told = createVisibleChanges(clock);
    const ids: string[] = [];
    const name = (): Values => values({ Name: random.pick(PEOPLE).CompanyName ?? '' });
    const receive = async (nodeID: string, recordID: string): Promise<void> => {
      const at = new Date(Date.UTC(2026, 5, 1) + random.below(2 ** 31)).toISOString();
      const row = { recordID, createdAt: at, updatedAt: at, values: name(), via: [`office-${nodeID}`] };
      await rows.receive({ nodeID, rows: [row], mappedColumns: ['Name'] });
      const [received] = await rows.findReceived(nodeID, [recordID]);
      if (received) ids.push(received.recordID);
    };
    let exposure = { moduleID: '9', createdAt: '2000-01-01T00:00:00.000Z' } as Exposure;
    const steps: (() => Promise<unknown>)[] = [
      async () => {
        const made = await rows.createMany(Array.from({ length: 1 + random.below(9) }, name), '1');
        ids.push(...made.map(({ recordID }) => recordID));
      },
      () => receive(random.pick(['1', '2', '3']), String(1 + random.below(30))),
      async () => ids.length > 0 && rows.patch(random.pick(ids), name(), '1').catch(() => undefined),
      async () => ids.length > 0 && rows.remove(random.pick(ids), '1'),
      async () => ids.length > 0 && rows.restoreMany([random.pick(ids)], '1'),
      async () => (exposure = { ...exposure, began: await rows.advanceClock() }),
      () => {
        if (random.happens(0.2)) clock.advance(3_600_000);
        return Promise.resolve();
      },
    ];
    for (let n = 0; n < 400; n++) {
      await random.pick(steps)();
      const to = node(random.pick(['1', '2']));
      const after = random.below((await rows.lastSeq()) + 2);
      const right = await rightly(rows, exposure, to, after);
      const { count, first } = await told.findSince(rows, exposure, to, after);
      expect(count, `round ${n}`).toBe(right.length);
      const limit = random.pick([0, 1, 3, 1000]);
      expect(
        (await first(limit)).map(({ key }) => key),
        `round ${n}`,
      ).toEqual(right.slice(0, limit));
    }
  });

  it('is found without a look at each row that came from the partner itself, once they are known', async () => {
    const office = await testLists();
    const { rows } = await makeList(office, [text('Name')]);
    const received = Array.from({ length: 3000 }, (_, at) => ({
      recordID: String(at + 1),
      ...{ createdAt: '2026-05-01T00:00:00Z', updatedAt: '2026-05-01T00:00:00Z' },
      values: values({ Name: PEOPLE[at % PEOPLE.length]?.CompanyName ?? '' }),
    }));
    await rows.receive({ nodeID: '1', rows: received, mappedColumns: ['Name'] });
    const own = await rows.create(values({ Name: 'Ålesund Bakeri' }), '1');
    await rows.receive({
      nodeID: '1',
      rows: received.map((row) => ({
        ...row,
        recordID: `${row.recordID}0000`,
        updatedAt: '2026-05-02T00:00:00Z',
      })),
      mappedColumns: ['Name'],
    });
    let looked = 0;
    const counting: Rows = {
      ...rows,
      changesSince: async (point, limit) => {
        const entries = await rows.changesSince(point, limit);
        return entries.map((entry) => ({
          key: entry.key,
          seq: entry.seq,
          bytes: entry.bytes,
          get value() {
            looked++;
            return entry.value;
          },
        }));
      },
    };
    const exposure = { moduleID: '9', createdAt: '2000-01-01T00:00:00.000Z' } as Exposure;
    const told = createVisibleChanges(manualClock());
    for (const at of [0, 1, 2]) {
      const { count, first } = await told.findSince(counting, exposure, node('1'), 0);
      const found = await first(10);
      expect([count, found.map(({ key }) => key)]).toEqual([1, [own.recordID]]);
      const rest = await told.findSince(counting, exposure, node('1'), found[0]?.seq ?? 0);
      expect([rest.count, await rest.first(10)]).toEqual([0, []]);
      if (at === 0) expect(looked).toBe(6001);
    }
    expect(looked).toBe(6001);
    await rows.create(values({ Name: 'Bodø Rør' }), '1');
    expect((await told.findSince(counting, exposure, node('1'), 0)).count).toBe(2);
    expect(looked).toBe(6002);
  });
});
