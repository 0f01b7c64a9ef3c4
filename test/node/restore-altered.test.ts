import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { restore } from '../../server/commands/backup.ts';
import { alteredBackup, type BackedUp } from '../support/faults/altered-backup.ts';
import { sampleOf } from '../support/data/luck.ts';
import { temporaryFolder } from '../support/harness/temporary-folder.ts';
import {
  backupOf,
  isOpen,
  type NodeOffice,
  type Pair,
  pairNodes,
  putBack,
  rowsOf,
  shareAndReceive,
  startNode,
} from '../support/harness/node.ts';

/** A backup is no secret and carries none: whoever gets at the file can write into it whatever they like. */
let home: { path: string; remove: () => Promise<void> };
let oslo: NodeOffice;
let bergen: NodeOffice;
let pair: Pair;
let customers: string;
let wages: string;

const data = (): string => join(home.path, 'oslo');

const WAYS: readonly (readonly [string, (file: Buffer) => Promise<void>])[] = [
  [
    'the window',
    async (file) => {
      await putBack(oslo, file);
    },
  ],
  [
    'the command',
    async (file) => {
      await oslo.stop();
      const path = join(home.path, 'altered.backup');
      await writeFile(path, file);
      await restore(path, { data: data() });
      oslo = await startNode('Oslo', { dataDir: data(), port: oslo.port });
    },
  ],
];

type Change = (entries: readonly BackedUp[]) => readonly BackedUp[];
const without =
  (...tables: readonly string[]): Change =>
  (entries) =>
    entries.filter(({ table }) => !tables.includes(table));
/** How far it knows of what was taken back: as it is, left out, and further than anybody ever came. */
const REACHES: readonly (readonly [string, Change])[] = [
  ['as it is', (entries) => entries],
  ['left out', without('withdrawn-reach')],
  ['of another folder', changed('withdrawn-reach', () => ({ book: 'another', no: 3 }))],
  ['far ahead', changed('withdrawn-reach', (value) => ({ ...value, no: 1_000_000 }))],
];

function changed(table: string, change: (value: Record<string, unknown>) => unknown): Change {
  return (entries) =>
    entries.map((each) =>
      each.table === table ? { ...each, value: change(each.value as Record<string, unknown>) } : each,
    );
}

/** One more entry, like one that there is. */
const also =
  (table: string, key: string, make: (like: Record<string, unknown>) => unknown): Change =>
  (entries) => {
    const like = entries.find((each) => each.table === table)?.value ?? {};
    return [...entries, { table, key, value: make(like as Record<string, unknown>) }];
  };
const all =
  (...changes: readonly Change[]): Change =>
  (entries) =>
    changes.reduce((so, change) => change(so), entries);

const inbox = async (): Promise<string> =>
  (await oslo.app<{ inbox: { message: string }[] }>('GET', '/app/overview')).inbox
    .map(({ message }) => message)
    .join('\n');
const pull = (): Promise<unknown> => bergen.app('POST', `/app/partners/${pair.atInvited}/sync`);
const offered = async (): Promise<string> =>
  JSON.stringify(await bergen.app('GET', `/app/partners/${pair.atInvited}/offers`));

beforeEach(async () => {
  home = await temporaryFolder();
  [oslo, bergen] = [await startNode('Oslo', { dataDir: data() }), await startNode('Bergen')];
  pair = await pairNodes(oslo, bergen);
  customers = await oslo.list('Customers', ['Name', 'Iban'], [{ Name: 'Ødegård Bygg', Iban: 'NO83' }]);
  wages = await oslo.list('Wages', ['Who', 'Much'], [{ Who: 'Boss', Much: '99999' }]);
  await shareAndReceive({ office: oslo, partner: pair.atInviter, list: customers }, ['Name'], {
    office: bergen,
    partner: pair.atInvited,
  });
});
afterEach(async () => {
  await Promise.all([oslo.stop(), bergen.stop()]);
  await home.remove();
});

/** A share of a list that was never shared, with the partner that is connected. */
async function ofWages(): Promise<Change> {
  const { fields } = await oslo.app<{ fields: { fieldID: string }[] }>('GET', `/app/lists/${wages}`);
  return also('exposure', '4242424242', (like) => ({
    ...like,
    ...{ moduleID: '4242424242', composeModuleID: wages, name: 'Wages', handle: 'Wages' },
    fieldIDs: fields.slice(0, 1).map(({ fieldID }) => fieldID),
  }));
}

const THIEF = '4343434343';
const COOKIE = 'known-to-the-thief'.padEnd(43, 'x');

