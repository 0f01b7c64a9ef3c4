import { definitionMark } from '../../../server/federation/sharing/definition-mark.ts';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import * as contract from '../../../server/contract/wire/footbridge.ts';
import { blocksFor, createBlockSums, rowDigest } from '../../../server/federation/sharing/digest.ts';
import { tokenProof } from '../../../server/base/hashes.ts';
import { rowsOf } from '../../../server/base/incoming-row.ts';
import { readRowGroup } from '../../../server/base/row-group.ts';
import type { Module } from '../../../server/lists/definitions/model.ts';
import { openPeer, type Peer } from '../../../server/peer/peer.ts';
import {
  pairOffices,
  startHttpOffice,
  type HttpAnswer,
  type HttpOffice,
} from '../../support/harness/served-parts.ts';
import { noise } from '../../support/data/office-lists.ts';
import { seeded } from '../../support/data/seeded.ts';

let a: HttpOffice;
let b: HttpOffice;
let idA: string;
let idB: string;
let token: string;
beforeAll(async () => {
  [a, b] = await Promise.all([startHttpOffice('Oslo'), startHttpOffice('Bergen')]);
  ({ idA, idB } = await pairOffices(a, b));
  token = await b.federation.tokens.tokenFor(idB);
});
afterAll(() => Promise.all([a.close(), b.close()]));

const ok = <T extends z.ZodType>(schema: T, answer: HttpAnswer): z.infer<T> => {
  expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
  return schema.parse(z.strictObject({ response: z.unknown() }).parse(answer.body).response);
};
const base = '/federation/footbridge';
const get = (path: string): Promise<HttpAnswer> => a.call('GET', base + path, { token });
const post = (path: string, body: unknown): Promise<HttpAnswer> =>
  a.call('POST', base + path, { token, body });

let made = 0;
async function shared(rows: number, text = ''): Promise<{ module: Module; moduleID: string }> {
  made += 1;
  const values = Array.from({ length: rows }, (_, i) => ({ Name: [`Row ${i}${text}`], Secret: ['hidden'] }));
  const fields = [
    { kind: 'String' as const, name: 'Name' },
    { kind: 'String' as const, name: 'Secret' },
  ];
  const module = await a.list(`Sheet ${made}`, fields, values);
  const input = { composeModuleID: module.moduleID, fields: [{ name: 'Name' }], shape: 1 as const };
  return { module, moduleID: (await a.federation.exposures.expose(idA, input, '1')).moduleID };
}

