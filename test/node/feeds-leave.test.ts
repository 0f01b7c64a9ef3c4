import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startNode, type NodeOffice } from '../support/harness/node.ts';
import { csvOf, signatures } from '../support/data/office-lists.ts';
import { ENCODINGS, readAnswer, slowly, type Reading } from '../support/reading/reader.ts';
import { scriptedPartner, type ScriptedPartner } from '../support/partners/scripted-partner.ts';

const LIST = signatures();

interface Answer {
  readonly response: {
    readonly set: readonly { recordID: string; values: { name: string; value: string }[] }[];
  };
}

describe('what partners read of a list that does not compress', { timeout: 120_000 }, () => {
  let office: NodeOffice;
  let partner: ScriptedPartner;
  let shared: string;

  beforeAll(async () => {
    office = await startNode('North Trading');
    partner = await scriptedPartner(office, 'Berlin');
    const { moduleID } = await office.app<{ moduleID: string }>(
      'POST',
      '/app/import?list=signatures',
      csvOf(LIST),
    );
    const share = { fields: LIST.columns };
    await office.app('PUT', `/app/partners/${partner.nodeID}/shares/${moduleID}`, share);
    const listed = await partner.ask('GET', `/federation/nodes/${partner.nodeID}/modules/exposed/`);
    shared = (listed.response as { set: { moduleID: string }[] }).set[0]?.moduleID ?? '';
  });
  afterAll(async () => {
    await partner.close();
    await office.stop();
  });

  async function read(path: string, reading: Reading = {}): Promise<unknown> {
    const headers = {
      authorization: `Bearer ${partner.token}`,
      ...(reading.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...reading.headers,
    };
    const answer = await readAnswer(office.port, `/federation${path}`, { ...reading, headers });
    expect(answer.status, answer.body.toString().slice(0, 300)).toBe(200);
    const isCompressed = path.startsWith('/footbridge/');
    expect(answer.encoding).toBe((isCompressed ? reading.encoding : undefined) ?? 'identity');
    return JSON.parse(answer.body.toString());
  }
  const json = { accept: 'application/json' };

  /** The feeds of rows, with how many rows an answer has. */
  const feeds: Record<string, [rows: number, path: () => string, headers?: Record<string, string>]> = {
    'shape 1': [1000, () => `/nodes/${partner.nodeID}/modules/${shared}/records?page=2&perPage=1000`],
    'shape 2': [1000, () => `/exposed/records/${shared}?page=3&perPage=1000`],
    'the live dialect': [3000, () => `/nodes/${partner.nodeID}/modules/${shared}/records/?limit=100`],
    'the live dialect, in pages': [
      700,
      () => `/nodes/${partner.nodeID}/modules/${shared}/records/?limit=700`,
      json,
    ],
    'the feed between Footbridges': [1000, () => `/footbridge/modules/${shared}/changes?after=0&limit=1000`],
  };
  const wanted = new Map(LIST.rows.map(({ Number: number = '', Signature = '' }) => [number, Signature]));

  for (const [name, [rows, path, headers]] of Object.entries(feeds)) {
    it.each(ENCODINGS)(`leaves whole in ${name}, encoded in %s`, async (encoding) => {
      const every = slowly(256 * 1024, 5);
      const answer = (await read(path(), { encoding, every, ...(headers ? { headers } : {}) })) as Answer;
      const { set } = answer.response;
      expect(set).toHaveLength(rows);
      expect(new Set(set.map(({ recordID }) => recordID)).size).toBe(rows);
      for (const { values } of set) {
        const value = Object.fromEntries(values.map((each) => [each.name, each.value]));
        expect(value.Signature).toBe(wanted.get(value.Number ?? ''));
      }
    });
  }

  it.each(ENCODINGS)('leaves whole where rows are asked for by id, encoded in %s', async (encoding) => {
    const page = (await read(`/footbridge/modules/${shared}/changes?after=0&limit=500`)) as Answer;
    const recordIDs = page.response.set.map(({ recordID }) => recordID);
    const body = JSON.stringify({ recordIDs });
    const path = `/footbridge/modules/${shared}/rows`;
    const { response } = (await read(path, { encoding, method: 'POST', body })) as Answer;
    const byID = (rows: Answer['response']['set']): string[] =>
      rows.map(({ recordID, values }) => JSON.stringify([recordID, values])).sort();
    expect(byID(response.set)).toEqual(byID(page.response.set));
  });

  it.each(ENCODINGS)('leaves whole where digests are asked for, encoded in %s', async (encoding) => {
    const path = `/footbridge/modules/${shared}/digest`;
    const body = (more: object): string => JSON.stringify({ fields: LIST.columns, blocks: 1, ...more });
    const { response } = (await read(path, {
      encoding,
      method: 'POST',
      body: body({ block: 0 }),
    })) as Answer;
    expect(response.set).toHaveLength(LIST.rows.length);
  });
});
