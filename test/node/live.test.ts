import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startLiveServer, type LiveServer } from '../support/live-server.ts';
import { rowsOf, startNode, type NodeOffice } from '../support/node-office.ts';

interface Set_ {
  readonly live: LiveServer;
  readonly office: NodeOffice;
  /** Our id of the live server. */
  readonly partner: string;
  /** Its id of us. */
  readonly there: string;
}

async function start(): Promise<{ live: LiveServer; office: NodeOffice; ourBase: string }> {
  const live = await startLiveServer();
  onTestFinished(() => live.close());
  const office = await startNode('Berlin', { remoteManagement: true });
  onTestFinished(() => office.stop());
  return { live, office, ourBase: `${office.ready.federation}/federation` };
}

/** The live server invites us: we are node B. */
async function invitedByLive(): Promise<Set_> {
  const { live, office, ourBase } = await start();
  const { nodeID } = live.createNode(ourBase);
  const { nodeID: partner } = await office.app<{ nodeID: string }>('POST', '/app/invites/accept', {
    uri: live.invite(nodeID),
  });
  expect(live.nodes[0]).toMatchObject({ status: 'pair_requested' });
  expect(await live.confirm(nodeID)).toBeUndefined();
  return { live, office, partner, there: nodeID };
}

/** We invite the live server: we are node A, and type its address. */
async function invitingLive(): Promise<Set_> {
  const { live, office } = await start();
  const node = await office.app<{ nodeID: string }>('POST', '/federation/nodes/', {
    baseURL: live.base,
    name: 'Server A',
    contact: 'admin@a.example',
  });
  const uri = await office.app<string>('POST', `/federation/nodes/${node.nodeID}/uri`);
  const { node: there, error } = await live.acceptAndPair(uri);
  expect(error).toBeUndefined();
  await office.app('POST', `/federation/nodes/${node.nodeID}/handshake-confirm`);
  expect(there).toMatchObject({ status: 'paired' });
  return { live, office, partner: node.nodeID, there: there.nodeID };
}

interface Partner {
  readonly status: string;
  readonly state: string;
  readonly reason: string;
  readonly dialect?: string;
  readonly expiresAt?: string;
}
const partnerOf = ({ office, partner }: Set_): Promise<Partner> =>
  office.app('GET', `/app/partners/${partner}`);
const sync = ({ office, partner }: Set_): Promise<{ created: number; updated: number; deleted: number }> =>
  office.app('POST', `/federation/nodes/${partner}/sync`);

const FIELDS = [
  { kind: 'String', name: 'name', label: 'Name', isMulti: false },
  { kind: 'Number', name: 'amount', label: 'Amount', isMulti: false },
  { kind: 'Select', name: 'tags', label: 'Tags', isMulti: true },
  { kind: 'User', name: 'owner', label: 'Owner', isMulti: false },
];

/** The live server shares its list, and we receive it in one like it. */
async function receive(set: Set_): Promise<string> {
  set.live.expose('Contacts', FIELDS);
  await sync(set);
  const [offer] = await set.office.app<{ sharedModuleID: string }[]>(
    'GET',
    `/app/partners/${set.partner}/offers`,
  );
  const made = `/app/partners/${set.partner}/offers/${offer?.sharedModuleID}/list`;
  return (await set.office.app<{ moduleID: string }>('POST', made, {})).moduleID;
}

/** What the live server has, as it should stand here. */
function shownByLive(live: LiveServer): string[] {
  return live.records
    .filter(({ deletedAt, federated }) => deletedAt === undefined && !federated)
    .map(({ values }) => {
      const texts = (wanted: string): string =>
        values
          .filter(({ name, value }) => name === wanted && value !== '')
          .map(({ value }) => value)
          .join('|');
      return `${texts('name')} ${texts('amount')} ${texts('tags')}`;
    })
    .sort();
}

async function shownHere({ office }: Set_, moduleID: string): Promise<string[]> {
  const rows = await rowsOf(office, moduleID);
  return rows.map(({ name = '', amount = '', tags = '' }) => `${name} ${amount} ${tags}`).sort();
}