/** A window that is signed in, and every door. */
function lettingIn(): Change {
  const hash = createHash('sha256').update(COOKIE).digest('hex');
  const now = Date.now();
  const session = { hash, expiresAt: now + 86_400_000, begunAt: now, usedAt: now, seen: 0 };
  const doors = { network: true, plainPartners: true, nearby: true, publicUrl: 'https://thief.example' };
  return all(
    also('window-session', hash, () => session),
    changed('settings', (value) => ({ ...value, ...doors })),
  );
}

/** The partner at another address, and another one that holds the same token. */
function calling(baseURL: string): Change {
  return all(
    also('node', THIEF, (like) => ({ ...like, nodeID: THIEF, baseURL })),
    changed('node', (value) => ({ ...value, baseURL })),
  );
}

/** A copy into a file of the thief's choice, and a list that is kept as in it. */
function filesAt(path: string): Change {
  const watched = { moduleID: customers, path, keyFieldID: '1', match: {}, reading: {}, by: '1' };
  return all(
    changed('list-copy', () => ({ moduleID: wages, path })),
    also('watched-file', customers, () => watched),
  );
}

/** A computer that hears with what it is called. */
async function listening(): Promise<{ readonly baseURL: string; readonly heard: readonly unknown[] }> {
  const heard: unknown[] = [];
  const server = createServer((request, response) => {
    heard.push(request.headers.authorization);
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { heard, baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/federation` };
}

describe.each(
  // Another one of the reaches in each of the ways; all of them in the nightly run.
  WAYS.map(([name, put], at) => [name, put, sampleOf(REACHES, 4, at)] as const),
)('R9: a backup that somebody altered and that is put back by %s', (_, put, reaches) => {
  it.each(reaches)(
    'opens nothing and tells it, where how far it knows of what was taken back is %s',
    async (_reach, reach) => {
      const [own, theirs] = [join(home.path, 'copy.csv'), join(home.path, 'profile.csv')];
      await writeFile(theirs, 'Who,Much\nsecret,1\n');
      await oslo.app('PUT', `/app/lists/${wages}/copy`, { path: own, replace: false });
      await oslo.app('PATCH', '/app/settings', { publicUrl: 'https://oslo.example', firstRunDone: true });
      const { baseURL, heard } = await listening();
      const change = all(await ofWages(), lettingIn(), filesAt(theirs), calling(baseURL), reach);
      await put(alteredBackup(await backupOf(oslo), change));

      const messages = await inbox();
      await pull().catch((error: unknown) => expect(String(error)).toMatch(/paused/));
      await oslo.app('POST', `/app/partners/${pair.atInviter}/shares-seen`);
      await pull();
      expect(await offered()).not.toContain('Wages');
      expect(messages).toMatch(/“Wages” was still shared with/);

      const base = new URL(oslo.ready.window);
      const headers = { cookie: `footbridge_${base.port}=${COOKIE}` };
      expect((await fetch(new URL('/app/lists', base), { headers })).status).toBe(401);
      const { settings } = await oslo.app<{ settings: object }>('GET', '/app/settings');
      expect(settings).toMatchObject({ network: false, plainPartners: false, nearby: false });
      expect(settings).toMatchObject({ publicUrl: 'https://oslo.example' });
      expect(messages).toMatch(/stays closed/);

      for (const nodeID of [THIEF, pair.atInviter])
        await oslo.app('POST', `/app/partners/${nodeID}/sync`).catch(() => undefined);
      expect(heard).toEqual([]);

      for (const list of [wages, customers])
        expect(JSON.stringify(await oslo.app('GET', `/app/lists/${list}/files`))).not.toContain('profile');
      expect(await readFile(theirs, 'utf8')).toBe('Who,Much\nsecret,1\n');
      expect(messages).toMatch(/“Customers” was linked to a file/);
    },
  );
});

it('R9: a share of a backup that was never altered goes on as it was, and its window stays signed in', async () => {
  const entered = await fetch(oslo.node.windowLink(), { redirect: 'manual' });
  const cookie = (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const file = await backupOf(oslo);
  await WAYS[0]?.[1](file);
  const answer = await fetch(new URL('/app/overview', oslo.ready.window), { headers: { cookie } });
  expect(answer.status).toBe(200);
  await oslo.app('POST', `/app/lists/${customers}/rows`, { values: { Name: ['Lyngen Fisk'] } });
  await pull();
  expect(await inbox()).not.toMatch(/Older data/);
  const [list] = await bergen.app<{ moduleID: string }[]>('GET', '/app/lists');
  expect(JSON.stringify(await rowsOf(bergen, list?.moduleID ?? ''))).toContain('Lyngen Fisk');
});

it('R9: a backup that somebody altered lets nothing go of what left, and says nothing that no user could', async () => {
  await oslo.app('PATCH', '/app/settings', { keepLedgerDays: 400, keepBinDays: 60 });
  const settings = async (): Promise<object> =>
    (await oslo.app<{ settings: object }>('GET', '/app/settings')).settings;
  const good = await backupOf(oslo);
  for (const keepLedgerDays of [30, -9999]) {
    const odd = { keepLedgerDays, keepBinDays: -9999, language: '../../there' };
    await WAYS[0]?.[1](
      alteredBackup(
        good,
        changed('settings', (value) => ({ ...value, ...odd })),
      ),
    );
    expect(await settings()).toMatchObject({ keepLedgerDays: 400, keepBinDays: 90, language: 'system' });
    expect(await inbox()).toMatch(/time the sharing log is kept/);
  }
  await WAYS[0]?.[1](good);
  expect(await settings()).toMatchObject({ keepLedgerDays: 400, keepBinDays: 60 });
});

it(
  'R9: on another computer the doors of a backup are closed, no file is followed, and partners wait for a yes',
  { tags: 'nightly-orders' },
  async () => {
    const copy = join(home.path, 'copy.csv');
    await oslo.app('PUT', `/app/lists/${wages}/copy`, { path: copy, replace: false });
    await oslo.app('PATCH', '/app/settings', { publicUrl: 'https://oslo.example' });
    const file = join(home.path, 'oslo.backup');
    await writeFile(file, await backupOf(oslo));
    await restore(file, { data: join(home.path, 'new') });
    const moved = await startNode('Oslo', { dataDir: join(home.path, 'new') });
    onTestFinished(() => moved.stop());
    const { settings } = await moved.app<{ settings: object }>('GET', '/app/settings');
    expect(settings).toMatchObject({ publicUrl: '' });
    expect(await moved.app('GET', `/app/lists/${wages}/files`)).toEqual({});
    const told = (await moved.app<{ inbox: { kind: string; message: string }[] }>('GET', '/app/overview'))
      .inbox;
    expect(told.map(({ kind }) => kind)).toContain('shares-unsure');
    const messages = told.map(({ message }) => message).join('\n');
    expect(messages).toMatch(/“Wages” was linked to a file/);
    expect(messages).toMatch(/stays closed/);
  },
);

/** Whole by its checksums, and nothing that Footbridge could work with. */
const WRONG: readonly (readonly [Change, number?])[] = [
  // A list without columns, a share without columns, and changes beyond counting.
  [also('module', '9', () => ({ moduleID: '9', fields: 7 }))],
  [changed('exposure', (value) => ({ ...value, fieldIDs: null }))],
  [(entries) => entries, Number.MAX_SAFE_INTEGER],
];
/** In a list: a time that no clock has, counts that are none, rows and views of another form. */
const WRONG_IN_LIST: readonly Change[] = [
  changed('line', () => 9e15),
  changed('line', () => 8.64e15 - 9),
  changed('row', (value) => ({ ...value, updatedAt: '+275760-09-12T23:59:59.999Z' })),
  changed('row', (value) => ({ ...value, received: {} })),
  changed('row', (value) => ({ ...value, recordID: '99' })),
  changed('tally', () => ({ total: 1, received: null })),
  changed('row', (value) => ({ ...value, values: null })),
  changed('row', () => null),
  changed('view', () => ({ view: { viewID: '7' } })),
];
const REFUSED = /cannot work with|damaged/;

it(
  'R7: a backup that is whole and wrong inside is refused, and everything goes on as it was',
  { tags: 'nightly-orders' },
  async () => {
    const columns = { order: [], hidden: [], widths: {}, frozen: 0 };
    for (const name of ['One', 'Another'])
      await oslo.app('POST', `/app/lists/${customers}/views`, { name, filters: [], search: '', columns });
    const good = await backupOf(oslo);
    const before = await readdir(data());
    const wrong = [
      ...WRONG.map(([change, last]) => alteredBackup(good, change, last)),
      ...WRONG_IN_LIST.map((change) => alteredBackup(good, change, undefined, `list-${customers}`)),
    ];
    for (const file of wrong) {
      const answer = await oslo.fetch('/app/restore', { method: 'POST', body: new Uint8Array(file) });
      expect(answer.status).toBe(422);
      expect(await answer.text()).toMatch(REFUSED);
      await isOpen(oslo);
    }
    await oslo.stop();
    const path = join(home.path, 'wrong.backup');
    for (const file of wrong) {
      await writeFile(path, file);
      await expect(restore(path, { data: data() })).rejects.toThrow(REFUSED);
    }
    oslo = await startNode('Oslo', { dataDir: data(), port: oslo.port });
    expect(await readdir(data())).toEqual(before);
    await oslo.app('POST', `/app/lists/${customers}/rows`, { values: { Name: ['Lyngen Fisk'] } });
    await pull();
  },
);
