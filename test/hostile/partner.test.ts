import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowDigest } from '../../server/federation/sharing/digest.ts';
import { rawRequest } from '../support/harness/http.ts';
import { watchTurns } from '../support/reading/longest-turn.ts';
import { startNode, type NodeOffice } from '../support/harness/node.ts';
import { scriptedPartner, type ScriptedPartner } from '../support/partners/scripted-partner.ts';

/** A partner that our user trusts and that does not deserve it: its token is good, its requests are not. */
let a: NodeOffice;
let b: ScriptedPartner;
let list: string;
let exposureID: string;
beforeAll(async () => {
  a = await startNode('Oslo');
  b = await scriptedPartner(a, 'Bergen');
  const rows = Array.from({ length: 40 }, (_, at) => ({ Name: `Name ${at}`, Phone: `555 ${at}` }));
  list = await a.list('Customers', ['Name', 'Phone', 'Salary'], rows);
  await a.app('PUT', `/app/partners/${b.nodeID}/shares/${list}`, { fields: ['Name', 'Phone'] });
  const [share] = await a.app<{ exposureID: string }[]>('GET', `/app/partners/${b.nodeID}/shares`);
  exposureID = share?.exposureID ?? '';
});
afterAll(() => Promise.all([a.stop(), b.close()]));

interface Line {
  fields: string[];
  rows: number;
  recordIDs: string[];
  digests?: boolean;
}
const ledger = (): Promise<{ total: number; lines: Line[] }> =>
  a.app('GET', `/app/partners/${b.nodeID}/ledger`);

describe('a partner that wants to read without a trace', () => {
  const digest = (body: object): ReturnType<ScriptedPartner['ask']> =>
    b.ask('POST', `/federation/footbridge/modules/${exposureID}/digest`, { body });

  it('finds the fingerprints of single rows, from which short values can be guessed, in the ledger', async () => {
    expect(await digest({ fields: ['Name', 'Phone'], blocks: 1 })).toMatchObject({ status: 200 });
    expect((await ledger()).lines).toMatchObject([{ fields: ['Name', 'Phone'], rows: 0, digests: true }]);

    expect(await digest({ fields: ['Phone'], blocks: 4096 })).toMatchObject({ status: 200 });
    expect((await ledger()).lines[0]).toMatchObject({ fields: ['Phone'], rows: 40, digests: true });

    expect(await digest({ fields: ['Name'], blocks: 1, block: 0 })).toMatchObject({ status: 200 });
    expect((await ledger()).lines[0]).toMatchObject({ fields: ['Name'], rows: 40, digests: true });
  });

  it('finds there too that it asked for sums, from which whoever knows the other rows has one’s fingerprint', async () => {
    const rows = (await b.ask('GET', `/federation/exposed/records/${exposureID}?perPage=100`)).response as {
      set: { recordID: string; values: { name: string; value: string }[] }[];
    };
    const digestOf = (recordID: string, phone: string): bigint =>
      BigInt(`0x${rowDigest(recordID, { Phone: [phone] }, ['Phone'])}`);
    const [changed, ...others] = rows.set.map(({ recordID, values }) => ({
      recordID,
      phone: values.find(({ name }) => name === 'Phone')?.value ?? '',
    }));
    const before = await ledger();
    await a.app('PATCH', `/app/lists/${list}/rows/${changed?.recordID ?? ''}`, {
      values: { Phone: ['4711'] },
    });
    const { blocks } = (await digest({ fields: ['Phone'], blocks: 1 })).response as {
      blocks: { digest: string }[];
    };
    const known = others.reduce((sum, { recordID, phone }) => sum + digestOf(recordID, phone), 0n);
    const one = BigInt.asUintN(128, BigInt(`0x${blocks[0]?.digest ?? ''}`) - known);
    expect(one).toBe(digestOf(changed?.recordID ?? '', '4711'));

    const { total, lines } = await ledger();
    expect(total).toBe(before.total + 1);
    expect(lines[0]).toMatchObject({ fields: ['Phone'], rows: 0, digests: true });
  });

  it('that asks for a large list fills the page of the ledger with no more than the first hundred ids', async () => {
    const rows = Array.from({ length: 120 }, (_, at) => ({ Name: `Name ${at}` }));
    const large = await a.list('Large', ['Name'], rows);
    await a.app('PUT', `/app/partners/${b.nodeID}/shares/${large}`, { fields: ['Name'] });
    const shares = await a.app<{ exposureID: string; moduleID: string }[]>(
      'GET',
      `/app/partners/${b.nodeID}/shares`,
    );
    const share = shares.find(({ moduleID }) => moduleID === large)?.exposureID ?? '';
    await b.ask('GET', `/federation/exposed/records/${share}?perPage=200`);
    const [line] = (await ledger()).lines;
    expect(line).toMatchObject({ rows: 120 });
    expect(line?.recordIDs).toHaveLength(100);
  });

  it('S7: has each column gone through once, however often it names it', async () => {
    const fields = Array.from({ length: 500 }, () => 'Phone');
    expect(await digest({ fields, blocks: 1 })).toMatchObject({ status: 400 });
    expect(await digest({ fields, blocks: 1, block: 0 })).toMatchObject({ status: 400 });
  });

  it('S7: keeps nobody waiting while fingerprints of long texts are made', async () => {
    const notes = await a.list('Notes', ['Text']);
    const long = Array.from({ length: 300 }, (_, at) => `${at} ${'a long remark '.repeat(14_000)}`);
    await a.app('POST', `/app/import?moduleID=${notes}`, ['Text', ...long].join('\n'));
    await a.app('PUT', `/app/partners/${b.nodeID}/shares/${notes}`, { fields: ['Text'] });
    const shares = await a.app<{ exposureID: string; composeModuleID: string }[]>(
      'GET',
      `/app/partners/${b.nodeID}/shares`,
    );
    const path = `/federation/footbridge/modules/${shares.at(-1)?.exposureID ?? ''}/digest`;
    const turns = watchTurns();
    expect(await b.ask('POST', path, { body: { fields: ['Text'], blocks: 1 } })).toMatchObject({
      status: 200,
    });
    expect(turns.end()).toBeLessThan(150);
  });

  it('gets fingerprints of no column that is not shared', async () => {
    expect(await digest({ fields: ['Salary'], blocks: 4096 })).toMatchObject({ status: 400 });
  });

  it('learns nothing of a column that is not shared by sorting or searching by it', async () => {
    const path = `/federation/exposed/modules/${exposureID}/records`;
    for (const query of ['sort=Salary', "query=Salary%20%3D%20'1'", "query=Salary%20LIKE%20'%25'"])
      expect(await b.ask('GET', `${path}?${query}`)).toMatchObject({ status: 400 });
  });
});

