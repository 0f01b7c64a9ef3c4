import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Overview, PartnerDetail } from '../../server/contract/app/overview.ts';
import { listBackups } from '../../server/store/recovery/backups.ts';
import { sampleOf } from '../support/data/luck.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/harness/temporary-folder.ts';
import { manualClock, type ManualClock } from '../support/harness/manual-clock.ts';
import {
  pairNodes,
  rowsOf,
  shareAndReceive,
  startNode,
  type NodeOffice,
  type Pair,
} from '../support/harness/node.ts';

type Name = 'Turku' | 'Gent';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let folder: TemporaryFolder;
let clocks: Record<Name, ManualClock>;
let offices: Record<Name, NodeOffice>;
let pair: Pair;
let shared: string;
let received: string;

/** Both offices as they are at this moment, connected; Gent receives a list of Turku's. */
async function begin(at: number): Promise<void> {
  clocks = { Turku: manualClock(at), Gent: manualClock(at) };
  offices = { Turku: await opened('Turku'), Gent: await opened('Gent') };
  pair = await pairNodes(offices.Turku, offices.Gent);
  shared = await offices.Turku.list('Customers', ['Name'], [{ Name: 'Anna' }]);
  const from = { office: offices.Turku, partner: pair.atInviter, list: shared };
  ({ list: received } = await shareAndReceive(from, ['Name'], {
    office: offices.Gent,
    partner: pair.atInvited,
  }));
}
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(async () => {
  await Promise.all(Object.values(offices).map((office) => office.stop()));
  await folder.remove();
});

const opened = (name: Name, port = 0): Promise<NodeOffice> =>
  startNode(name, { clock: clocks[name], syncIntervalMs: 5000, dataDir: join(folder.path, name), port });

const partnerOf = (name: Name): string => (name === 'Turku' ? pair.atInviter : pair.atInvited);
const sync = (name: Name): Promise<unknown> =>
  offices[name].app('POST', `/app/partners/${partnerOf(name)}/sync`);
const partnerAt = (name: Name): Promise<PartnerDetail> =>
  offices[name].app<PartnerDetail>('GET', `/app/partners/${partnerOf(name)}`);
const inboxAt = async (name: Name): Promise<string[]> =>
  (await offices[name].app<Overview>('GET', '/app/overview')).inbox.map(({ message }) => message);

