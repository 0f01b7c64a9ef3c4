import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Overview } from '../../server/contract/app/overview.ts';
import { temporaryFolder } from '../support/harness/temporary-folder.ts';
import { pairNodes, rowsOf, shareAndReceive, startNode, type NodeOffice } from '../support/harness/node.ts';

const COLUMNS = ['Name', 'City'] as const;
const CUSTOMERS = Array.from({ length: 12 }, (_, at) => ({
  Name: `Fjellheim ${at}`,
  City: at % 2 ? 'Tromsø' : 'Gdańsk',
}));

/** Oslo has the rows of Bergen from Bergen itself and by Gent. */
let home: { path: string; remove: () => Promise<void> };
let oslo: NodeOffice;
let bergen: NodeOffice;
let gent: NodeOffice;
let bergenAtOslo: string;
let gentAtOslo: string;
let osloAtBergen: string;
let bergenAtGent: string;
let sharedBy: Record<'bergen' | 'gent', string>;
let there: string;
let list: string;

const folder = (...parts: string[]): string => join(home.path, ...parts);
const sync = (office: NodeOffice, partner: string): Promise<unknown> =>
  office.app('POST', `/app/partners/${partner}/sync`);
const matching = (partner: string, offer: string): string =>
  `/app/partners/${partner}/offers/${offer}/matching`;

beforeEach(async () => {
  home = await temporaryFolder();
  oslo = await startNode('Oslo', { dataDir: folder('oslo') });
  [bergen, gent] = [await startNode('Bergen'), await startNode('Gent')];
  there = await bergen.list('Customers', COLUMNS, CUSTOMERS);
  const [toOslo, toGent, on] = [
    await pairNodes(bergen, oslo),
    await pairNodes(bergen, gent),
    await pairNodes(gent, oslo),
  ];
  [bergenAtOslo, bergenAtGent, gentAtOslo] = [toOslo.atInvited, toGent.atInvited, on.atInvited];
  osloAtBergen = toOslo.atInviter;
  const from = { office: bergen, list: there };
  const own = await shareAndReceive({ ...from, partner: toOslo.atInviter }, COLUMNS, {
    office: oslo,
    partner: bergenAtOslo,
  });
  list = own.list;
  const { list: atGent } = await shareAndReceive({ ...from, partner: toGent.atInviter }, COLUMNS, {
    office: gent,
    partner: bergenAtGent,
  });
  await gent.app('PUT', `/app/partners/${on.atInviter}/shares/${atGent}`, { fields: COLUMNS });
  await sync(oslo, gentAtOslo);
  const [offer] = await oslo.app<{ sharedModuleID: string }[]>('GET', `/app/partners/${gentAtOslo}/offers`);
  sharedBy = { bergen: own.sharedModuleID, gent: offer?.sharedModuleID ?? '' };
  await oslo.app('PUT', matching(gentAtOslo, sharedBy.gent), {
    moduleID: list,
    matches: COLUMNS.map((column) => ({ origin: column, destination: column })),
  });
  await sync(oslo, gentAtOslo);
  expect(await rowsOf(oslo, list)).toHaveLength(CUSTOMERS.length);
});
afterEach(async () => {
  await Promise.all([oslo, bergen, gent].map((office) => office.stop()));
  await home.remove();
});

/** Oslo does something; then `old` of its data folder is as it was before that, and it starts again. */
async function thenOlder(old: readonly string[], done: () => Promise<unknown>): Promise<void> {
  await oslo.stop();
  await cp(folder('oslo'), folder('before'), { recursive: true });
  oslo = await startNode('Oslo', { dataDir: folder('oslo'), port: oslo.port });
  await done();
  await oslo.stop();
  for (const part of old) {
    await rm(folder('oslo', part), { recursive: true });
    await cp(folder('before', part), folder('oslo', part), { recursive: true });
  }
  oslo = await startNode('Oslo', { dataDir: folder('oslo'), port: oslo.port });
}

interface Grid {
  readonly rows: readonly { readonly received?: object }[];
}

/** Oslo has heard that Bergen ended the connection. */
async function ended(): Promise<void> {
  await expect
    .poll(
      async () => {
        const { partners } = await oslo.app<Overview>('GET', '/app/overview');
        return partners.find(({ nodeID }) => nodeID === bergenAtOslo)?.status;
      },
      { timeout: 30_000 },
    )
    .toBe('unpaired');
}

