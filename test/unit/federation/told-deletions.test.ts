import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Module, Row } from '../../../server/lists/definitions/model.ts';
import type { Rows } from '../../../server/lists/rows/rows.ts';
import { pairOffices, startHttpOffice, type HttpOffice } from '../../support/harness/served-parts.ts';
import { manualClock } from '../../support/harness/manual-clock.ts';
import { customers } from '../../support/data/office-lists.ts';
import { incoming } from '../../support/harness/lists.ts';

/** Which deletions a partner is told of, whatever the clock said when a list was shared. */

const HOUR = 3_600_000;
const START = Date.parse('2026-05-04T07:00:00Z');
const PEOPLE = customers({ rows: 10, seed: 8 }).rows;

const clock = manualClock(START);
let office: HttpOffice;
let partner: HttpOffice;
let nodeID: string;
let token: string;
beforeAll(async () => {
  office = await startHttpOffice('Oslo', { clock });
  partner = await startHttpOffice('Bergen', { clock });
  const pair = await pairOffices(office, partner);
  nodeID = pair.idA;
  token = await partner.federation.tokens.tokenFor(pair.idB);
});
afterAll(() => Promise.all([office.close(), partner.close()]));

interface Answer {
  readonly response: {
    readonly set: readonly { readonly recordID: string; readonly deletedAt?: string }[] | null;
  };
}
type Path = (moduleID: string) => string;

const DIALECTS: Record<string, { path: Path; accept?: string }> = {
  'shape 1': { path: (m) => `/nodes/${nodeID}/modules/${m}/records?perPage=1000&lastSync=1` },
  'shape 2': { path: (m) => `/exposed/records/${m}?perPage=1000&after=1` },
  'the live dialect': { path: (m) => `/nodes/${nodeID}/modules/${m}/records/`, accept: '' },
  'the feed between Footbridges': { path: (m) => `/footbridge/modules/${m}/changes?limit=1000&after=0` },
};

let made = 0;
let list: Module;
let rows: Rows;
let all: readonly Row[];
beforeEach(async () => {
  clock.set(START + made * 24 * HOUR);
  made++;
  list = await office.list(
    `Customers ${made}`,
    [{ kind: 'String', name: 'Name' }],
    PEOPLE.map(({ CompanyName = '' }) => ({ Name: [CompanyName] })),
  );
  rows = await office.lists.rows(list.moduleID);
  all = (await rows.list({ limit: 100 })).rows;
});

const idAt = (at: number): string => all[at]?.recordID ?? '';
const remove = (at: number): Promise<Row> => rows.remove(idAt(at), '1');
async function share(): Promise<string> {
  const input = { composeModuleID: list.moduleID, fields: [{ name: 'Name' }], shape: 1 as const };
  return (await office.federation.exposures.expose(nodeID, input, '1')).moduleID;
}

/** Which of the rows at the beginning the partner is told to be gone. */
async function told({ path, accept }: { path: Path; accept?: string }, moduleID: string): Promise<number[]> {
  const headers = accept === undefined ? {} : { accept };
  const answer = await office.call('GET', `/federation${path(moduleID)}`, { token, headers });
  expect(answer.status, answer.text).toBe(200);
  const gone = ((answer.body as Answer).response.set ?? []).filter(({ deletedAt }) => deletedAt);
  return gone.map(({ recordID }) => all.findIndex((row) => row.recordID === recordID));
}

describe.each(Object.entries(DIALECTS))('in %s', (_, dialect) => {
  it('a deletion is told though the clock was an hour ahead when the list was shared, and none of before', async () => {
    await remove(0);
    clock.set(clock.now() + HOUR);
    await remove(1);
    const shared = await share();
    clock.set(clock.now() - HOUR);
    await remove(2);
    expect(await told(dialect, shared)).toEqual([2]);
  });

  it('of what came and went while a share was withdrawn nothing is told, whatever the clock did', async () => {
    const shared = await share();
    clock.set(clock.now() + HOUR);
    await office.federation.exposures.remove(nodeID, shared, '1');
    clock.set(clock.now() - HOUR);
    const passing = await rows.create({ Name: ['Ćevabdžinica Sava'] }, '1');
    all = [...all, passing];
    await remove(3);
    await remove(10);
    clock.set(clock.now() + 2 * HOUR);
    const again = await share();
    clock.set(clock.now() - 2 * HOUR);
    await remove(4);
    expect(again).toBe(shared);
    expect((await told(dialect, shared)).sort()).toEqual([3, 4]);
  });

  it('of a row that reached us deleted nothing is told, and its end is once it had come to life', async () => {
    const shared = await share();
    const times = { createdAt: '2026-05-04T06:00:00Z', updatedAt: '2026-05-04T06:30:00Z' };
    const sent = ['71', '72'].map((recordID) => ({
      recordID,
      ...times,
      values: { Name: ['Kvæfjord Kran'] },
    }));
    const receive = (change: { updatedAt?: string; deletedAt?: string }, only = sent): Promise<unknown> =>
      rows.receive({
        nodeID: '900',
        rows: only.map((row) => ({ ...row, ...change })),
        mappedColumns: ['Name'],
      });
    // One of them late, as it was before: it stays gone.
    await receive({ deletedAt: '2026-05-04T06:31:00Z' });
    await receive({}, sent.slice(1));
    const passing = await rows.findReceived('900', ['71', '72']);
    all = [...all, ...passing.filter((row) => row !== undefined)];
    expect(all).toHaveLength(12);
    expect(await told(dialect, shared)).toEqual([]);

    await receive({ updatedAt: '2026-05-04T06:40:00Z' }, sent.slice(0, 1));
    expect((await rows.get(idAt(10))).values.Name).toEqual(['Kvæfjord Kran']);
    await receive({ updatedAt: '2026-05-04T06:40:00Z', deletedAt: '2026-05-04T06:50:00Z' });
    expect(await told(dialect, shared)).toEqual([10]);
  });
});

it('of a row that others brought nothing is told where it had gone before, not by the way of sending either', async () => {
  const brought = incoming('77', 5, { Name: 'Brought by others' });
  await rows.receive({ nodeID: '999', rows: [brought], mappedColumns: ['Name'] });
  const [foreign] = await rows.findReceived('999', ['77']);
  await rows.remove(foreign?.recordID ?? '', '1');
  clock.set(clock.now() + HOUR);
  const path = `/federation/footbridge/modules/${await share()}/rows`;
  const named = async (...recordIDs: readonly (string | undefined)[]): Promise<unknown> => {
    const { status, text, headers } = await office.call('POST', path, { token, body: { recordIDs } });
    return { status, text, control: headers.get('cache-control') };
  };
  expect(await named(foreign?.recordID)).toEqual(await named('1'));
  expect(await named(foreign?.recordID, idAt(0))).toEqual(await named('1', idAt(0)));
});
