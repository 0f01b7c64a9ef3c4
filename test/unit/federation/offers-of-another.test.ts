import { afterEach, beforeEach, expect, it } from 'vitest';
import { createInstallation } from '../../../server/base/installation-key.ts';
import type { Mapping, SharedModule } from '../../../server/federation/model.ts';
import { undecidedOffers } from '../../../server/federation/offers/offers.ts';
import { connect, noLists, testClock, testOffice, type TestOffice } from './two-offices.ts';

/** What another installation offers that has taken a partner's place on our record of it. */
let oslo: TestOffice;
let bergen: TestOffice;
let turku: TestOffice;
let partner: string;
const clock = testClock();
const installation = createInstallation();
beforeEach(async () => {
  oslo = await testOffice('Oslo', noLists, clock);
  bergen = await testOffice('Bergen', noLists, clock, installation);
  turku = await testOffice('Turku', noLists, clock);
  partner = (await oslo.federation.nodes.create({ name: 'Bergen' }, '1')).nodeID;
  await pairs(bergen);
});
afterEach(() => Promise.all([oslo, bergen, turku].map((office) => office.close())));

/** This office uses a new invite that was made for the partner, and our user says yes. */
async function pairs(office: TestOffice): Promise<void> {
  connect(oslo, office);
  const { uri } = await oslo.federation.invites.create(partner);
  const { nodeID } = await office.federation.invites.accept(uri, {}, '1');
  await office.federation.pairing.pair(nodeID);
  await oslo.federation.pairing.confirm(partner);
}

const column = { kind: 'String' as const, name: 'Name', label: 'Name', isMulti: false };
const customers = {
  externalFederationModuleID: '7101',
  externalComposeModuleID: '5500',
  handle: 'customers',
  name: 'Customers',
  fields: [column],
};
const offered = async (id = '7101'): Promise<readonly string[]> => {
  const offer = { ...customers, externalFederationModuleID: id };
  await oslo.federation.shared.reconcile(partner, [offer], { complete: true });
  return listed();
};
const listed = async (): Promise<readonly string[]> =>
  (await oslo.federation.shared.list(partner)).map(({ moduleID }) => moduleID);

it.each([
  ['under the same number', '7101'],
  ['as the same list of the partner’s', '7102'],
])('is an offer of its own %s, and what was offered before is not offered any more', async (_as, id) => {
  const before = await offered();
  await pairs(turku);
  // Not even before it was asked what it offers.
  expect(await listed()).toEqual([]);
  const after = await offered(id);
  expect(after).toHaveLength(1);
  expect(after).not.toEqual(before);
  const all = await oslo.federation.shared.list(partner, { withdrawn: true });
  expect(all.find(({ moduleID }) => before.includes(moduleID))?.withdrawnAt).toBeDefined();
});

it('goes on as it was once the partner itself is back', async () => {
  const before = await offered();
  await pairs(turku);
  await offered('9300');
  await pairs(bergen);
  expect(await offered()).toEqual(before);
});

it('goes on where the same one pairs anew, and gives the list another number', async () => {
  const before = await offered();
  await pairs(bergen);
  expect(await offered('7102')).toEqual(before);
});

it('are forgotten, the oldest first, where a partner offers others each time', async () => {
  for (let round = 0; round < 8; round++) {
    const offers = Array.from({ length: 100 }, (_, at) => {
      const id = String(8000 + 100 * round + at);
      return { ...customers, externalFederationModuleID: id, externalComposeModuleID: `1${id}` };
    });
    await oslo.federation.shared.reconcile(partner, offers, { complete: true });
  }
  const all = await oslo.federation.shared.list(partner, { withdrawn: true });
  expect(all.filter(({ withdrawnAt }) => withdrawnAt !== undefined)).toHaveLength(500);
  expect(await listed()).toHaveLength(100);
  expect(all.some(({ externalFederationModuleID }) => externalFederationModuleID === '8000')).toBe(false);
  expect(all.some(({ externalFederationModuleID }) => externalFederationModuleID === '8650')).toBe(true);
});

it('asks for no decision on what a live server offered before it was paired again and shared anew', async () => {
  await offered();
  const node = await oslo.federation.nodes.get(partner);
  const offers = await oslo.federation.shared.list(partner);
  const before = { ...node, dialect: 'live', tokenSince: '2026-01-01', offersSince: '2026-01-01' } as const;
  expect(undecidedOffers(before, offers, [])).toEqual(offers);
  expect(undecidedOffers({ ...before, tokenSince: '2026-02-01' }, offers, [])).toEqual([]);
  const matched = offers.map(({ moduleID }) => ({ federationModuleID: moduleID }) as Mapping);
  expect(undecidedOffers(before, offers, matched)).toEqual([]);
  expect(undecidedOffers(before, [{ ...offers[0], dismissedAt: '2026-01-02' } as SharedModule], [])).toEqual(
    [],
  );
});
