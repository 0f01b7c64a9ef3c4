import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  backupOf,
  type NodeOffice,
  type Pair,
  pairNodes,
  putBack,
  receiveInto,
  rowsOf,
  startNode,
} from '../support/harness/node.ts';
import { approveDeletions } from '../support/harness/approve-deletions.ts';

let a: NodeOffice;
let b: NodeOffice;
let pair: Pair;
/** Each side's list, which it shares with the other and into which it receives. */
let lists: { a: string; b: string };

const names = async (office: NodeOffice, list: string): Promise<string[]> =>
  (await rowsOf(office, list)).map(({ Name }) => Name ?? '').sort();
const atA = (): Promise<string[]> => names(a, lists.a);
const atB = (): Promise<string[]> => names(b, lists.b);
const range = (text: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${text} ${String(at).padStart(2, '0')}`);

const add = (office: NodeOffice, list: string, rows: readonly string[]): Promise<unknown> =>
  office.app('POST', `/app/import?moduleID=${list}`, ['Name', ...rows].join('\n'));
const syncBoth = async (): Promise<void> => {
  for (let round = 0; round < 2; round++) {
    await a.app('POST', `/app/partners/${pair.atInviter}/sync`);
    await b.app('POST', `/app/partners/${pair.atInvited}/sync`);
  }
};

beforeEach(async () => {
  [a, b] = [await startNode('Oslo'), await startNode('Bergen')];
  pair = await pairNodes(a, b);
  lists = { a: await a.list('Customers', ['Name']), b: await b.list('Clients', ['Name']) };
  await a.app('PUT', `/app/partners/${pair.atInviter}/shares/${lists.a}`, { fields: ['Name'] });
  await b.app('PUT', `/app/partners/${pair.atInvited}/shares/${lists.b}`, { fields: ['Name'] });
  await receiveInto({ office: a, partner: pair.atInviter, list: lists.a }, ['Name']);
  await receiveInto({ office: b, partner: pair.atInvited, list: lists.b }, ['Name']);
});
afterEach(() => Promise.all([a.stop(), b.stop()]));

it('R7: a file that is no backup is refused, and everything goes on as it was', async () => {
  await add(a, lists.a, ['Oslo']);
  const answer = await a.fetch('/app/restore', { method: 'POST', body: 'no backup' });
  expect(answer.status).toBe(422);
  expect(await answer.json()).toMatchObject({ error: { code: 'store.damaged' } });
  await expect.poll(atA, { timeout: 20_000 }).toEqual(['Oslo']);
});

it('R7: a file that is refused leaves the store open, and every window connected', async () => {
  let isOver = false;
  const events = await a.fetch('/app/events');
  const reading = (async () => {
    for await (const piece of events.body ?? []) if (piece.length === 0) return;
  })();
  void reading.catch(() => undefined).finally(() => (isOver = true));
  expect((await a.fetch('/app/restore', { method: 'POST', body: 'no backup' })).status).toBe(422);
  await add(a, lists.a, ['Oslo']);
  await expect.poll(atA, { timeout: 20_000 }).toEqual(['Oslo']);
  expect(isOver).toBe(false);
});

describe('R7: a backup that is put back while the partner goes on', () => {
  it('brings back what the partner had sent since, and takes nothing of the partner’s away', async () => {
    await add(a, lists.a, range('Oslo', 30));
    await add(b, lists.b, range('Bergen', 30));
    await syncBoth();
    const backup = await backupOf(b);
    await add(a, lists.a, range('Oslo later', 30));
    const [gone] = await rowsOf(a, lists.a);
    await a.app('DELETE', `/app/lists/${lists.a}/rows/${gone?.recordID}`);
    await syncBoth();
    expect(await atB()).toHaveLength(89);

    await putBack(b, backup);
    await syncBoth();
    expect(await atB()).toEqual(await atA());
    expect(await atA()).toHaveLength(89);
  });

  it('of the one who sent: the partner keeps what is missing there now, until its user says otherwise', async () => {
    await add(a, lists.a, range('Oslo', 30));
    await syncBoth();
    const backup = await backupOf(a);
    await add(a, lists.a, range('Oslo later', 30));
    await syncBoth();
    expect(await atB()).toHaveLength(60);

    await putBack(a, backup);
    // So many that the numbers of its changes run past those that the partner has seen.
    await add(a, lists.a, range('Oslo again', 40));
    await syncBoth();
    // Thirty of sixty rows are much: they wait for a yes, and nothing has gone by itself.
    expect(await atB()).toHaveLength(100);
    const path = `/app/partners/${pair.atInvited}/offers`;
    const [offer] = await b.app<{ sharedModuleID: string; brake?: { removes: number } }[]>('GET', path);
    expect(offer?.brake).toMatchObject({ removes: 30 });
    await approveDeletions(b, `${path}/${offer?.sharedModuleID}`);
    await syncBoth();
    expect(await atB()).toEqual(await atA());
    expect(await atA()).toHaveLength(70);
  });
});
