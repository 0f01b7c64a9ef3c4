import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { PRUNE_FROM } from '../../../server/federation/sharing/unshared-intervals.ts';
import type { Rows } from '../../../server/lists/rows/rows.ts';
import { pairOffices, startHttpOffice, type HttpOffice } from '../../support/harness/served-parts.ts';
import { manualClock } from '../../support/harness/manual-clock.ts';
import { customers } from '../../support/data/office-lists.ts';
import { seeded } from '../../support/data/seeded.ts';

/** Which deletions a partner is told of in a list that was shared and withdrawn very often. */

const clock = manualClock(Date.parse('2026-03-02T08:00:00Z'));
const random = seeded(20_261_122);
const names = customers({ rows: 3 * PRUNE_FROM, seed: 11 }).rows.map(({ CompanyName = '' }) => CompanyName);
let office: HttpOffice;
let partner: HttpOffice;
let nodeID: string;
let token: string;
beforeAll(async () => {
  office = await startHttpOffice('Oslo', { clock, inMemory: true });
  partner = await startHttpOffice('Bergen', { clock, inMemory: true });
  const pair = await pairOffices(office, partner);
  nodeID = pair.idA;
  token = await partner.federation.tokens.tokenFor(pair.idB);
});
afterAll(() => Promise.all([office.close(), partner.close()]));

const later = (): void => clock.set(clock.now() + 60_000 + random.below(5000) * 1000);

interface Shared {
  readonly rows: Rows;
  readonly share: () => Promise<void>;
  readonly withdraw: () => Promise<void>;
  readonly create: () => Promise<string>;
  readonly remove: (recordID: string) => Promise<void>;
  readonly gaps: () => Promise<number>;
  /** The rows that the partner is told to be gone. */
  readonly told: () => Promise<string[]>;
}

const page = z.object({
  response: z.object({ set: z.array(z.object({ recordID: z.string(), deletedAt: z.string().optional() })) }),
});

async function shared(): Promise<Shared> {
  const fields = [{ kind: 'String' as const, name: 'Name' }];
  const list = await office.list(`Customers ${random.below(2 ** 31)}`, fields, [{ Name: ['Brygge AS'] }]);
  const rows = await office.lists.rows(list.moduleID);
  const { exposures } = office.federation;
  let moduleID = '';
  return {
    rows,
    async share() {
      later();
      const input = { composeModuleID: list.moduleID, fields: [{ name: 'Name' }], shape: 1 as const };
      ({ moduleID } = await exposures.expose(nodeID, input, '1'));
    },
    async withdraw() {
      later();
      await exposures.remove(nodeID, moduleID, '1');
    },
    async create() {
      later();
      return (await rows.create({ Name: [names[random.below(names.length)] ?? ''] }, '1')).recordID;
    },
    async remove(recordID) {
      later();
      await rows.remove(recordID, '1');
    },
    gaps: async () => ((await exposures.get(nodeID, moduleID)).gaps ?? []).length,
    async told() {
      const path = `/federation/footbridge/modules/${moduleID}/changes?limit=1000`;
      const { body } = await office.call('GET', path, { token });
      return page
        .parse(body)
        .response.set.flatMap(({ recordID, deletedAt }) => (deletedAt === undefined ? [] : [recordID]));
    },
  };
}

describe('however often a list was shared and withdrawn', () => {
  it('the end of each row that was shared is told, and of none that came and went meanwhile', async () => {
    const { share, withdraw, create, remove, gaps, told } = await shared();
    const gone: string[] = [];
    const hidden: string[] = [];
    await share();
    for (let n = 0; n < PRUNE_FROM + 12; n++) {
      await withdraw();
      const passing = await create();
      const kept = await create();
      await remove(passing);
      hidden.push(passing);
      // Seen from here on for as long as it is shared, and gone in the next time in which it is not.
      await share();
      await withdraw();
      await remove(kept);
      gone.push(kept);
      await share();
    }
    const seen = await told();
    expect(seen.filter((recordID) => hidden.includes(recordID))).toEqual([]);
    expect([...seen].sort()).toEqual([...gone].sort());
    expect(await gaps()).toBeGreaterThan(PRUNE_FROM);
  });

  it('nothing is kept of times in which no row came and went', async () => {
    const { share, withdraw, create, remove, gaps, told } = await shared();
    await share();
    await withdraw();
    const passing = await create();
    await remove(passing);
    await share();
    for (let n = 0; n < 2 * PRUNE_FROM; n++) {
      await withdraw();
      await share();
    }
    expect(await gaps()).toBeLessThanOrEqual(PRUNE_FROM);
    expect(await told()).toEqual([]);
  });
});
