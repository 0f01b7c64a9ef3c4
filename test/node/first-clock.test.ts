import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { PartnerDetail, PartnerSummary } from '../../server/contract/app/overview.ts';
import { sampleOf } from '../support/data/luck.ts';
import { temporaryFolder } from '../support/harness/temporary-folder.ts';
import { manualClock } from '../support/harness/manual-clock.ts';
import { pairNodes, rowsOf, shareAndReceive, startNode, type NodeOffice } from '../support/harness/node.ts';

/** An office whose clock was wrong when Footbridge was first started there has no other time to go by. */

const START = Date.UTC(2030, 8, 16, 9);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;
const COLUMNS = ['Name', 'Town'];

const far = [
  ['a year behind', -YEAR],
  ['a year ahead', YEAR],
] as const;
const cases = (['Turku', 'Gent'] as const).flatMap((wrong) => far.map((how) => [wrong, ...how] as const));

it.each(sampleOf(cases, 6))(
  'where the clock of %s is %s from its first start, nothing ends and nothing is lost when it is put right',
  { timeout: 240_000 },
  async (wrong, _, off) => {
    const clocks = { Turku: manualClock(START), Gent: manualClock(START) };
    const folder = await temporaryFolder();
    const start = (name: 'Turku' | 'Gent', port = 0): Promise<NodeOffice> =>
      startNode(name, { clock: clocks[name], syncIntervalMs: HOUR, dataDir: join(folder.path, name), port });
    let passed = 0;
    const set = (ahead: number): void => clocks[wrong].set(START + passed + ahead);
    set(off);
    let [turku, gent] = [await start('Turku'), await start('Gent')];
    onTestFinished(async () => {
      await Promise.all([turku.stop(), gent.stop()]);
      await folder.remove();
    });
    const { atInviter, atInvited } = await pairNodes(turku, gent);
    const sides = (): [NodeOffice, string][] => [
      [turku, atInviter],
      [gent, atInvited],
    ];
    const sync = async (): Promise<void> => {
      for (const [office, nodeID] of sides()) await office.app('POST', `/app/partners/${nodeID}/sync`);
    };
    const of = (office: NodeOffice, nodeID: string): Promise<PartnerSummary> =>
      office.app<PartnerDetail>('GET', `/app/partners/${nodeID}`);
    async function pass(days: number): Promise<void> {
      for (let day = 0; day < days; day++) {
        passed += DAY;
        for (const clock of Object.values(clocks)) clock.advance(DAY);
        await sync();
      }
    }
    async function standsWell(): Promise<void> {
      for (const [office, nodeID] of sides()) {
        const { status, state } = await of(office, nodeID);
        expect([status, state]).toEqual(['paired', 'up-to-date']);
      }
    }
    const customers = await turku.list('Customers', COLUMNS, [{ Name: 'Äijälä', Town: 'Turku' }]);
    const from = { office: turku, partner: atInviter, list: customers };
    const { list: received } = await shareAndReceive(from, COLUMNS, { office: gent, partner: atInvited });
    const orders = await gent.list('Orders', COLUMNS, [{ Name: 'Peeters', Town: 'Gent' }]);
    const back = { office: gent, partner: atInvited, list: orders };
    const { list: ordered } = await shareAndReceive(back, COLUMNS, { office: turku, partner: atInviter });
    let made = 0;
    async function bothWays(): Promise<void> {
      made++;
      for (const [office, list] of [
        [turku, customers],
        [gent, orders],
      ] as const) {
        const values = { Name: [`Row ${made}`], Town: [''] };
        await office.app('POST', `/app/lists/${list}/rows`, { values });
      }
      await sync();
      expect(await rowsOf(gent, received)).toHaveLength(1 + made);
      expect(await rowsOf(turku, ordered)).toHaveLength(1 + made);
      await standsWell();
    }
    const named: unknown = expect.stringMatching(/clocks? differs? by 36[45] days/);

    await bothWays();
    for (const [office, nodeID] of sides()) expect((await of(office, nodeID)).also).toContainEqual(named);
    await pass(3);
    await bothWays();
    for (const ahead of [0, -off, 0]) {
      set(ahead);
      await bothWays();
      await pass(ahead === 0 ? 20 : 1);
      await bothWays();
      const { port } = turku;
      await turku.stop();
      turku = await start('Turku', port);
      const { port: other } = gent;
      await gent.stop();
      gent = await start('Gent', other);
      await bothWays();
    }
    for (const [office, nodeID] of sides()) expect((await of(office, nodeID)).also).not.toContainEqual(named);
  },
);

const away = [
  ['Turku', 'Gent'],
  ['Gent', 'Turku'],
] as const;
it.each(sampleOf(away, 2))(
  'where the clock of %s was a year behind and is put right, %s need not pair anew after three weeks in which it was off',
  { timeout: 120_000 },
  async (wrong, away) => {
    const clocks = { Turku: manualClock(START), Gent: manualClock(START) };
    const folder = await temporaryFolder();
    const start = (name: 'Turku' | 'Gent', port = 0): Promise<NodeOffice> =>
      startNode(name, { clock: clocks[name], syncIntervalMs: HOUR, dataDir: join(folder.path, name), port });
    clocks[wrong].set(START - YEAR);
    const offices = { Turku: await start('Turku'), Gent: await start('Gent') };
    onTestFinished(async () => {
      await Promise.all(Object.values(offices).map((office) => office.stop()));
      await folder.remove();
    });
    const { atInviter, atInvited } = await pairNodes(offices.Turku, offices.Gent);
    const customers = await offices.Turku.list('Customers', COLUMNS, [{ Name: 'Äijälä', Town: 'Turku' }]);
    const from = { office: offices.Turku, partner: atInviter, list: customers };
    const to = { office: offices.Gent, partner: atInvited };
    const { list: received } = await shareAndReceive(from, COLUMNS, to);

    await offices[away].stop();
    clocks[wrong].set(START);
    for (let hour = 0; hour < 21 * 24; hour++) for (const clock of Object.values(clocks)) clock.advance(HOUR);
    offices[away] = await start(away, offices[away].port);
    const values = { Name: ['Peeters'], Town: ['Gent'] };
    await offices.Turku.app('POST', `/app/lists/${customers}/rows`, { values });
    const standing = async (): Promise<string[]> => {
      const told: string[] = [];
      for (const [office, partner] of [
        [offices.Turku, atInviter],
        [offices.Gent, atInvited],
      ] as const) {
        const path = `/app/partners/${partner}`;
        await office.app('POST', `${path}/sync`).catch(() => undefined);
        const { status, state } = await office.app<PartnerSummary>('GET', path);
        told.push(`${status}, ${state}`);
      }
      return told;
    };
    await expect.poll(standing).toEqual(['paired, up-to-date', 'paired, up-to-date']);
    expect(await rowsOf(offices.Gent, received)).toHaveLength(2);
  },
);