/** Bergen changes one row and removes another, which Gent hears of. */
async function bergenGoesOn(): Promise<void> {
  const rows = await rowsOf(bergen, there);
  const id = (at: number): string => rows.find(({ Name }) => Name === `Fjellheim ${at}`)?.recordID ?? '';
  await bergen.app('PATCH', `/app/lists/${there}/rows/${id(0)}`, { values: { City: ['Zürich'] } });
  await bergen.app('DELETE', `/app/lists/${there}/rows/${id(1)}`);
  await sync(gent, bergenAtGent);
}
/** Bergen and Oslo pair once more, and Oslo matches the list as before. Answers what Oslo knows Bergen by then. */
async function pairAnew(): Promise<string> {
  const anew = await pairNodes(bergen, oslo);
  await bergen.app('PUT', `/app/partners/${anew.atInviter}/shares/${there}`, { fields: COLUMNS });
  await sync(oslo, anew.atInvited);
  const [offer] = await oslo.app<{ sharedModuleID: string }[]>(
    'GET',
    `/app/partners/${anew.atInvited}/offers`,
  );
  await oslo.app('PUT', matching(anew.atInvited, offer?.sharedModuleID ?? ''), {
    moduleID: list,
    matches: COLUMNS.map((column) => ({ origin: column, destination: column })),
  });
  await sync(oslo, anew.atInvited);
  return anew.atInvited;
}
const seen = async (office: NodeOffice, of: string): Promise<string[]> =>
  (await rowsOf(office, of)).map(({ Name, City }) => `${Name ?? ''}: ${City ?? ''}`).sort();

describe.each([
  ['all of the store, as in a backup from before or after a kill in between', (): string[] => ['store']],
  [
    'the list alone, as where an older file of it was put back',
    (): string[] => [join('store', `list-${list}`)],
  ],
])('%s: what others bring of the rows of a partner that is not heard of any more', (_what, old) => {
  it.each([
    ['was removed', () => oslo.app('POST', `/app/partners/${bergenAtOslo}/disconnect`, { received: 'keep' })],
    ['is not matched there any more', () => oslo.app('DELETE', matching(bergenAtOslo, sharedBy.bergen))],
  ])('shows, where that one %s', async (why, end) => {
    await thenOlder(old(), end);
    // With all of its data the matching is there again, and Bergen is heard itself.
    await bergenGoesOn();
    await sync(oslo, bergenAtOslo).catch(() => undefined);
    await sync(oslo, gentAtOslo);
    await sync(oslo, gentAtOslo);
    expect(await seen(oslo, list), why).toContain('Fjellheim 0: Zürich');
    expect(await seen(oslo, list)).toEqual(await seen(bergen, there));
  });
});

it('pairs anew after older data as it is told to, and then shows what the partner changes and removes', async () => {
  await gent.stop();
  await thenOlder(['store'], () =>
    oslo.app('POST', `/app/partners/${bergenAtOslo}/disconnect`, { received: 'keep' }),
  );
  const anew = await pairAnew();
  expect(await seen(oslo, list)).toEqual(await seen(bergen, there));
  const rows = await rowsOf(bergen, there);
  await bergen.app('PATCH', `/app/lists/${there}/rows/${rows[0]?.recordID ?? ''}`, {
    values: { City: ['Zürich'] },
  });
  await bergen.app('DELETE', `/app/lists/${there}/rows/${rows[1]?.recordID ?? ''}`);
  await sync(oslo, anew);
  expect(await seen(oslo, list)).toEqual(await seen(bergen, there));
});

it('keeps what came from a partner that had ended the connection and was removed, and says what that one has not', async () => {
  const part = [join('store', `list-${list}`)];
  await oslo.app('POST', `/app/partners/${gentAtOslo}/disconnect`, { received: 'keep' });
  await bergen.app('POST', `/app/partners/${osloAtBergen}/disconnect`, { received: 'keep' });
  const { rows: held } = await oslo.app<Grid>('GET', `/app/lists/${list}/rows?offset=0&limit=500`);
  expect(held.every(({ received }) => received !== undefined)).toBe(true);
  await ended();
  await thenOlder(part, () =>
    oslo.app('POST', `/app/partners/${bergenAtOslo}/disconnect`, { received: 'keep' }),
  );
  const { rows } = await oslo.app<Grid>('GET', `/app/lists/${list}/rows?offset=0&limit=500`);
  expect(rows).toHaveLength(CUSTOMERS.length);
  expect(rows.filter(({ received }) => received !== undefined)).toEqual([]);
  const [removed] = await rowsOf(bergen, there);
  await bergen.app('DELETE', `/app/lists/${there}/rows/${removed?.recordID ?? ''}`);
  const anew = await pairAnew();
  expect(await rowsOf(oslo, list)).toHaveLength(CUSTOMERS.length);
  const { partners } = await oslo.app<Overview>('GET', '/app/overview');
  const { reason = '', also = [] } = partners.find(({ nodeID }) => nodeID === anew) ?? {};
  expect([reason, ...also].join(' ')).toContain('You changed 1 row from Bergen: your values stay.');
});