it('S7: keeps nobody waiting while a whole list of many rows is written out for it', async () => {
  const lines = Array.from({ length: 30_000 }, (_, at) => `Name ${at},${(at * 7919) % 99_991}`);
  const { moduleID } = await a.app<{ moduleID: string }>(
    'POST',
    '/app/import?list=Everybody&file=everybody.csv',
    ['Name,Number', ...lines].join('\n'),
  );
  const { exposureID: whole } = await a.app<{ exposureID: string }>(
    'PUT',
    `/app/partners/${b.nodeID}/shares/${moduleID}`,
    { fields: ['Name', 'Number'] },
  );
  const turns = watchTurns();
  // Only its bytes are taken: reading a text of this size in the same thread takes longer than any turn of the office.
  const answer = await rawRequest(a.port, `/federation/nodes/${b.nodeID}/modules/${whole}/records/`, {
    headers: { authorization: `Bearer ${b.token}` },
  });
  const longest = turns.end();
  expect(answer.status).toBe(200);
  expect(answer.text.length).toBeGreaterThan(1_000_000);
  expect(longest).toBeLessThan(150);
});

it('S7: has no body looked at in which far more is wrong than any call has', async () => {
  const lists = Array.from({ length: 2000 }, () => ({ others: Array<number>(100).fill(0) }));
  const answer = await b.ask('POST', '/federation/footbridge/standing', { body: { lists } });
  expect(answer).toMatchObject({ status: 400, text: expect.stringContaining('too many parts') as string });
});

describe('S7: a partner that asks for everything at once and reads none of it', () => {
  it('is given one answer at a time and is told to wait; others are served', async () => {
    const sockets: Socket[] = [];
    const answers = Array.from({ length: 40 }, () => {
      const socket = connect(a.port, '127.0.0.1');
      sockets.push(socket);
      let text = '';
      socket.setEncoding('latin1').on('data', (part: string) => (text += part));
      socket.on('error', () => undefined);
      // The rest of the body never comes: whoever is inside stays there, as with an answer that is never taken in.
      socket.write(
        `POST /federation/footbridge/modules/${exposureID}/rows HTTP/1.1\r\nHost: x\r\n` +
          `Authorization: Bearer ${b.token}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
      );
      return () => text;
    });
    await expect.poll(() => answers.filter((text) => text().includes(' 429 ')).length).toBe(23);
    expect(answers.filter((text) => text().includes('"request.at-once"'))).toHaveLength(23);
    expect(answers.filter((text) => text() === '')).toHaveLength(17);
    expect((await rawRequest(a.port, '/healthz')).status).toBe(200);
    const c = await scriptedPartner(a, 'Copenhagen');
    expect(await c.ask('GET', '/federation/exposed/modules')).toMatchObject({ status: 200 });
    await c.close();

    for (const socket of sockets) socket.destroy();
    await expect
      .poll(async () => (await b.ask('GET', '/federation/exposed/modules')).status, { timeout: 10_000 })
      .toBe(200);
    expect((await a.node.overview()).inbox.map(({ kind }) => kind)).not.toContain('stranger');
  });
});