describe.each([
  ['that invited us', invitedByLive],
  ['that we invited', invitingLive],
])('a live server %s', (_, pair) => {
  it('is known for one, and moves 250 rows with changes and deletions to us, none lost, none twice', async () => {
    const set = await pair();
    const { live } = set;
    expect(await partnerOf(set)).toMatchObject({ status: 'paired', dialect: 'live' });
    for (let number = 0; number < 250; number++) {
      live.put(undefined, {
        name: `Contact ${number}`,
        amount: String(number),
        tags: ['red', 'blue'],
        owner: '523396883913479269',
        secret: 'TOP-SECRET',
      });
    }
    live.put(undefined, { name: 'only a name', amount: '', tags: [] });
    const list = await receive(set);
    await sync(set);
    expect(await shownHere(set, list)).toEqual(shownByLive(live));
    expect(await shownHere(set, list)).toHaveLength(251);

    for (const { recordID } of live.records.slice(0, 40))
      live.put(recordID, { name: 'changed', amount: '7.50', tags: 'one' });
    for (const { recordID } of live.records.slice(40, 60)) live.remove(recordID);
    for (let number = 0; number < 9; number++) live.put(undefined, { name: `late ${number}` });
    expect(await sync(set)).toMatchObject({ created: 9, updated: 40, deleted: 20 });
    expect(await shownHere(set, list)).toEqual(shownByLive(live));
    const rows = await rowsOf(set.office, list);
    expect(rows.every(({ owner = '', secret = '' }) => owner === '' && secret === '')).toBe(true);
  });

  it('takes 250 rows from us with changes and deletions, none lost, none twice, and lives', async () => {
    const set = await pair();
    const { live, office, partner, there } = set;
    const rows = Array.from({ length: 250 }, (__, number) => ({
      Name: `Row ${number}`,
      City: `City ${number % 9}`,
    }));
    const list = await office.list('Customers', ['Name', 'City'], rows);
    await office.app('PUT', `/app/partners/${partner}/shares/${list}`, { fields: ['Name', 'City'] });
    await live.puller.tick(there);
    const [moduleID] = [...live.puller.shared.keys()];
    expect(live.puller.shared.get(moduleID ?? '')).toMatchObject({ name: 'Customers' });
    live.puller.map(moduleID ?? '');
    await live.puller.tick(there);
    const theirs = (): string[] =>
      live.records
        .filter(({ federated, deletedAt }) => federated && deletedAt === undefined)
        .map(({ values }) => values.map(({ value }) => value).join(' '))
        .sort();
    const ours = async (): Promise<string[]> =>
      (await rowsOf(office, list)).map(({ Name = '', City = '' }) => `${Name} ${City}`).sort();
    expect(theirs()).toHaveLength(250);
    expect(theirs()).toEqual(await ours());

    const held = await rowsOf(office, list);
    for (const { recordID } of held.slice(0, 30))
      await office.app('PATCH', `/app/lists/${list}/rows/${recordID}`, { values: { Name: ['changed'] } });
    for (const { recordID } of held.slice(30, 45))
      await office.app('DELETE', `/app/lists/${list}/rows/${recordID}`);
    for (let tick = 0; tick < 3; tick++) await live.puller.tick(there);
    expect(theirs()).toHaveLength(235);
    expect(theirs()).toEqual(await ours());
    expect(live.puller.panicked).toBeUndefined();
    expect(live.puller.log).toEqual([]);
  });
});