describe('a question that is held', () => {
  const peer = (): Peer =>
    openPeer({
      baseURL: `${a.origin}/federation`,
      token,
      allowLoopback: true,
      footbridge: true,
      ownNetwork: false,
      sharedNodeID: idA,
      ownPorts: () => [],
    });

  it('shows signs of life while nothing happens, and answers at once when something does', async () => {
    const { module } = await shared(3);
    const opened = peer();
    onTestFinished(() => opened.close());
    const { footbridge } = opened;
    if (!footbridge) throw new Error('no calls');
    const now = await footbridge.waitForChanges({
      since: undefined,
      timeout: 0,
      hold: undefined,
      run: 'run-of-bergen',
    });
    const beats: number[] = [];
    const began = performance.now();
    const asked = footbridge.waitForChanges(
      { since: now.cursor, timeout: 5, hold: 60, run: 'run-of-bergen' },
      undefined,
      () => beats.push(performance.now() - began),
    );
    await expect.poll(() => beats.length, { timeout: 20_000 }).toBe(2);
    expect(a.federation.incomingRequests.lastRequest(idA)?.fresh).toBe(true);
    // Else a reverse connection would be opened to a partner that seems to call no more.
    expect(a.called).toEqual([idA, idA]);
    const [rows, written] = [await a.lists.rows(module.moduleID), performance.now()];
    await rows.create({ Name: ['Late news'] }, '1');
    const poke = await asked;
    expect(performance.now() - written).toBeLessThan(2_000);
    expect(poke).toMatchObject({ structure: false, modules: [expect.stringMatching(/^\d+$/)] });
    expect(beats).toHaveLength(2);
  });

  it('ends without news after the time for which it may be held', async () => {
    const answer = await get(`/wait?since=${(await cursor()).cursor}&timeout=5&hold=11`);
    expect(answer.text).toMatch(/^ {"response":/);
    expect(ok(contract.waitAnswer, answer)).toMatchObject({ structure: false, modules: [] });
  });

  it('is cut off once its partner may not read any more', async () => {
    const asked = get(`/wait?since=${(await cursor()).cursor}&timeout=5&hold=60`);
    asked.catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    await a.federation.nodes.pause(idA, { serve: true });
    await expect(asked).rejects.toThrow();
    await a.federation.nodes.resume(idA);
  });

  const cursor = async (): Promise<z.infer<typeof contract.waitAnswer>> =>
    ok(contract.waitAnswer, await get('/wait?timeout=0'));
});

describe('the Footbridge extension', () => {
  it('greets strangers, and does not tell them whose computer this is', async () => {
    const answer = await a.call('GET', `/api${base}/hello`);
    expect(ok(contract.hello, answer)).toEqual({ footbridge: 1 });
    expect(answer.text).toBe('{"response":{"footbridge":1}}');
  });

  it('proves to who holds its token that it issued that one, even if it accepts it no more', async () => {
    const [ours, other] = await Promise.all(['Rauma', 'Voss'].map((name) => startHttpOffice(name)));
    const pair = await pairOffices(ours!, other!);
    const held = await other!.federation.tokens.tokenFor(pair.idB);
    const challenge = 'c'.repeat(32);
    const query = `token=${held.slice(0, held.lastIndexOf('.'))}&challenge=${challenge}`;
    await ours!.federation.disconnects.remove(pair.idA, '1');
    const proof = tokenProof(held, 'answers a greeting', challenge);
    const answer = await ours!.call('GET', `${base}/hello?${query}`);
    expect(ok(contract.hello, answer)).toEqual({ footbridge: 1, proof });
    const elsewhere = ok(contract.hello, await other!.call('GET', `${base}/hello?${query}`));
    expect(elsewhere.proof).not.toBe(proof);
    await Promise.all([ours!.close(), other!.close()]);
  });

  it('gives changes by number, each once, and says how many are to come', async () => {
    const { module, moduleID } = await shared(25);
    const seen: string[] = [];
    let query = 'after=0&limit=10';
    for (;;) {
      const page = ok(contract.changesAnswer, await get(`/modules/${moduleID}/changes?${query}`));
      if (seen.length === 0) expect(page.total).toBe(25);
      seen.push(...page.set.map(({ recordID }) => recordID));
      expect(JSON.stringify(page)).not.toContain('hidden');
      query = `after=${page.next}&epoch=${page.epoch}&limit=10`;
      if (!page.more) break;
    }
    expect(new Set(seen).size).toBe(25);
    expect(seen).toHaveLength(25);
    expect(ok(contract.changesAnswer, await get(`/modules/${moduleID}/changes?${query}`)).set).toEqual([]);
    const rows = await a.lists.rows(module.moduleID);
    await rows.patch(seen[3] ?? '', { Name: ['New'] }, '1');
    await rows.remove(seen[4] ?? '', '1');
    const { set } = ok(contract.changesAnswer, await get(`/modules/${moduleID}/changes?${query}`));
    expect(set).toMatchObject([
      { recordID: seen[3], values: [{ name: 'Name', value: 'New' }], via: ['installation-Oslo'] },
      { recordID: seen[4], values: [] },
    ]);
    expect(set[1]?.deletedAt).toBeDefined();
  });

  it('gives new and plain rows as one row group to callers that know of groups, and all others as JSON', async () => {
    const { module, moduleID } = await shared(25);
    const path = `/modules/${moduleID}/changes?limit=10`;
    const { set } = ok(contract.changesAnswer, await get(path));
    const grouped = await get(`${path}&groups=1`);
    expect(grouped.text).not.toContain('hidden');
    const page = ok(contract.groupedChangesAnswer.strict(), grouped);
    const { columns } = readRowGroup(page.set[0], () => true, { valuesPerRow: 500, nameLength: 200 });
    const rows = rowsOf(columns);
    expect(rows).toEqual(
      set.map(({ values, ...row }) => ({
        ...row,
        values: Object.fromEntries(values.map(({ name, value }) => [name, [value]])),
      })),
    );
    const behind = `${path}&groups=1&after=${page.next}&epoch=${page.epoch}`;
    expect(ok(contract.groupedChangesAnswer, await get(behind)).set[0]?.n).toBe(10);
    const list = await a.lists.rows(module.moduleID);
    await list.remove(set[0]?.recordID ?? '', '1');
    const last = ok(contract.changesAnswer.strict(), await get(behind.replace('limit=10', 'limit=20')));
    expect(last.set.map(({ deletedAt }) => deletedAt !== undefined).filter(Boolean)).toEqual([true]);
    expect(last.set).toHaveLength(16);
  });

  it('gives the same in row groups as in JSON, however rows were made, came here and changed', async () => {
    const random = seeded(4307);
    const fields = ['Name', 'Secret', 'City', 'Paid'].map((name) => ({
      kind: name === 'Paid' ? ('Bool' as const) : ('String' as const),
      ...{ name, isMulti: name === 'City' },
    }));
    const module = await a.list('Sheet of several makers', fields, []);
    const input = {
      composeModuleID: module.moduleID,
      fields: ['Paid', 'City', 'Name'].map((name) => ({ name })),
      shape: 1 as const,
    };
    const { moduleID } = await a.federation.exposures.expose(idA, input, '1');
    const rows = await a.lists.rows(module.moduleID);
    const texts = ['', 'Ulm', 'Łódź', 'said "no"', 'C:\\new', 'two\nlines', '😀', '\u0001', ' '];
    const valuesOf = (isOdd: boolean, answers: string[][]): Record<string, string[]> => ({
      Name: [random.pick(isOdd ? [...texts, 'half \ud83d'] : texts)].filter((text) => text !== ''),
      Secret: ['hidden', 'hidden "too"', ''].slice(random.below(3), 2).slice(0, 1),
      City: isOdd && random.happens(0.1) ? ['Ulm', 'Bonn'] : ['Ulm'].slice(random.below(2)),
      Paid: random.pick(answers),
    });
    const at = '2026-11-20T08:00:00Z';
    for (let step = 0; step < 12; step++) {
      const many = Array.from({ length: 5 + random.below(60) }, () =>
        valuesOf(step % 3 === 2, step % 3 === 1 ? [['1'], ['']] : [['1'], []]),
      );
      const via = random.happens(0.5) ? ['inst-far', 'inst-near'] : ['inst-near'];
      await rows.saveMany(
        many.map((values) => ({ values })),
        '1',
        { file: 'rows.csv' },
      );
      const came = many.slice(0, 20).map((values, index) => ({
        recordID: String(1000 * step + index),
        createdAt: at,
        updatedAt: at,
        ...{ values, via },
        ...(step % 2 === 0 && { origin: { id: `origin_of_row-${1_000_000 + 100 * step + index}x`, at } }),
      }));
      await rows.receive({ nodeID: '900', rows: came, mappedColumns: ['Name', 'City', 'Paid'] });
      const { rows: page } = await rows.list({ limit: 500 });
      for (const { recordID } of page)
        if (random.happens(0.02)) await rows.patch(recordID, { Name: ['edited'] }, '1');
        else if (step > 8 && random.happens(0.01)) await rows.remove(recordID, '1');
    }
    let grouped = 0;
    for (let query = ''; ;) {
      const path = `/modules/${moduleID}/changes?limit=${2 + random.below(40)}${query}`;
      const { set, more, next, epoch } = ok(contract.changesAnswer, await get(path));
      const answer = await get(`${path}&groups=1`);
      expect(answer.text).not.toContain('hidden');
      const [group] = z.object({ response: z.object({ set: z.array(z.unknown()) }) }).parse(answer.body)
        .response.set;
      if (contract.groupedChangesAnswer.safeParse((answer.body as { response: unknown }).response).success) {
        const { columns } = readRowGroup(group, () => true, { valuesPerRow: 500, nameLength: 200 });
        expect(rowsOf(columns)).toEqual(
          set.map(({ values, ...row }) => ({
            ...row,
            values: Object.fromEntries(values.map(({ name, value }) => [name, [value]])),
          })),
        );
        grouped++;
      } else expect(ok(contract.changesAnswer, answer).set).toEqual(set);
      if (!more) break;
      query = `&after=${next}&epoch=${epoch}`;
    }
    expect(grouped).toBeGreaterThan(3);
  });

  it('gives row groups that are bounded in letters, and 500 rows where one among the first is not plain', async () => {
    const { module, moduleID } = await shared(2000, ' to the harbour'.repeat(60));
    const path = `/modules/${moduleID}/changes?limit=2000&marks=1&groups=1`;
    const page = ok(contract.groupedChangesAnswer, await get(path));
    const n = page.set[0]?.n ?? 0;
    expect(n).toBeGreaterThan(600);
    expect(n).toBeLessThan(1000);
    // The page named behind it fits into one group as well: no row of it is asked for twice.
    const [end] = page.marks ?? [];
    const behind = `${path}&epoch=${page.epoch}&after=${page.next}`;
    expect(ok(contract.groupedChangesAnswer, await get(`${behind}&until=${end}`)).next).toBe(end);

    const rows = await a.lists.rows(module.moduleID);
    const { recordID } = await rows.create({ Name: ['Cancelled delivery'] }, '1');
    await rows.remove(recordID, '1');
    for (let at = 0; at < 600; at++) await rows.create({ Name: [`Delivery ${at}`] }, '1');
    const second = ok(contract.groupedChangesAnswer, await get(behind));
    const position = `${path}&epoch=${second.epoch}&after=${second.next}`;
    const last = ok(contract.changesAnswer, await get(position));
    expect([last.set.length, last.more]).toEqual([500, true]);
  });

  it('H2: cuts a page of large values before the partner would refuse it, and loses none', async () => {
    const { module, moduleID } = await shared(0);
    const rows = await a.lists.rows(module.moduleID);
    const letters = noise(seeded(20), 1_000_020);
    for (let at = 0; at < 20; at++)
      await rows.create({ Name: [`${at} ${letters.slice(at, at + 1_000_000)}`] }, '1');
    const seen: string[] = [];
    let query = 'limit=1000';
    for (let pages = 1; ; pages++) {
      const page = ok(contract.changesAnswer, await get(`/modules/${moduleID}/changes?${query}`));
      expect(JSON.stringify(page).length).toBeLessThan(10 * 1024 * 1024);
      seen.push(...page.set.map(({ values }) => values[0]?.value.split(' ')[0] ?? ''));
      query = `after=${page.next}&epoch=${page.epoch}&limit=1000`;
      if (!page.more) break;
      expect(pages).toBeLessThan(5);
    }
    expect(seen).toEqual(Array.from({ length: 20 }, (_, at) => String(at)));
  });

  it('names the pages that follow, which then hold each row once, whatever changes meanwhile', async () => {
    const { module, moduleID } = await shared(25);
    const changes = async (query: string, limit = 10): Promise<z.infer<typeof contract.changesAnswer>> =>
      ok(contract.changesAnswer, await get(`/modules/${moduleID}/changes?limit=${limit}&${query}`));
    const first = await changes('marks=3');
    const [mark = 0, ...further] = first.marks ?? [];
    // The third page is not full, and so ends nowhere yet.
    expect(further).toEqual([]);
    expect(await changes('')).not.toHaveProperty('marks');
    const second = await changes(`after=${first.next}&until=${mark}&epoch=${first.epoch}`);
    expect(second).toMatchObject({ next: mark, more: true });
    expect(second.set).toHaveLength(10);

    const rows = await a.lists.rows(module.moduleID);
    for (const { recordID } of second.set) await rows.patch(recordID, { Name: ['New'] }, '1');
    const emptied = await changes(`after=${first.next}&until=${mark}&epoch=${first.epoch}`);
    expect(emptied).toMatchObject({ next: mark, more: true, set: [] });
    const rest = await changes(`after=${mark}&epoch=${first.epoch}`);
    const moved = await changes(`after=${rest.next}&epoch=${first.epoch}`);
    const seen = [first, emptied, rest, moved].flatMap(({ set }) => set.map(({ recordID }) => recordID));
    expect(new Set(seen).size).toBe(25);
    expect(seen).toHaveLength(25);
    expect(moved.more).toBe(false);
    expect(
      (await get(`/modules/${moduleID}/changes?after=${mark}&until=${mark}&epoch=${first.epoch}`)).status,
    ).toBe(400);
  });

  it('asks for a new beginning when the choice of columns changed or the number is not one of ours', async () => {
    const { module, moduleID } = await shared(2);
    const { epoch, next } = ok(contract.changesAnswer, await get(`/modules/${moduleID}/changes`));
    const path = `/modules/${moduleID}/changes?after=${next}`;
    expect((await get(`${path}&epoch=${epoch}`)).status).toBe(200);
    const unknown = `/modules/${moduleID}/changes?after=${next - 1}`;
    for (const wrong of [path, `${unknown}&epoch=${epoch}`, `${path}&epoch=other`]) {
      const { status, body } = await get(wrong);
      expect([status, body]).toMatchObject([409, { error: { code: 'feed.epoch' } }]);
    }
    const wider = {
      composeModuleID: module.moduleID,
      fields: [{ name: 'Name' }, { name: 'Secret' }],
      shape: 1 as const,
    };
    await a.federation.exposures.change(idA, moduleID, wider, '1');
    expect((await get(`${path}&epoch=${epoch}`)).status).toBe(409);
  });

  it('gives no row to who knows the columns as they were before a change of kind', async () => {
    const { module, moduleID } = await shared(3);
    const known = async (): Promise<string> => {
      const { fields } = await a.federation.feed.module(await a.federation.nodes.get(idA), moduleID);
      return definitionMark(fields);
    };
    const before = await known();
    const path = `/modules/${moduleID}/changes?columns=`;
    expect(ok(contract.changesAnswer, await get(`${path}${before}`)).set).toHaveLength(3);
    await a.lists.updateModule(module.moduleID, {
      fields: module.fields.map((field) => (field.name === 'Name' ? { ...field, kind: 'Select' } : field)),
    });
    const { status, body } = await get(`${path}${before}`);
    expect([status, body]).toMatchObject([409, { error: { code: 'feed.definition' } }]);
    expect(JSON.stringify(body)).not.toContain('set');
    expect(ok(contract.changesAnswer, await get(`${path}${await known()}`)).set).toHaveLength(3);
    await a.settled();
  });

  it('keeps rows from the partner they came from, and from circles', async () => {
    const { module, moduleID } = await shared(1);
    const rows = await a.lists.rows(module.moduleID);
    const times = { createdAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-01T00:00:00Z' };
    const row = (recordID: string, via: string[]): object => ({
      recordID,
      ...times,
      values: { Name: ['back'] },
      via,
    });
    const receive = (nodeID: string, recordID: string, via: string[]): Promise<unknown> =>
      rows.receive({ nodeID, rows: [row(recordID, via) as never], mappedColumns: ['Name'] });
    await receive(idA, '501', []);
    await receive('99', '502', ['installation-Bergen', 'installation-Voss']);
    await receive('99', '503', ['installation-Voss']);
    const { set } = ok(contract.changesAnswer, await get(`/modules/${moduleID}/changes`));
    expect(set.map(({ values, via }) => [values[0]?.value, via])).toEqual([
      ['Row 0', ['installation-Oslo']],
      ['back', ['installation-Voss', 'installation-Oslo']],
    ]);
  });

  it('gives named rows, and sums over all that tell whether both sides are identical', async () => {
    const { module, moduleID } = await shared(300);
    const rows = await a.lists.rows(module.moduleID);
    const { rows: some } = await rows.list({ limit: 300 });
    const recordIDs = [some[0]?.recordID ?? '', '77'];
    const named = ok(contract.rowsAnswer, await post(`/modules/${moduleID}/rows`, { recordIDs }));
    expect(named.set.map(({ recordID }) => recordID)).toEqual([recordIDs[0]]);

    const blocks = blocksFor(300);
    const own = createBlockSums(blocks);
    for (const { recordID, values } of some) own.add(recordID, rowDigest(recordID, values, ['Name']));
    const path = `/modules/${moduleID}/digest`;
    const sums = ok(contract.digestAnswer, await post(path, { fields: ['Name'], blocks }));
    expect(sums.blocks).toEqual(own.result());
    const { set } = ok(contract.digestBlock, await post(path, { fields: ['Name'], blocks, block: 1 }));
    expect(set).toHaveLength(sums.blocks[1]?.count ?? -1);
    expect((await post(path, { fields: ['Secret'], blocks })).status).toBe(400);
    expect((await post(path, { fields: ['Name'], blocks, block: blocks })).status).toBe(400);
  });

  it('answers a wait at once when there is news, and within a moment when it comes', async () => {
    const { module, moduleID } = await shared(1);
    const first = ok(contract.waitAnswer, await get('/wait?timeout=5'));
    expect(first).toMatchObject({ structure: true });
    expect(first.modules).toContain(moduleID);
    const quiet = ok(contract.waitAnswer, await get(`/wait?timeout=0&since=${first.cursor}`));
    expect(quiet).toMatchObject({ structure: false, modules: [] });

    const waiting = get(`/wait?timeout=30&since=${first.cursor}`);
    await new Promise((done) => setTimeout(done, 50));
    const changedAt = performance.now();
    await (await a.lists.rows(module.moduleID)).create({ Name: ['Fresh'] }, '1');
    const news = ok(contract.waitAnswer, await waiting);
    expect(performance.now() - changedAt).toBeLessThan(15_000);
    expect(news).toMatchObject({ structure: false, modules: [moduleID] });

    const forStructure = get(`/wait?timeout=30&since=${news.cursor}`);
    await a.federation.exposures.remove(idA, moduleID, '1');
    expect(ok(contract.waitAnswer, await forStructure)).toMatchObject({ structure: true });
  });

  it('ends the oldest of too many waits of one partner', async () => {
    const { module } = await shared(1);
    const { cursor } = ok(contract.waitAnswer, await get('/wait?timeout=0'));
    const waits = Array.from({ length: 6 }, () => get(`/wait?timeout=30&since=${cursor}`));
    const started = performance.now();
    expect(ok(contract.waitAnswer, await Promise.race(waits)).modules).toEqual([]);
    expect(performance.now() - started).toBeLessThan(20_000);
    await (await a.lists.rows(module.moduleID)).create({ Name: ['Fresh'] }, '1');
    await Promise.all(waits);
  });

  it('takes strangers and users for what they are', async () => {
    expect((await a.call('GET', `${base}/wait?timeout=0`)).status).toBe(401);
    expect((await a.call('GET', `${base}/wait?timeout=0`, { token: a.userToken('admin') })).status).toBe(403);
    const proof = { nodeID: idA, proof: 'f'.repeat(64) };
    expect((await a.call('POST', `${base}/pairing`, { body: proof })).status).toBe(401);
  });

  it('is closed to a partner that does not accept our token, says why by code, and opens when it is tried again', async () => {
    const { moduleID } = await shared(3);
    const everything = [
      `${base}/wait?timeout=0`,
      `${base}/modules/${moduleID}/changes?after=0&limit=10`,
      '/federation/exposed/modules',
      '/federation/exposed/records',
      `/federation/exposed/records/${moduleID}`,
      `/federation/nodes/${idA}/modules/${moduleID}/records`,
      `/federation/nodes/${idA}/modules/${moduleID}/records/`,
      `/federation/nodes/${idA}/modules/exposed/`,
    ];
    const asked = async (): Promise<unknown[]> => {
      const answers = await Promise.all(everything.map((path) => a.call('GET', path, { token })));
      return answers.map(({ status, body }) => {
        const told = z.object({ error: z.object({ code: z.string() }) }).safeParse(body);
        return told.success ? `${status} ${told.data.error.code}` : status;
      });
    };
    await a.federation.disconnects.markEnded(idA, 'The partner does not accept our token.');
    expect(await asked()).toEqual(everything.map(() => `403 ${contract.CONNECTION_CLOSED}`));
    await a.federation.disconnects.reconnect(idA);
    expect(await asked()).toEqual(everything.map(() => 200));
  });

  it('is told how far the partner has come, and takes no nonsense for it', async () => {
    const told = { moduleID: '1', wanted: 'yes', epoch: 'of another time', after: 3, held: 2, apart: 1 };
    expect((await post('/standing', { lists: [told] })).status).toBe(200);
    expect((await post('/standing', { lists: [{ ...told, held: -1 }] })).status).toBe(400);
    expect((await post('/standing', {})).status).toBe(400);
    expect(await a.federation.destinations.sharingFacts(await a.federation.nodes.get(idA))).toMatchObject({
      held: 2,
      apart: 1,
    });
  });

  it('renews a token, and ends with what the partner asked for when it says goodbye', async () => {
    const { uri } = await a.federation.invites.create(idA);
    await b.federation.invites.accept(uri, { nodeID: idB }, '1');
    await b.federation.pairing.pair(idB);
    expect((await a.federation.nodes.get(idA)).pairing?.as).toBe('inviter');
    const { token: fresh } = ok(contract.tokenAnswer, await post('/token', {}));
    expect((await a.call('GET', `${base}/wait?timeout=0`, { token: fresh })).status).toBe(200);
    expect((await get('/wait?timeout=0')).status).toBe(401);
    const bye = await a.call('POST', `${base}/goodbye`, { token: fresh, body: { removeRequest: true } });
    expect([bye.status, bye.body]).toEqual([200, {}]);
    expect((await a.call('GET', `${base}/wait?timeout=0`, { token: fresh })).status).toBe(401);
    const node = await a.federation.nodes.get(idA);
    expect(node.status).toBe('unpaired');
    expect(node.pairing).toBeUndefined();
    expect(node.removeRequestedAt).toBeDefined();
  });

  it('says by code that it is over, to the holder of a token that was good once', async () => {
    const answer = await a.call('GET', `${base}/wait?timeout=0`, { token });
    expect([answer.status, answer.body]).toMatchObject([401, { error: { code: contract.CONNECTION_ENDED } }]);
    const other = await a.call('GET', `${base}/wait?timeout=0`, { token: `${token}x` });
    expect([other.status, other.body]).toMatchObject([401, { error: { code: 'auth.wrong' } }]);
  });
});
