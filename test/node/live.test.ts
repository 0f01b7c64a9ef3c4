import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sampleOf } from '../support/data/luck.ts';
import { startLiveServer, type LiveServer } from '../support/partners/live-server.ts';
import { rowsOf, startNode, type NodeOffice } from '../support/harness/node.ts';

interface Set_ {
  /** Where live servers reach us. */
  readonly ourBase: string;
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
  return { ourBase, live, office, partner, there: nodeID };
}

/** We invite the live server: we are node A, and type its address. */
async function invitingLive(path = '/api/federation'): Promise<Set_> {
  const { live, office, ourBase } = await start();
  const node = await office.app<{ nodeID: string }>('POST', '/federation/nodes/', {
    baseURL: new URL(live.base).origin + path,
    name: 'Server A',
    contact: 'admin@a.example',
  });
  const uri = await office.app<string>('POST', `/federation/nodes/${node.nodeID}/uri`);
  const { node: there, error } = await live.acceptAndPair(uri);
  expect(error).toBeUndefined();
  await office.app('POST', `/federation/nodes/${node.nodeID}/handshake-confirm`);
  expect(there).toMatchObject({ status: 'paired' });
  return { ourBase, live, office, partner: node.nodeID, there: there.nodeID };
}

interface Partner {
  readonly status: string;
  readonly state: string;
  readonly reason: string;
  readonly dialect?: string;
  readonly baseURL: string;
  readonly expiresAt?: string;
}
const partnerOf = ({ office, partner }: Set_): Promise<Partner> =>
  office.app('GET', `/app/partners/${partner}`);
const sync = ({ office, partner }: Set_): Promise<{ created: number; updated: number; deleted: number }> =>
  office.app('POST', `/federation/nodes/${partner}/sync`);

const inboxOf = async ({ office, partner }: Set_): Promise<{ kind: string; message: string }[]> => {
  const { inbox } = await office.app<{ inbox: { kind: string; nodeID?: string; message: string }[] }>(
    'GET',
    '/app/overview',
  );
  return inbox.filter(({ nodeID }) => nodeID === partner);
};

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
  ['that we invited', () => invitingLive()],
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

    for (const [number, { recordID }] of live.records.slice(0, 40).entries())
      live.put(recordID, { name: `changed ${number}`, amount: `${number}.50`, tags: ['one', `${number}`] });
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
      City: number % 10 === 0 ? '' : `City ${number}`,
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
        .map(({ values }) => {
          const text = (wanted: string): string => values.find(({ name }) => name === wanted)?.value ?? '';
          return `${text('Name')} ${text('City')}`;
        })
        .sort();
    const ours = async (): Promise<string[]> =>
      (await rowsOf(office, list)).map(({ Name = '', City = '' }) => `${Name} ${City}`).sort();
    expect(theirs()).toHaveLength(250);
    expect(theirs()).toEqual(await ours());

    const held = await rowsOf(office, list);
    for (const [number, { recordID }] of held.slice(0, 30).entries())
      await office.app('PATCH', `/app/lists/${list}/rows/${recordID}`, {
        values: { Name: [`changed ${number}`] },
      });
    for (const { recordID } of held.slice(30, 45))
      await office.app('DELETE', `/app/lists/${list}/rows/${recordID}`);
    for (let tick = 0; tick < 3; tick++) await live.puller.tick(there);
    expect(theirs()).toHaveLength(235);
    expect(theirs()).toEqual(await ours());
    for (let number = 0; number < 5; number++)
      await office.app('POST', `/app/lists/${list}/rows`, { values: { Name: [`late ${number}`] } });
    await live.puller.tick(there);
    expect(theirs()).toHaveLength(240);
    expect(theirs()).toEqual(await ours());
    expect(live.puller.panicked).toBeUndefined();
    expect(live.puller.log).toEqual([]);
  });
});