/** Time as it passes on both computers. */
async function passes(ms: number, steps = 6): Promise<void> {
  for (let step = 0; step < steps; step++) {
    for (const clock of Object.values(clocks)) clock.advance(ms / steps);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function arrives(name: string): Promise<void> {
  await offices.Turku.app('POST', `/app/lists/${shared}/rows`, { values: { Name: [name] } });
  await sync('Gent');
  expect((await rowsOf(offices.Gent, received)).map((row) => row.Name)).toContain(name);
}

async function expectWell(): Promise<void> {
  for (const name of ['Turku', 'Gent'] as const) {
    await expect
      .poll(
        async () => {
          await passes(6000, 1);
          await sync(name);
          const { status, state, also } = await partnerAt(name);
          return [status, state, also, await inboxAt(name)];
        },
        { timeout: 10_000 },
      )
      .toEqual(['paired', 'up-to-date', [], []]);
  }
}

describe('two offices that are off for 400 days', { timeout: 60_000 }, () => {
  const START = Date.UTC(2030, 8, 16, 9);
  const MONTHS = 400 * DAY;

  async function bothOff(): Promise<void> {
    await Promise.all(Object.values(offices).map((office) => office.stop()));
    for (const clock of Object.values(clocks)) clock.set(clock.now() + MONTHS);
  }

  const connected = [
    ['a day', DAY, 'Turku'],
    ['a day', DAY, 'Gent'],
    ['minutes', 2 * MINUTE, 'Turku'],
  ] as const;
  it.each(sampleOf(connected, 6))(
    'after %s of being connected go on as if nothing had been',
    async (_, before, first) => {
      await begin(START);
      await passes(before);
      await bothOff();
      const second = first === 'Turku' ? 'Gent' : 'Turku';
      offices[first] = await opened(first, offices[first].port);
      offices[second] = await opened(second, offices[second].port);
      await arrives('Berit');
      await expectWell();
      // The keys are new ones, so that it lasts once these months are believed.
      for (const name of ['Turku', 'Gent'] as const)
        expect(Date.parse((await partnerAt(name)).expiresAt ?? '')).toBeGreaterThan(START + MONTHS);
      await passes(20 * DAY);
      await arrives('Cilla');
      await expectWell();
    },
  );

  it('say so where one is on again for two months before the other, and go on as they were once paired anew', async () => {
    await begin(START);
    await passes(DAY);
    await bothOff();
    offices.Turku = await opened('Turku', offices.Turku.port);
    for (const clock of Object.values(clocks)) clock.advance(61 * DAY);
    offices.Gent = await opened('Gent', offices.Gent.port);
    await sync('Gent').catch(() => undefined);
    await expect
      .poll(
        async () => {
          await passes(6000, 1);
          return [await inboxAt('Turku'), await inboxAt('Gent')].map((each) => each.join('\n'));
        },
        { timeout: 10_000 },
      )
      .toEqual([
        expect.stringMatching(
          /^The connection has ended.*Pair again with a new invite\.\n.*key has expired by this computer’s clock.*unless a computer is off for months[^\n]*$/,
        ),
        expect.stringMatching(/^The connection has ended.*Pair again with a new invite\./),
      ]);
    expect((await rowsOf(offices.Gent, received)).map((row) => row.Name)).toEqual(['Anna']);
    const uri = await offices.Turku.app<string>('POST', `/federation/nodes/${pair.atInviter}/uri`);
    await offices.Gent.app('POST', '/app/invites/accept', { uri, ownNetwork: true });
    await offices.Turku.app('POST', `/federation/nodes/${pair.atInviter}/handshake-confirm`);
    await arrives('Berit');
    expect((await rowsOf(offices.Gent, received)).map((row) => row.Name)).toEqual(['Anna', 'Berit']);
  });
});

describe('the change to summer time and back', { timeout: 60_000 }, () => {
  const QUARTER = 15 * MINUTE;
  const zone = process.env.TZ;
  beforeEach(() => void (process.env.TZ = 'Europe/Berlin'));
  afterEach(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });

  const CHANGES = [
    ['forth', Date.UTC(2030, 2, 31, 1), -120, 60 * MINUTE],
    ['back', Date.UTC(2030, 9, 27, 1), -60, -60 * MINUTE],
  ] as const;

  it.each(sampleOf(CHANGES, 2, 0))(
    '%s passes without a word: every row arrives, once',
    async (_, change, offset) => {
      await begin(change - 6 * QUARTER);
      expect(new Date(change).getTimezoneOffset()).toBe(offset);
      expect(new Date(change - 1).getTimezoneOffset()).not.toBe(offset);
      const names = ['Anna'];
      for (let quarter = -5; quarter <= 6; quarter++) {
        await passes(QUARTER, 3);
        await arrives(`at ${quarter}`);
        names.push(`at ${quarter}`);
      }
      expect((await rowsOf(offices.Gent, received)).map((row) => row.Name)).toEqual(names);
      await expectWell();
      // Three hours are no day, whatever the hands of the clock say.
      for (const name of ['Turku', 'Gent'] as const)
        expect(await listBackups(join(folder.path, name))).toHaveLength(1);
    },
  );

  it.each(sampleOf(CHANGES, 2, 1))(
    '%s that one computer makes by its clock alone is named meanwhile, and costs no row',
    async (_, change, _offset, by) => {
      await begin(change - QUARTER);
      await passes(QUARTER);
      clocks.Turku.set(clocks.Turku.now() + by);
      await arrives('Berit');
      for (const name of ['Turku', 'Gent'] as const) {
        await sync(name);
        const { status, also } = await partnerAt(name);
        expect(status).toBe('paired');
        expect(also).toEqual([expect.stringMatching(/^The two clocks differ by /)]);
      }
      await passes(QUARTER);
      clocks.Turku.set(clocks.Turku.now() - by);
      await arrives('Cilla');
      expect((await rowsOf(offices.Gent, received)).map((row) => row.Name)).toEqual([
        'Anna',
        'Berit',
        'Cilla',
      ]);
      await expectWell();
    },
  );
});
