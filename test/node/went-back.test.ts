import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PartnerDetail, InboxItem } from '../../server/contract/app.ts';
import type { Offer } from '../../server/contract/app-sharing.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/disk-folder.ts';
import {
  pairNodes,
  rowsOf,
  shareAndReceive,
  startNode,
  type NodeOffice,
  type Pair,
} from '../support/node-office.ts';

let folder: TemporaryFolder;
/** Oslo shares its customers with Bergen. */
let oslo: NodeOffice;
let bergen: NodeOffice;
let pair: Pair;
let shared: { readonly sharedModuleID: string; readonly list: string };
let customers: string;

const dataOf = (name: string): string => join(folder.path, name);
const copyOf = (name: string): string => join(folder.path, `${name}-copy`);

async function start(name: string, port = 0): Promise<NodeOffice> {
  return startNode(name, { dataDir: dataOf(name), port });
}

/** Copies the folder of an office while it is closed. */
async function copy(office: NodeOffice, name: string): Promise<NodeOffice> {
  await office.stop();
  await cp(dataOf(name), copyOf(name), { recursive: true });
  return start(name, office.port);
}

/** Puts the copy in the place of what an office has now: all of it is older, and whole. */
async function putBack(office: NodeOffice, name: string): Promise<NodeOffice> {
  await office.stop();
  await rm(dataOf(name), { recursive: true });
  await cp(copyOf(name), dataOf(name), { recursive: true });
  return start(name, office.port);
}

const add = (office: NodeOffice, list: string, rows: readonly string[]): Promise<unknown> =>
  office.app('POST', `/app/import?moduleID=${list}`, ['Name,Town', ...rows].join('\n'));
const shown = async (office: NodeOffice, list: string): Promise<string[]> =>
  (await rowsOf(office, list)).map(({ Name = '', Town = '' }) => `${Name},${Town}`).sort();
const atOslo = (): Promise<string[]> => shown(oslo, customers);
const atBergen = (): Promise<string[]> => shown(bergen, shared.list);
const range = (text: string, town: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${text} ${String(at).padStart(2, '0')},${town}`);
const sync = (): Promise<unknown> => bergen.app('POST', `/app/partners/${pair.atInvited}/sync`);

async function change(office: NodeOffice, list: string, name: string, town: string): Promise<void> {
  const row = (await rowsOf(office, list)).find((each) => each.Name === name);
  await office.app('PATCH', `/app/lists/${list}/rows/${row?.recordID}`, { values: { Town: [town] } });
}

const partnerAt = async (office: NodeOffice, nodeID: string): Promise<string> =>
  (await office.app<PartnerDetail>('GET', `/app/partners/${nodeID}`)).reason;
const offerAtBergen = async (): Promise<Offer | undefined> =>
  (await bergen.app<Offer[]>('GET', `/app/partners/${pair.atInvited}/offers`))[0];
const inbox = async (office: NodeOffice): Promise<readonly InboxItem[]> =>
  (await office.node.overview()).inbox;
const decide = (go: boolean): Promise<unknown> =>
  bergen.app('POST', `/app/partners/${pair.atInvited}/offers/${shared.sharedModuleID}/brake`, { go });

beforeEach(async () => {
  folder = await temporaryFolder();
  [oslo, bergen] = [await start('Oslo'), await start('Bergen')];
  pair = await pairNodes(oslo, bergen);
  customers = await oslo.list('Customers', ['Name', 'Town']);
  await add(oslo, customers, range('Strand', 'Oslo', 12));
  shared = await shareAndReceive(
    { office: oslo, partner: pair.atInviter, list: customers },
    ['Name', 'Town'],
    { office: bergen, partner: pair.atInvited },
  );
});
afterEach(async () => {
  await Promise.all([oslo.stop(), bergen.stop()]);
  await folder.remove();
});

describe('R1: the folder of the one who shares goes back as a whole, and it writes on', () => {
  beforeEach(async () => {
    oslo = await copy(oslo, 'Oslo');
    // Five rows and a change that the partner gets, and that are gone a moment later.
    await add(oslo, customers, range('Lost', 'Hamar', 5));
    await change(oslo, customers, 'Strand 03', 'Moss');
    await sync();
    expect(await atBergen()).toEqual(await atOslo());
    oslo = await putBack(oslo, 'Oslo');
    // As many changes again, under the numbers that the partner knows already.
    await add(oslo, customers, range('After', 'Skien', 9));
    await sync();
  });

  it('what was written since arrives, and what is gone waits here and is told at both', async () => {
    expect(await atOslo()).toHaveLength(21);
    expect(await atBergen()).toHaveLength(26);
    expect((await atBergen()).filter((row) => row.startsWith('After'))).toHaveLength(9);
    expect(await atBergen()).toContain('Strand 03,Moss');
    expect((await offerAtBergen())?.brake).toMatchObject({ removes: 5, older: 1, wentBack: 6 });
    expect(await inbox(bergen)).toMatchObject([{ kind: 'went-back', rows: 6 }]);
    expect(await partnerAt(bergen, pair.atInvited)).toMatch(
      /went back .* 6 rows that you have are gone or older/,
    );
    await expect
      .poll(() => partnerAt(oslo, pair.atInviter), { timeout: 20_000 })
      .toMatch(/Your data went back .* still has 6 rows/);
  });

  it('both are equal once the partner takes over what is there', async () => {
    await decide(true);
    expect(await atBergen()).toEqual(await atOslo());
    expect(await atBergen()).toContain('Strand 03,Oslo');
    await sync();
    expect((await offerAtBergen())?.brake).toBeUndefined();
    expect(await atBergen()).toEqual(await atOslo());
  });

  it('what the partner keeps stays kept, and it is said that they differ', async () => {
    await decide(false);
    await sync();
    expect(await atBergen()).toHaveLength(26);
    expect(await partnerAt(bergen, pair.atInvited)).toMatch(/You kept 6 rows/);
    // The next word on a row counts again.
    await change(oslo, customers, 'Strand 03', 'Lillehammer');
    await sync();
    expect(await atBergen()).toContain('Strand 03,Lillehammer');
    expect(await atBergen()).toHaveLength(26);
  });
});

describe('R1: it goes back, and has written nothing since', () => {
  it('is noticed as well', async () => {
    oslo = await copy(oslo, 'Oslo');
    await add(oslo, customers, range('Lost', 'Hamar', 3));
    await sync();
    oslo = await putBack(oslo, 'Oslo');
    await sync();
    expect((await offerAtBergen())?.brake).toMatchObject({ removes: 3, wentBack: 3 });
  });

  it('is not said of one that was only started again, many times and with writes between', async () => {
    for (const round of [1, 2, 3]) {
      await oslo.stop();
      oslo = await start('Oslo', oslo.port);
      await add(oslo, customers, range(`Round ${round}`, 'Hamar', round));
      if (round !== 2) await sync();
    }
    expect(await atBergen()).toEqual(await atOslo());
    expect((await offerAtBergen())?.brake).toBeUndefined();
    expect(bergen.logged.join()).not.toMatch(/went back/);
  });
});