describe('where a live server is', () => {
  it.each(sampleOf(['', '/', '/api', '/federation', '/api/federation/'], 3))(
    'is found from an invite that names it with “%s”, and remembered',
    async (path) => {
      const { live, office, ourBase } = await start();
      const { nodeID } = live.createNode(ourBase);
      const uri = live.invite(nodeID).replace('/api/federation?', `${path}?`);
      const { nodeID: partner } = await office.app<{ nodeID: string }>('POST', '/app/invites/accept', {
        uri,
      });
      expect(await live.confirm(nodeID)).toBeUndefined();
      const set = { ourBase, live, office, partner, there: nodeID };
      expect(await partnerOf(set)).toMatchObject({ baseURL: live.base, dialect: 'live', status: 'paired' });
      await sync(set);
    },
  );

  it.each(sampleOf(['', '/api', '/federation'], 3))(
    'is found from an address that a user typed with “%s”, before our token goes there',
    async (path) => {
      const set = await invitingLive(path);
      expect(await partnerOf(set)).toMatchObject({
        baseURL: set.live.base,
        dialect: 'live',
        status: 'paired',
      });
      expect(set.live.requests.filter((each) => each.endsWith('handshake-complete'))).toHaveLength(1);
    },
  );

  it('what was found out can be corrected by the user, or found out anew', async () => {
    const set = await invitedByLive();
    const change = (dialect: string): Promise<Partner> =>
      set.office.app('PATCH', `/app/partners/${set.partner}`, { dialect });
    expect((await change('shape2')).dialect).toBe('shape2');
    await expect(sync(set)).rejects.toThrow();
    expect((await change('unknown')).dialect).toBeUndefined();
    set.live.expose('Contacts', FIELDS);
    await sync(set);
    expect((await partnerOf(set)).dialect).toBe('live');
    await expect(change('gibberish')).rejects.toThrow('400');
  });
});

