import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Node } from '../../../server/federation/model.ts';
import type { SharingFacts } from '../../../server/federation/offers/destinations.ts';
import { pairOffices, startHttpOffice, type HttpOffice } from '../../support/harness/served-parts.ts';

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
const facts = async (node: Node): Promise<SharingFacts | undefined> =>
  a.federation.destinations.sharingFacts(node);

async function removeOne(composeModuleID: string): Promise<void> {
  const rows = await a.lists.rows(composeModuleID);
  const [first] = (await rows.list({ limit: 1 })).rows;
  await rows.remove(first?.recordID ?? '', '1');
}

describe('what a partner is known to have of what is shared with it', () => {
  it('is what another Footbridge tells, by the name of what it counted', async () => {
    const { moduleID, composeModuleID } = await shared();
    const node = await partner();
    const ask = { after: 0, limit: 10, marks: 0, address: '' };
    const { epoch, state, next } = await a.federation.changeFeed.changes(node, moduleID, ask, () => ({}));
    const first = await a.federation.changeFeed.changes(node, moduleID, { ...ask, limit: 1 }, () => ({}));
    const report = (change: object): void =>
      a.federation.destinations.recordReport(idA, [
        { moduleID, wanted: 'yes', epoch, state, after: next, held: 0, lost: 0, apart: 0, ...change },
      ]);
    report({});
    expect(await facts(node)).toEqual(QUIET);
    report({ epoch: 'of before the columns changed' });
    expect(await facts(node)).toEqual({ ...QUIET, waiting: 3 });
    report({ state: `${state}x` });
    expect(await facts(node)).toEqual({ ...QUIET, waiting: 3 });
    report({ after: next + 1 });
    expect(await facts(node)).toEqual({ ...QUIET, waiting: 3 });
    report({ others: [{ epoch, state, after: next }] });
    expect(await facts(node)).toEqual(QUIET);
    report({ others: [{ epoch, state, after: first.next }] });
    expect(await facts(node)).toEqual({ ...QUIET, waiting: 2 });
    report({ others: [{}] });
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
    a.federation.destinations.recordReport(idA, [{ moduleID, wanted: 'yes', held: 0, lost: 0, apart: 0 }]);
    expect(await facts(await partner())).toEqual({ ...QUIET, waiting: 2 });
  });

  describe('of a partner that reads page by page and says nothing of what it took in', () => {
    /** A page of two rows, or everything, as it asks for it; and that it left whole or was cut. */
    async function reads(
      moduleID: string,
      { page, since, whole = true }: { page?: number; since?: number; whole?: boolean } = {},
    ): Promise<void> {
      const request = {
        ...(since === undefined ? {} : { since }),
        deleted: since !== undefined,
        sort: 'createdAt DESC',
        window: page === undefined ? ('all' as const) : { page, perPage: 2 },
        address: '192.0.2.7',
      };
      const answer = await a.federation.feed.recordBytes(
        await others(),
        moduleID,
        request,
        'test',
        () => ({}),
      );
      await answer.reportSent(whole);
    }
    const others = (): Promise<Node> => partner({ footbridge: false });
    const told = async (): Promise<SharingFacts | undefined> => facts(await others());
    const asks = (): void => a.federation.destinations.recordRequest(idA);
    const UNTOLD = { ...QUIET, untold: 1 };

    it('is what left whole once it asks again, and nothing before', async () => {
      const { moduleID, composeModuleID } = await shared();
      expect(await told()).toEqual({ ...QUIET, undecided: 1 });
      await reads(moduleID);
      expect(await told()).toEqual(UNTOLD);
      asks();
      expect(await told()).toEqual(QUIET);
      await removeOne(composeModuleID);
      asks();
      expect(await told()).toEqual({ ...QUIET, waiting: 1 });
    });

    it('is nothing of an answer that was cut', async () => {
      const { moduleID } = await shared();
      await reads(moduleID, { whole: false });
      asks();
      expect(await told()).not.toEqual(QUIET);
    });

    it('is nothing before the last page of a list was read, in order', async () => {
      const { moduleID } = await shared();
      await reads(moduleID, { page: 1 });
      asks();
      expect(await told(), 'one of two pages').toEqual(UNTOLD);
      await reads(moduleID, { page: 2, since: 1 });
      asks();
      expect(await told(), 'the last page of another question').toEqual(UNTOLD);
      await reads(moduleID, { page: 1 });
      await reads(moduleID, { page: 2 });
      asks();
      expect(await told()).toEqual(QUIET);
    });

    it('is nothing of pages between which rows may have slipped', async () => {
      const { moduleID, composeModuleID } = await shared();
      await reads(moduleID, { page: 1 });
      await removeOne(composeModuleID);
      await reads(moduleID, { page: 2 });
      asks();
      expect(await told()).toEqual(UNTOLD);
    });

    it('is not what it passes over by a clock that is ahead of ours', async () => {
      const { moduleID, composeModuleID } = await shared();
      await reads(moduleID, { since: 1000 });
      asks();
      expect(await told()).toEqual(QUIET);
      await removeOne(composeModuleID);
      for (let round = 0; round < 3; round++) {
        await reads(moduleID, { since: Date.now() + 3_600_000 });
        asks();
      }
      expect(await told()).toEqual({ ...QUIET, waiting: 1 });
      await reads(moduleID, { since: Date.now() - 60_000 });
      asks();
      expect(await told()).toEqual(QUIET);
    });

    it('is nothing of what it read by other columns', async () => {
      const { moduleID, composeModuleID } = await shared();
      await reads(moduleID);
      asks();
      expect(await told()).toEqual(QUIET);
      const { fields } = await a.lists.module(composeModuleID);
      const land = { kind: 'String' as const, name: 'Land', label: 'Land', isMulti: false };
      await a.lists.updateModule(composeModuleID, { fields: [...fields, land] });
      expect(await told(), 'a column that is not shared').toEqual(QUIET);
      const wider = { composeModuleID, fields: [{ name: 'Town' }, { name: 'Land' }], shape: 1 as const };
      await a.federation.exposures.change(idA, moduleID, wider, '1');
      expect(await told(), 'one more is shared').toEqual({ ...QUIET, waiting: 3 });
    });
  });

  it('is no question where nothing is shared', async () => {
    const { moduleID } = await shared();
    await a.federation.exposures.remove(idA, moduleID, '1');
    expect(await facts(await partner())).toBeUndefined();
  });
});