describe('the ways of a live server', () => {
  it('while it starts it is waited for, and not taken for broken', async () => {
    const set = await invitedByLive();
    set.live.starting = true;
    await expect(sync(set)).rejects.toThrow('still starting');
    expect(await partnerOf(set)).toMatchObject({ state: 'offline' });
    set.live.starting = false;
    await sync(set);
    expect((await partnerOf(set)).state).not.toBe('offline');
  });

  it('its tokens end: that is told before, and afterwards it never passes for connected', async () => {
    const set = await invitedByLive();
    const { expiresAt = '' } = await partnerOf(set);
    expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(7_000_000);
    const short = await start();
    short.live.tokenLifetime = 3;
    const { nodeID } = short.live.createNode(short.ourBase);
    const { nodeID: partner } = await short.office.app<{ nodeID: string }>('POST', '/app/invites/accept', {
      uri: short.live.invite(nodeID),
    });
    await short.live.confirm(nodeID);
    const ending = { ...short, partner, there: nodeID };
    expect(await partnerOf(ending)).toMatchObject({
      state: 'needs-you',
      reason: expect.stringMatching(/ends in|has ended/) as string,
    });
    await new Promise((resolve) => setTimeout(resolve, 3500));
    await expect(sync(ending)).rejects.toThrow('Pair again');
    expect(await partnerOf(ending)).toMatchObject({ status: 'unpaired', state: 'needs-you' });
  });

  it('revoked tokens end the connection', async () => {
    const set = await invitedByLive();
    set.live.revokeTokens();
    await expect(sync(set)).rejects.toThrow('Pair');
    expect(await partnerOf(set)).toMatchObject({
      state: 'needs-you',
      reason: expect.stringContaining('Pair') as string,
    });
  });

  it('an invite whose token was superseded is refused although the server answers 200', async () => {
    const { live, office, ourBase } = await start();
    const { nodeID } = live.createNode(ourBase);
    const old = live.invite(nodeID);
    live.invite(nodeID);
    await expect(office.app('POST', '/app/invites/accept', { uri: old })).rejects.toThrow();
    expect(live.nodes[0]).toMatchObject({ status: 'pending' });
  });

  it('a removed list is withdrawn here, what was received stays', async () => {
    const set = await invitedByLive();
    set.live.put(undefined, { name: 'stays' });
    const list = await receive(set);
    await sync(set);
    set.live.exposures[0]!.deletedAt = Math.floor(Date.now() / 1000);
    await sync(set);
    const [offer] = await set.office.app<{ state: string }[]>('GET', `/app/partners/${set.partner}/offers`);
    expect(offer).toMatchObject({ state: 'withdrawn' });
    expect(await shownHere(set, list)).toHaveLength(1);
  });
});

describe('a live server whose record feed is broken (2022.9 and later)', () => {
  it('is said to be so, and read another way only when the user allows it, without columns that were not offered', async () => {
    const set = await invitedByLive();
    const { live, office } = set;
    live.recordsBroken = true;
    for (let number = 0; number < 20; number++)
      live.put(undefined, { name: `Contact ${number}`, amount: 'no number', secret: `TOP-SECRET-${number}` });
    const list = await receive(set);
    const result = await office.app<{ modules: { error?: string }[] }>(
      'POST',
      `/federation/nodes/${set.partner}/sync`,
    );
    expect(result.modules[0]?.error).toContain('another way');
    const status = (): Promise<{ fallback?: string }> =>
      office.app('GET', `/federation/nodes/${set.partner}/sync`);
    expect((await status()).fallback).toBe('offered');
    expect(await shownHere(set, list)).toEqual([]);

    await office.app('PUT', `/app/partners/${set.partner}/fallback`, { on: true });
    await sync(set);
    expect((await status()).fallback).toBe('on');
    for (const { recordID } of live.records.slice(0, 15))
      live.put(recordID, { name: 'right', amount: '5', secret: 'TOP-SECRET' });
    live.remove(live.records[0]!.recordID);
    await sync(set);
    expect(await shownHere(set, list)).toEqual(Array.from({ length: 14 }, () => 'right 5 '));
    await office.stop();
    const files = await readdir(join(office.dataDir), { recursive: true, withFileTypes: true }).catch(
      () => [],
    );
    for (const file of files.filter((each) => each.isFile())) {
      const bytes = await readFile(join(file.parentPath, file.name));
      expect(bytes.includes('TOP-SECRET'), file.name).toBe(false);
    }
  });
});
