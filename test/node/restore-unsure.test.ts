import { cp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inspectDataFolder } from '../../server/node/inspect-data-folder.ts';
import { sampleOf } from '../support/data/luck.ts';
import { temporaryFolder } from '../support/harness/temporary-folder.ts';
import { pairNodes, rowsOf, shareAndReceive, startNode, type NodeOffice } from '../support/harness/node.ts';

interface InboxItem {
  readonly kind: string;
  readonly message: string;
}

let home: { path: string; remove: () => Promise<void> };
let oslo: NodeOffice;
let bergen: NodeOffice;
let bergenAtOslo: string;
let osloAtBergen: string;
let customers: string;
let there: string;

const data = (): string => join(home.path, 'oslo');
const older = (): string => join(home.path, 'older');
const inbox = async (): Promise<InboxItem[]> =>
  (await oslo.app<{ inbox: InboxItem[] }>('GET', '/app/overview')).inbox;
const kinds = async (): Promise<string[]> => (await inbox()).map(({ kind }) => kind);
const received = async (): Promise<string> => JSON.stringify(await rowsOf(bergen, there));
const pull = (): Promise<unknown> => bergen.app('POST', `/app/partners/${osloAtBergen}/sync`);
const advice = async (): Promise<string> => (await inspectDataFolder(data())).advice.join('\n');

beforeEach(async () => {
  home = await temporaryFolder();
  [oslo, bergen] = [await startNode('Oslo', { dataDir: data() }), await startNode('Bergen')];
  ({ atInviter: bergenAtOslo, atInvited: osloAtBergen } = await pairNodes(oslo, bergen));
  customers = await oslo.list('Customers', ['Name', 'Iban'], [{ Name: 'Ødegård Bygg', Iban: 'NO83 3000' }]);
  const from = { office: oslo, partner: bergenAtOslo, list: customers };
  there = (await shareAndReceive(from, ['Name', 'Iban'], { office: bergen, partner: osloAtBergen })).list;
  const orders = await oslo.list('Orders', ['Number'], [{ Number: '2026-0417' }]);
  await shareAndReceive({ ...from, list: orders }, ['Number'], { office: bergen, partner: osloAtBergen });
  await oslo.app('DELETE', `/app/partners/${bergenAtOslo}/shares/${orders}`);
});
afterEach(async () => {
  await Promise.all([oslo.stop(), bergen.stop()]);
  await home.remove();
});

/** Hides a column, and writes into it; what it was before lies aside. */
async function hide(): Promise<void> {
  await oslo.stop();
  await cp(data(), older(), { recursive: true });
  oslo = await startNode('Oslo', { dataDir: data(), port: oslo.port });
  await oslo.app('PUT', `/app/partners/${bergenAtOslo}/shares/${customers}`, { fields: ['Name'] });
  await oslo.app('POST', `/app/lists/${customers}/rows`, {
    values: { Name: ['Lyngen Fisk'], Iban: ['NO11 SECRET'] },
  });
  await pull();
}

async function harmed(harm: () => Promise<unknown>): Promise<string> {
  await oslo.stop();
  await harm();
  const before = await advice();
  oslo = await startNode('Oslo', { dataDir: data(), port: oslo.port });
  return before;
}

const putBack = async (...names: string[]): Promise<void> => {
  for (const name of names) {
    await rm(join(data(), name), { recursive: true, force: true });
    await cp(join(older(), name), join(data(), name), { recursive: true });
  }
};
const notes = (): string => join(data(), 'withdrawn.jsonl');
const status = async (): Promise<string> =>
  (await oslo.app<{ status: string }>('GET', `/app/partners/${bergenAtOslo}`)).status;
const GARBAGE = Buffer.alloc(3000, 0xfe);

const AND_LIST: readonly [string, () => Promise<unknown>][] = [
  ['and the list of what was withdrawn as well', () => putBack('store/system', 'withdrawn.jsonl')],
  [
    'and that list is gone',
    async () => {
      await putBack('store/system');
      await rm(notes());
    },
  ],
  [
    'and that list is empty',
    async () => {
      await putBack('store/system');
      await writeFile(notes(), '');
    },
  ],
  [
    'and that list cannot be read',
    async () => {
      await putBack('store/system');
      await writeFile(notes(), GARBAGE);
    },
  ],
  [
    'and that list and how far all had come are older as well',
    () => putBack('store/system', 'store/marks.json', 'withdrawn.jsonl'),
  ],
];
describe.each(sampleOf(AND_LIST, 5))('R9: partners and shares are older than they were, %s', (_, harm) => {
  it('lets nothing leave until the user has looked, and tells it everywhere', async () => {
    await hide();
    expect(await harmed(harm)).toMatch(/can’t read anything/);
    await expect(pull()).rejects.toThrow(/paused/);
    expect(await received()).not.toContain('SECRET');
    const told = (await inbox()).find(({ kind }) => kind === 'shares-unsure');
    expect(told?.message).toMatch(/can’t read anything for now/);
    expect(await oslo.app('GET', `/app/partners/${bergenAtOslo}`)).toMatchObject({
      unsure: true,
      state: 'needs-you',
    });
    expect(await advice()).toMatch(/can’t read anything until you review/);

    // A restart, or a pause that is taken back, is no yes.
    await harmed(() => Promise.resolve());
    await oslo.app('POST', `/app/partners/${bergenAtOslo}/resume`);
    await oslo.app('POST', '/app/resume');
    await expect(pull()).rejects.toThrow(/paused/);

    await oslo.app('PUT', `/app/partners/${bergenAtOslo}/shares/${customers}`, { fields: ['Name'] });
    await oslo.app('POST', `/app/partners/${bergenAtOslo}/shares-seen`);
    await pull();
    expect(await received()).toContain('Lyngen Fisk');
    expect(await received()).not.toContain('SECRET');
    expect(await kinds()).not.toContain('shares-unsure');
    expect(await advice()).not.toMatch(/can’t read anything until you review/);
  });
});