describe('the ways of a live server', () => {
  it('pages by a cursor with signs that have to be encoded, and forgets the time unless it is said again', async () => {
    const set = await invitedByLive();
    const { live } = set;
    for (let number = 0; number < 1100; number++)
      live.put(undefined, { name: `Contact ${number}`, amount: '1' });
    const list = await receive(set);
    // Making the list began a pull already; this one waits for it.
    await sync(set);
    const asked = (): string[] => live.requests.splice(0).filter((each) => each.includes('/records/'));
    expect(asked().filter((each) => /pageCursor=[^&]*%(2B|2F|3D)/.test(each)).length).toBeGreaterThan(1);
    expect(
      (await set.office.app<{ total: number }>('GET', `/app/lists/${list}/rows?offset=0&limit=1`)).total,
    ).toBe(1100);
    for (const { recordID } of live.records.slice(0, 600)) live.put(recordID, { name: 'x', amount: '2' });
    expect(await sync(set)).toMatchObject({ created: 0, updated: 600, deleted: 0 });
    expect(asked().every((each) => /lastSync=\d{10}(&|$)/.test(each))).toBe(true);
  });

  it('without the wrapper around what it says (2021.3.0 to 2021.3.4) it is understood as well', async () => {
    const set = await invitedByLive();
    set.live.unwrapped = true;
    set.live.put(undefined, { name: 'Ada', amount: '1', tags: ['red', 'blue', ''] });
    const list = await receive(set);
    await sync(set);
    expect(await shownHere(set, list)).toEqual(['Ada 1 red|blue']);
  });

  it('says null where it has nothing, and that is no error', async () => {
    const set = await invitedByLive();
    expect(await sync(set)).toMatchObject({ created: 0 });
    const list = await receive(set);
    expect(await sync(set)).toMatchObject({ created: 0 });
    expect(await shownHere(set, list)).toEqual([]);
  });

  it('says no under status 200, for people rather than machines: what changed meanwhile still arrives', async () => {
    const set = await invitedByLive();
    const { live } = set;
    const { recordID } = live.put(undefined, { name: 'before', amount: '1' });
    const list = await receive(set);
    await sync(set);
    live.failure = 'not allowed to manage this node';
    live.put(recordID, { name: 'after', amount: '2' });
    await expect(sync(set)).rejects.toThrow('not allowed');
    expect(await partnerOf(set)).toMatchObject({ state: 'error' });
    expect(await shownHere(set, list)).toEqual(['before 1 ']);
    live.failure = undefined;
    await sync(set);
    expect(await shownHere(set, list)).toEqual(['after 2 ']);
  });

  it('while it starts it is waited for, and not taken for broken', async () => {
    const set = await invitedByLive();
    set.live.starting = true;
    await expect(sync(set)).rejects.toThrow('still starting');
    expect(await partnerOf(set)).toMatchObject({ state: 'offline' });
    set.live.starting = false;
    await sync(set);
    expect((await partnerOf(set)).state).not.toBe('offline');
  });

  it('its tokens end after two hours: that is known, and not told from the first minute', async () => {
    const set = await invitedByLive();
    const { expiresAt = '' } = await partnerOf(set);
    const left = Date.parse(expiresAt) - Date.now();
    expect([left > 7_000_000, left < 7_300_000]).toEqual([true, true]);
    await sync(set);
    expect((await partnerOf(set)).state).toBe('up-to-date');
    expect(await inboxOf(set)).toEqual([]);
  });

  it.each([
    ['is there', () => undefined],
    ['cannot be reached', ({ live }: Set_) => live.close()],
    [
      'is put aside by a pause',
      ({ office, partner }: Set_) => office.app('POST', `/app/partners/${partner}/pause`, {}),
    ],
  ])('an ended connection never passes for a live one while the server %s', async (_, meanwhile) => {
    const { live, office, ourBase } = await start();
    live.tokenLifetime = 3;
    const { nodeID } = live.createNode(ourBase);
    const { nodeID: partner } = await office.app<{ nodeID: string }>('POST', '/app/invites/accept', {
      uri: live.invite(nodeID),
    });
    await live.confirm(nodeID);
    const set = { ourBase, live, office, partner, there: nodeID };
    await meanwhile(set);
    // Nobody asks for a pull: the end is noticed by itself, long before the next one would be due.
    await expect.poll(async () => (await partnerOf(set)).status, { timeout: 30_000 }).toBe('unpaired');
    expect(await partnerOf(set)).toMatchObject({ state: 'needs-you' });
    expect(await inboxOf(set)).toMatchObject([{ kind: 'connection-ended' }]);
    expect(await office.app(`GET`, `/federation/nodes/${partner}`)).toMatchObject({ status: 'pending' });
    await expect(sync(set)).rejects.toThrow('409');
    // What is shown as ended is closed: the server's own token, good for months, reads nothing any more.
    const [node] = live.nodes;
    const feed = await fetch(`${ourBase}/nodes/${node?.sharedNodeID ?? ''}/modules/exposed/?limit=1`, {
      headers: { authorization: `Bearer ${node?.authToken ?? ''}` },
    });
    expect([feed.status, await feed.text()]).toEqual([403, expect.stringContaining('node.closed')]);
  });

  it.each(
    sampleOf(
      [
        ['before its end', false],
        ['after it', true],
      ] as const,
      2,
    ),
  )(
    'a connection that is made anew %s goes on where it was: same partner, same lists, no row twice',
    async (_, ends) => {
      const set = await invitedByLive();
      const { live, office, partner, ourBase } = set;
      for (let number = 0; number < 40; number++)
        live.put(undefined, { name: `Contact ${number}`, amount: `${number}` });
      const list = await receive(set);
      await sync(set);
      if (ends) {
        live.revokeTokens();
        await expect(sync(set)).rejects.toThrow('pair again');
      }
      for (const { recordID } of live.records.slice(0, 5))
        live.put(recordID, { name: 'meanwhile', amount: '1' });
      // Only a fresh record on its side can pair again, and there the list has to be exposed again: all ids are new.
      const { nodeID } = live.createNode(ourBase);
      live.exposeAgain();
      const uri = live.invite(nodeID);
      expect(await office.app('POST', '/app/invites/check', { uri })).toMatchObject({
        alreadyKnown: partner,
      });
      expect(await office.app('POST', '/app/invites/accept', { uri })).toEqual({ nodeID: partner });
      expect(await live.confirm(nodeID)).toBeUndefined();
      await sync(set);
      expect(await shownHere(set, list)).toEqual(shownByLive(live));
      expect(await partnerOf(set)).toMatchObject({ status: 'paired', state: 'up-to-date' });
      const offers = await office.app<{ state: string }[]>('GET', `/app/partners/${partner}/offers`);
      expect(offers.map(({ state }) => state)).toEqual(['matched']);
    },
  );

  it('paired again, it has not shared anything yet: nothing counts as withdrawn, and its old record alarms nobody', async () => {
    const set = await invitedByLive();
    const { live, office, ourBase, there: old } = set;
    for (const name of ['Ada Berg', 'Bruno Sá', 'Çiğdem Ak']) live.put(undefined, { name, amount: '12' });
    const list = await receive(set);
    await sync(set);
    const exposed = live.exposures.splice(0);
    for (let pairings = 0; pairings < 3; pairings++) {
      const { nodeID } = live.createNode(ourBase);
      await office.app('POST', '/app/invites/accept', { uri: live.invite(nodeID) });
      expect(await live.confirm(nodeID)).toBeUndefined();
    }
    await sync(set);
    expect(await partnerOf(set)).toMatchObject({
      reason: expect.stringMatching(/hasn’t shared anything yet over the new connection/) as string,
    });
    expect((await inboxOf(set)).map(({ kind }) => kind)).not.toContain('list-withdrawn');
    expect(await shownHere(set, list)).toHaveLength(3);
    const formerToken = live.nodes.find((each) => each.nodeID === old)?.authToken ?? '';
    // Each pairing leaves a record there, and each record asks for all lists once a minute.
    for (let times = 0; times < 25; times++) {
      const answer = await fetch(`${ourBase}/nodes/${old}/modules/exposed/`, {
        headers: { authorization: `Bearer ${formerToken}` },
      });
      const superseded = expect.stringContaining('auth.superseded') as string;
      expect([answer.status, await answer.text()]).toEqual([401, superseded]);
    }
    const { inbox } = await office.app<{ inbox: { kind: string }[] }>('GET', '/app/overview');
    expect(inbox.map(({ kind }) => kind)).not.toContain('stranger');
    expect(await partnerOf(set)).toHaveProperty('formerTokenAt');
    live.exposures.push(...exposed);
    await sync(set);
    expect((await partnerOf(set)).state).toBe('up-to-date');
    live.exposures.splice(0);
    await sync(set);
    expect(
      (await inboxOf(set)).map(({ kind }) => kind),
      'withdrawn for real',
    ).toContain('list-withdrawn');
  });

  it('a field deleted in its module empties no column here until our user agrees, however few rows there are', async () => {
    const set = await invitedByLive();
    const { live } = set;
    for (const [name, amount] of Object.entries({ Ada: '120', Bruno: '75.5', Carla: '9', Dora: '' }))
      live.put(undefined, { name, amount, tags: ['supplier'] });
    const list = await receive(set);
    await sync(set);
    const before = await shownHere(set, list);
    live.passSecond();
    for (const { recordID, values } of live.records) {
      const name = values.find((each) => each.name === 'name')?.value ?? '';
      live.put(recordID, { name, tags: ['supplier'] });
    }
    await sync(set);
    expect(await shownHere(set, list)).toEqual(before);
    const [item] = await inboxOf(set);
    expect(item?.message).toMatch(/would empty values in 3 of 4 rows/);
    live.passSecond();
    for (const [at, amount] of ['120', '75.5', '9'].entries()) {
      const { recordID = '', values = [] } = live.records[at] ?? {};
      live.put(recordID, { name: values[0]?.value ?? '', amount, tags: ['supplier'] });
    }
    await sync(set);
    expect(await inboxOf(set), 'the field came back').toEqual([]);
    expect(await shownHere(set, list)).toEqual(before);
  });

  it('a field deleted in its module empties not the last rows here without a question, if they come two at a time', async () => {
    const set = await invitedByLive();
    const { live } = set;
    for (const name of ['Ada', 'Bruno', 'Carla', 'Dora']) live.put(undefined, { name, amount: '120' });
    const list = await receive(set);
    await sync(set);
    for (const at of [0, 2]) {
      live.passSecond();
      for (const { recordID, values } of live.records.slice(at, at + 2))
        live.put(recordID, { name: values[0]?.value ?? '' });
      await sync(set);
    }
    const shown = JSON.stringify(await shownHere(set, list));
    expect(shown.match(/120/g)).toHaveLength(2);
    expect((await inboxOf(set))[0]?.message).toMatch(/would empty values in 2/);
  });

  it('a field deleted in its module is known after few rows of many, also if they come two at a time', async () => {
    const set = await invitedByLive();
    const { live, office, partner } = set;
    for (let at = 0; at < 12; at++) live.put(undefined, { name: `Contact ${at}`, amount: '120' });
    const list = await receive(set);
    await sync(set);
    /** Rows come anew, the amount is missing unless given; returns how many amounts are here. */
    const saveThere = async (
      from: number,
      to: number,
      more: Record<string, string> = {},
    ): Promise<number> => {
      live.passSecond();
      for (const { recordID, values } of live.records.slice(from, to))
        live.put(recordID, { name: values[0]?.value ?? '', ...more });
      await sync(set);
      return (await shownHere(set, list)).filter((row) => row.includes('120')).length;
    };
    const [offer] = await office.app<{ sharedModuleID: string }[]>('GET', `/app/partners/${partner}/offers`);
    const offered = `/app/partners/${partner}/offers/${offer?.sharedModuleID}`;
    const decide = async (go: boolean): Promise<void> => {
      const { mark } = await office.app<{ mark: string }>('GET', `${offered}/waiting?limit=5`);
      await office.app('POST', `${offered}/brake`, go ? { go, mark } : { go });
    };
    expect([await saveThere(0, 2), await saveThere(2, 4)]).toEqual([10, 8]);
    expect(await inboxOf(set)).toEqual([]);
    expect([await saveThere(4, 6), await saveThere(6, 7)]).toEqual([8, 8]);
    expect((await inboxOf(set))[0]?.message).toMatch(
      /would empty values in 3 more of 12 .*, after 4 earlier/,
    );
    await decide(false);
    expect(await saveThere(7, 8), 'kept: the next one waits at once').toBe(8);
    expect(JSON.stringify(await inboxOf(set))).toContain('would empty values in 1 ');
    await decide(true);
    expect(await saveThere(8, 10), 'approved').toBe(5);
    expect(await saveThere(0, 1, { amount: '120' }), 'the field is back').toBe(6);
    expect(await saveThere(9, 12), 'single values are emptied as usual').toBe(4);
  });

  it('a value deleted there in two rows, while others have one, arrives without a question', async () => {
    const set = await invitedByLive();
    const { live } = set;
    for (const [name, amount] of Object.entries({ Ada: '120', Bruno: '75.5', Carla: '9', Dora: '31' }))
      live.put(undefined, { name, amount });
    const list = await receive(set);
    await sync(set);
    live.passSecond();
    for (const { recordID, values } of live.records.slice(0, 3))
      live.put(recordID, { name: values[0]?.value ?? '' });
    await sync(set);
    expect(await inboxOf(set)).toEqual([]);
    expect(await shownHere(set, list)).toEqual(shownByLive(live));
  });

  it('an empty answer, as of a proxy, pairs nobody, neither way, and the same step works later', async () => {
    const { live, office, ourBase } = await start();
    const { nodeID } = live.createNode(ourBase);
    const uri = live.invite(nodeID);
    const accept = (): Promise<unknown> => office.app('POST', '/app/invites/accept', { uri });
    const ours = await office.app<{ nodeID: string }>('POST', '/federation/nodes/', {
      baseURL: live.base,
      name: 'Server A',
    });
    const { node } = await live.acceptAndPair(
      await office.app<string>('POST', `/federation/nodes/${ours.nodeID}/uri`),
    );
    const confirm = (): Promise<unknown> =>
      office.app('POST', `/federation/nodes/${ours.nodeID}/handshake-confirm`);
    live.trouble = (request, response, next) => {
      if (request.path.includes('/handshake')) response.status(200).end();
      else next();
    };
    await expect(accept()).rejects.toThrow('it doesn’t confirm the pairing');
    await expect(confirm()).rejects.toThrow('it doesn’t confirm the pairing');
    live.trouble = undefined;
    await accept();
    expect(live.nodes[0]).toMatchObject({ status: 'pair_requested' });
    await confirm();
    expect(node).toMatchObject({ status: 'paired' });
  });

  it('a token that it refuses once is told, and tried again before the connection counts as ended', async () => {
    const set = await invitedByLive();
    set.live.revokeTokens();
    await expect(sync(set)).rejects.toThrow('doesn’t accept us at the moment');
    expect(await partnerOf(set)).toMatchObject({ status: 'paired', state: 'error' });
  });

  it('an invite whose token was superseded is refused although the server answers 200', async () => {
    const { live, office, ourBase } = await start();
    const { nodeID } = live.createNode(ourBase);
    const old = live.invite(nodeID);
    live.invite(nodeID);
    await expect(office.app('POST', '/app/invites/accept', { uri: old })).rejects.toThrow(
      'opened in Corteza, it gets a new link',
    );
    expect(live.nodes[0]).toMatchObject({ status: 'pending' });
    live.nodes.length = 0;
    await expect(office.app('POST', '/app/invites/accept', { uri: old })).rejects.toThrow(
      'no longer has an entry for your office',
    );
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
  it('brings back a row that was restored there, although a restore has no time of its own', async () => {
    const set = await invitedByLive();
    const { live, office } = set;
    live.recordsBroken = true;
    for (const name of ['Ada Berg', 'Bruno Sá', 'Çiğdem Ak']) live.put(undefined, { name, amount: '12' });
    const list = await receive(set);
    await sync(set).catch(String);
    await office.app('PUT', `/app/partners/${set.partner}/fallback`, { on: true });
    await sync(set);
    const [first, second] = live.records;
    live.remove(first?.recordID ?? '');
    await sync(set);
    expect(await shownHere(set, list)).toHaveLength(2);
    live.passSecond();
    // Another row has the latest time, so that the reading lacks nothing.
    live.put(second?.recordID, { name: 'Bruno Sá', amount: '13' });
    await sync(set);
    delete first?.deletedAt;
    await sync(set);
    expect(await shownHere(set, list)).toEqual(shownByLive(live));
    expect(await shownHere(set, list)).toHaveLength(3);
  });

  it('tells a deleted module of its origin as a withdrawn list, and the lists beneath go on', async () => {
    const set = await invitedByLive();
    const { live, office } = set;
    live.recordsBroken = true;
    live.put(undefined, { name: 'Ada Berg', amount: '12' });
    const list = await receive(set);
    await sync(set).catch(String);
    await office.app('PUT', `/app/partners/${set.partner}/fallback`, { on: true });
    await sync(set);
    live.deletedModules.add(live.exposures[0]?.composeModuleID ?? '');
    for (let pulls = 0; pulls < 3; pulls++) await sync(set);
    expect((await inboxOf(set)).map(({ kind }) => kind)).toEqual(['list-withdrawn']);
    expect((await partnerOf(set)).state).toBe('needs-you');
    expect(await shownHere(set, list)).toHaveLength(1);
    live.deletedModules.clear();
    await sync(set);
    const [offer] = await office.app<{ state: string }[]>('GET', `/app/partners/${set.partner}/offers`);
    expect(offer).toMatchObject({ state: 'matched' });
  });

  it('is told once, however many lists it shares, with all of them named', async () => {
    const set = await invitedByLive();
    const { live, office } = set;
    live.recordsBroken = true;
    live.put(undefined, { name: 'Ada Berg', amount: '12' });
    await receive(set);
    live.expose('Suppliers', FIELDS);
    await sync(set).catch(String);
    const offers = await office.app<{ sharedModuleID: string; state: string }[]>(
      'GET',
      `/app/partners/${set.partner}/offers`,
    );
    const { sharedModuleID = '' } = offers.find(({ state }) => state !== 'matched') ?? {};
    await office.app('POST', `/app/partners/${set.partner}/offers/${sharedModuleID}/list`, {});
    const told = await sync(set).then(() => '', String);
    expect(told).toMatch(/2 of 2 lists could not be fetched: “Contacts”, “Suppliers”: /);
    expect(told.match(/"message":"[^"]*other way/g)).toHaveLength(1);
    const { reason } = await partnerOf(set);
    expect(reason.match(/other way/g), reason).toHaveLength(1);
    expect(await inboxOf(set)).toEqual([]);
  });

  it('says no more than is known where a single list is not there, and the others go on', async () => {
    const set = await invitedByLive();
    const { live, office } = set;
    live.put(undefined, { name: 'Ada Berg', amount: '12' });
    const list = await receive(set);
    const { moduleID: missing } = live.expose('Suppliers', FIELDS);
    await sync(set);
    const offers = `/app/partners/${set.partner}/offers`;
    const shared = await office.app<{ sharedModuleID: string; state: string }[]>('GET', offers);
    const { sharedModuleID = '' } = shared.find(({ state }) => state !== 'matched') ?? {};
    live.trouble = (request, response, next) => {
      if (request.path.includes(`/modules/${missing}/records`))
        response.json({ error: { message: 'module does not exist' } });
      else next();
    };
    await office.app('POST', `${offers}/${sharedModuleID}/list`, {});
    live.put(undefined, { name: 'Bruno Sá', amount: '13' });
    expect(await sync(set).catch(String)).toContain('1 of 2 lists could not be fetched: “Suppliers”: ');
    const { reason } = await partnerOf(set);
    expect(reason).toMatch(/says this list doesn’t exist\. If it says so for every list, .*other way/);
    expect(reason).not.toMatch(/version|usual way/);
    expect(await shownHere(set, list)).toHaveLength(2);
  });

  it('is said to be so, and read another way only when the user allows it, without columns that were not offered', async () => {
    const set = await invitedByLive();
    const { live, office } = set;
    live.recordsBroken = true;
    for (let number = 0; number < 20; number++)
      live.put(undefined, { name: `Contact ${number}`, amount: 'no number', secret: `TOP-SECRET-${number}` });
    const list = await receive(set);
    const told = await sync(set).catch(String);
    expect(told).toMatch(/^Error: 502 .*"code":"sync.incomplete".*other way.*"response":\{.*"modules":\[/s);
    expect(told).not.toMatch(/did not accept|no longer accept/);
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
