import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Exposure } from '../../../server/federation/model.ts';
import { manualClock, type ManualClock } from '../../support/harness/manual-clock.ts';
import { pairOffices, startHttpOffice, type HttpOffice } from '../../support/harness/served-parts.ts';

const DAY = 86_400_000;

let clock: ManualClock;
let office: HttpOffice;
let partner: HttpOffice;
let nodeID: string;

beforeEach(async () => {
  clock = manualClock('2026-03-02T08:00:00Z');
  office = await startHttpOffice('Oslo', { clock, inMemory: true });
  partner = await startHttpOffice('Bergen', { clock, inMemory: true });
  nodeID = (await pairOffices(office, partner)).idA;
});
afterEach(() => Promise.all([office.close(), partner.close()]));

/** As other software asks: for what changed since the latest that it was told. */
async function newsSince(latest: number): Promise<Exposure[]> {
  const { feed, nodes } = office.federation;
  return feed.modules(await nodes.get(nodeID), latest + 1);
}
const latestOf = (all: readonly Exposure[]): number =>
  Math.max(...all.map(({ updatedAt, createdAt }) => Date.parse(updatedAt ?? createdAt)));

it('whoever asks by the latest time that it was told misses no change of what is shared, where the clock was put back', async () => {
  const { exposures } = office.federation;
  const field = (name: string): { kind: 'String'; name: string } => ({ kind: 'String', name });
  const [one, other] = [
    await office.list('Customers', [field('Name'), field('City')], []),
    await office.list('Suppliers', [field('Name')], []),
  ];
  const input = (composeModuleID: string, ...names: string[]) =>
    ({ composeModuleID, fields: names.map((name) => ({ name })), shape: 1 }) as const;
  const { moduleID } = await exposures.expose(nodeID, input(one.moduleID, 'Name'), '1');
  let latest = latestOf(await newsSince(0));

  clock.set(clock.now() - DAY);
  const changes = [
    () => exposures.expose(nodeID, input(other.moduleID, 'Name'), '1'),
    () => exposures.change(nodeID, moduleID, input(one.moduleID, 'Name', 'City'), '1'),
    async () => {
      await exposures.remove(nodeID, moduleID, '1');
      return exposures.expose(nodeID, input(one.moduleID, 'Name', 'City'), '1');
    },
    async () => {
      const fields = one.fields.map((each) => (each.name === 'City' ? { ...each, name: 'Town' } : each));
      await office.lists.updateModule(one.moduleID, { fields });
    },
  ];
  for (const change of changes) {
    await change();
    await expect.poll(async () => (await newsSince(latest)).length).toBe(1);
    latest = latestOf(await newsSince(latest));
  }
});

it('a list that is deleted while a partner asks leaves the others in the answer', async () => {
  const { exposures, feed, nodes } = office.federation;
  const [gone, stays] = [
    await office.list('Customers', [{ kind: 'String', name: 'Name' }], []),
    await office.list('Suppliers', [{ kind: 'String', name: 'Name' }], []),
  ];
  for (const { moduleID } of [gone, stays])
    await exposures.expose(nodeID, { composeModuleID: moduleID, fields: [{ name: 'Name' }], shape: 1 }, '1');
  const { lists } = office;
  const definition = lists.definitionForOthers.bind(lists);
  vi.spyOn(lists, 'definitionForOthers').mockImplementationOnce(async (moduleID) => {
    await lists.removeModule(gone.moduleID, '1');
    return definition(moduleID);
  });
  const answer = await feed.modules(await nodes.get(nodeID));
  expect(answer.map(({ composeModuleID }) => composeModuleID)).toEqual([stays.moduleID]);
});