describe.each<[string, () => Promise<unknown>]>([
  ['is older', () => putBack('withdrawn.jsonl')],
  ['is gone', () => rm(notes())],
  ['cannot be read', () => writeFile(notes(), GARBAGE)],
])('R9: the list of what was withdrawn %s, and nothing else is', (_, harm) => {
  it('is begun anew and told, and everything stays as it was', async () => {
    await hide();
    expect(await harmed(harm)).toMatch(/list of what you have withdrawn/i);
    await pull();
    expect(await received()).toContain('Lyngen Fisk');
    expect(await received()).not.toContain('SECRET');
    expect((await inbox()).map(({ message }) => message).join()).toMatch(/list of what you had withdrawn/);
    expect(await kinds()).not.toContain('shares-unsure');
    await oslo.stop();
    expect(await advice()).not.toMatch(/list of what you have withdrawn/i);
    oslo = await startNode('Oslo', { dataDir: data(), port: oslo.port });

    // From now on it is a list like any other: but it does not know what had been taken back before.
    await harmed(() => putBack('store/system'));
    await expect(pull()).rejects.toThrow(/paused/);
  });
});

it.each<[string, () => Promise<unknown>]>([
  ['is older', () => putBack('store/marks.json')],
  ['is gone', () => rm(join(data(), 'store', 'marks.json'))],
])('R9: only what says how far all had come %s: partners read on', async (_, harm) => {
  await hide();
  await harmed(harm);
  await pull();
  expect(await received()).toContain('Lyngen Fisk');
  expect(await received()).not.toContain('SECRET');
  expect(await kinds()).not.toContain('shares-unsure');
});

it('R9: partners and shares alone are older: the list closes what was withdrawn, and all goes on', async () => {
  await hide();
  await harmed(() => putBack('store/system'));
  await pull();
  expect(await received()).toContain('Lyngen Fisk');
  expect(await received()).not.toContain('SECRET');
  expect(await kinds()).toContain('kept-withdrawn');
  expect(await kinds()).not.toContain('shares-unsure');
});

describe.each<[string, () => Promise<unknown>]>([
  ['the partner had ended it', () => bergen.app('POST', `/federation/nodes/${osloAtBergen}/revoke`)],
  [
    'our user had invited it once more',
    async () => {
      await bergen.app('POST', `/federation/nodes/${osloAtBergen}/revoke`);
      await expect.poll(status).toBe('unpaired');
      await oslo.app('POST', `/federation/nodes/${bergenAtOslo}/uri`);
    },
  ],
])('R9: partners and shares are older than they were, of when %s, and the list is gone', (_, end) => {
  it('leaves what was shared closed once both pair anew, until the user has looked', async () => {
    await end();
    await expect.poll(status).not.toBe('paired');
    await oslo.stop();
    await cp(data(), older(), { recursive: true });
    oslo = await startNode('Oslo', { dataDir: data(), port: oslo.port });
    await oslo.app('PUT', `/app/partners/${bergenAtOslo}/shares/${customers}`, { fields: ['Name'] });
    await oslo.app('POST', `/app/lists/${customers}/rows`, { values: { Iban: ['NO11 SECRET'] } });
    await harmed(async () => {
      await putBack('store/system');
      await rm(notes());
    });

    const uri = await oslo.app<string>('POST', `/federation/nodes/${bergenAtOslo}/uri`);
    await bergen.app('POST', '/app/invites/accept', { uri, ownNetwork: true });
    await oslo.app('POST', `/federation/nodes/${bergenAtOslo}/handshake-confirm`);
    await expect.poll(status).toBe('paired');
    await expect(pull()).rejects.toThrow(/paused/);
    expect(await received()).not.toContain('SECRET');
    expect(await kinds()).toContain('shares-unsure');

    await oslo.app('PUT', `/app/partners/${bergenAtOslo}/shares/${customers}`, { fields: ['Name'] });
    await oslo.app('POST', `/app/partners/${bergenAtOslo}/shares-seen`);
    await pull();
    expect(await received()).not.toContain('SECRET');
    expect(await rowsOf(bergen, there)).toHaveLength(2);
  });
});
