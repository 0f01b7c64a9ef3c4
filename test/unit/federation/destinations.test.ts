import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Node } from '../../../server/federation/model.ts';
import type { SharingFacts } from '../../../server/federation/offers/destinations.ts';
import { pairOffices, startHttpOffice, type HttpOffice } from '../../support/http-office.ts';

const QUIET = { untold: 0, waiting: 0, untaken: false, undecided: 0, held: 0, lost: 0, apart: 0 };

let a: HttpOffice;
let b: HttpOffice;
let idA: string;
let made = 0;
beforeAll(async () => {
  [a, b] = await Promise.all([startHttpOffice('Oslo'), startHttpOffice('Bergen')]);
  ({ idA } = await pairOffices(a, b));
});
afterAll(() => Promise.all([a.close(), b.close()]));

/** A list of three rows that is shared with the partner and with nobody else. */
async function shared(): Promise<{ moduleID: string; composeModuleID: string }> {
  for (const { moduleID } of await a.federation.exposures.list(idA))
    await a.federation.exposures.remove(idA, moduleID, '1');
  const towns = ['Narvik', 'Bodø', 'Ålesund'].map((Town) => ({ Town: [Town] }));
  const list = await a.list(`Towns ${++made}`, [{ kind: 'String', name: 'Town' }], towns);
  const input = { composeModuleID: list.moduleID, fields: [{ name: 'Town' }], shape: 1 as const };
  return a.federation.exposures.expose(idA, input, '1');
}

const partner = async (change: Partial<Node> = {}): Promise<Node> => ({
  ...(await a.federation.nodes.get(idA)),
  ...change,
});
const facts = async (node: Node): Promise<SharingFacts | undefined> => a.federation.destinations.facts(node);

async function removeOne(composeModuleID: string): Promise<void> {
  const rows = await a.lists.rows(composeModuleID);
  const [first] = (await rows.list({ limit: 1 })).rows;
  await rows.remove(first?.recordID ?? '', '1');
}

describe('what a partner is known to have of what is shared with it', () => {
  it('is what another Footbridge tells, by the name of what it counted', async () => {
    const { moduleID, composeModuleID } = await shared();
    const node = await partner();
    const after = await (await a.lists.rows(composeModuleID)).lastSeq();
    const ask = { after: 0, limit: 10, marks: 0, address: '' };
    const { epoch, state } = await a.federation.changeFeed.changes(node, moduleID, ask, () => ({}));
    const report = (change: object): void =>
      a.federation.destinations.reported(idA, [
        { moduleID, wanted: 'yes', epoch, state, after, held: 0, lost: 0, apart: 0, ...change },
      ]);
    report({});
    expect(await facts(node)).toEqual(QUIET);
    report({ epoch: 'of before the columns changed' });
    expect(await facts(node)).toEqual({ ...QUIET, waiting: 3 });
    report({ state: `${state}x` });
    expect(await facts(node)).toEqual({ ...QUIET, waiting: 3 });
    report({ after: after + 1 });
    expect(await facts(node)).toEqual({ ...QUIET, waiting: 3 });
    report({ wanted: 'undecided' });
    expect(await facts(node)).toEqual({ ...QUIET, undecided: 1 });
    report({ wanted: 'no' });
    expect(await facts(node)).toEqual(QUIET);
    report({ held: 4, lost: 3, apart: 2 });
    await removeOne(composeModuleID);
    expect(await facts(node)).toEqual({ ...QUIET, waiting: 1, held: 4, lost: 3, apart: 2 });
  });

  it('does not count rows as waiting that went before it had any', async () => {
    const { moduleID, composeModuleID } = await shared();
    await removeOne(composeModuleID);
    a.federation.destinations.reported(idA, [{ moduleID, wanted: 'yes', held: 0, lost: 0, apart: 0 }]);
    expect(await facts(await partner())).toEqual({ ...QUIET, waiting: 2 });
  });

  it('is what others were handed whole once they ask again, and nothing before', async () => {
    const { moduleID, composeModuleID } = await shared();
    const node = await partner({ footbridge: false });
    const { destinations } = a.federation;
    expect(await facts(node)).toEqual({ ...QUIET, undecided: 1 });
    destinations.handed(idA, moduleID, await (await a.lists.rows(composeModuleID)).lastSeq());
    expect(await facts(node)).toEqual({ ...QUIET, untold: 1 });
    destinations.asked(idA);
    expect(await facts(node)).toEqual(QUIET);
    await removeOne(composeModuleID);
    destinations.asked(idA);
    expect(await facts(node)).toEqual({ ...QUIET, waiting: 1 });
  });

  it('is no question where nothing is shared', async () => {
    const { moduleID } = await shared();
    await a.federation.exposures.remove(idA, moduleID, '1');
    expect(await facts(await partner())).toBeUndefined();
  });
});
