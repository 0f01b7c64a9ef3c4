import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ListDetail, Undone } from '../../server/contract/app/lists.ts';
import type { Overview } from '../../server/contract/app/overview.ts';
import type { Comparison, FormerShare, Share } from '../../server/contract/app/sharing.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/harness/temporary-folder.ts';
import { customers } from '../support/data/office-lists.ts';
import { approveDeletions } from '../support/harness/approve-deletions.ts';
import { pairNodes, rowsOf, shareAndReceive, startNode, type NodeOffice } from '../support/harness/node.ts';

/** Two whole nodes, one of which shares those of its rows that meet a condition. */

const COUNTRIES = ['Norge', 'Sverige', 'Danmark'];
const ROWS = customers({ rows: 60, seed: 17 }).rows.map(({ CompanyName = '', City = '' }, at) => ({
  Name: `${at} ${CompanyName}`,
  City,
  Country: COUNTRIES[at % 3] ?? '',
}));
const namesIn = (...countries: readonly string[]): string[] =>
  ROWS.filter(({ Country }) => countries.includes(Country))
    .map(({ Name }) => Name)
    .sort();

let oslo: NodeOffice;
let bergen: NodeOffice;
let folder: TemporaryFolder;
let list: string;
let received: { sharedModuleID: string; list: string };
let ends: { atInviter: string; atInvited: string };

beforeEach(async () => {
  folder = await temporaryFolder();
  oslo = await startNode('Oslo', { dataDir: folder.path });
  bergen = await startNode('Bergen');
  list = await oslo.list('Customers', ['Name', 'City', 'Country'], ROWS);
  ends = await pairNodes(oslo, bergen);
  await choose('Norge');
  received = await shareAndReceive({ office: oslo, partner: ends.atInviter, list }, ['Name', 'City'], {
    office: bergen,
    partner: ends.atInvited,
  });
});
afterEach(async () => {
  await Promise.all([oslo.stop(), bergen.stop()]);
  await folder.remove();
});

const choose = (...countries: readonly string[]): Promise<Share> =>
  oslo.app('PUT', `/app/partners/${ends.atInviter}/shares/${list}`, {
    fields: ['Name', 'City'],
    condition: {
      join: 'any',
      parts: countries.map((value) => ({ column: 'Country', test: 'is', value })),
    },
  });
const sync = (): Promise<unknown> => bergen.app('POST', `/app/partners/${ends.atInvited}/sync`);
const there = async (): Promise<string[]> =>
  (await rowsOf(bergen, received.list)).map(({ Name = '' }) => Name).sort();
async function move(name: string, country: string): Promise<void> {
  const row = (await rowsOf(oslo, list)).find(({ Name }) => Name === name);
  await oslo.app('PATCH', `/app/lists/${list}/rows/${row?.recordID ?? ''}`, {
    values: { Country: [country] },
  });
}

describe('rows that are shared under a condition', () => {
  it('are there, come and go with it, also over a start, and both sides know that they are identical', async () => {
    expect(await there()).toEqual(namesIn('Norge'));
    const [gone = '', comes = ''] = [namesIn('Norge')[0], namesIn('Sverige')[0]];
    await move(gone, 'Finland');
    await move(comes, 'Norge');
    await oslo.stop();
    oslo = await startNode('Oslo', { dataDir: oslo.dataDir, port: oslo.port });
    await move(gone, 'Island');
    await sync();
    const now = [...namesIn('Norge').filter((name) => name !== gone), comes].sort();
    expect(await there()).toEqual(now);
    const compared = await bergen.app<Comparison>(
      'POST',
      `/app/partners/${ends.atInvited}/offers/${received.sharedModuleID}/compare`,
    );
    const { lines } = await oslo.app<{ lines: { takenBack?: number }[] }>(
      'GET',
      `/app/partners/${ends.atInviter}/ledger`,
    );
    expect(lines.some(({ takenBack = 0 }) => takenBack > 0)).toBe(true);
    expect(compared).toMatchObject({ identical: true, theirs: now.length, ours: now.length });
  });

  it('that leave in numbers wait for a yes at the partner, whatever the condition', async () => {
    const { rows, ofRows } = await choose('Norge', 'Sverige', 'Danmark');
    expect([rows, ofRows]).toEqual([60, 60]);
    await sync();
    expect(await there()).toHaveLength(60);
    expect(await choose('Danmark')).toMatchObject({ rows: 20, ofRows: 60 });
    await sync();
    expect(await there(), 'nothing goes unasked').toHaveLength(60);
    await approveDeletions(bergen, `/app/partners/${ends.atInvited}/offers/${received.sharedModuleID}`);
    await sync();
    expect(await there()).toEqual(namesIn('Danmark'));
  });

  it('that were taken back before the share ended may go all the same, and are told once', async () => {
    await choose('Norge', 'Sverige', 'Danmark');
    await sync();
    await choose('Danmark');
    await sync();
    await oslo.app('DELETE', `/app/partners/${ends.atInviter}/shares/${list}`);
    await sync();
    const { inbox } = await bergen.app<{ inbox: { kind: string; message: string }[] }>(
      'GET',
      '/app/overview',
    );
    const about = inbox.filter(({ kind }) => kind === 'brake' || kind === 'list-withdrawn');
    expect(about.map(({ kind }) => kind)).toEqual(['list-withdrawn']);
    expect(about[0]?.message).toContain('40 rows');
    await approveDeletions(bergen, `/app/partners/${ends.atInvited}/offers/${received.sharedModuleID}`);
    expect(await there()).toEqual(namesIn('Danmark'));
  });

  it('are none once its column is gone, of which the user is told', async () => {
    const path = `/app/lists/${list}`;
    const { fields } = await oslo.app<{ fields: { name: string }[] }>('GET', path);
    await oslo.app('PATCH', path, { fields: fields.filter(({ name }) => name !== 'Country') });
    const [share] = await oslo.app<Share[]>('GET', `/app/partners/${ends.atInviter}/shares`);
    expect(share?.rows).toBe(0);
    expect(share?.condition?.parts).toMatchObject([{ label: 'Country', value: 'Norge', broken: true }]);
    const { inbox } = await oslo.app<{ inbox: { kind: string; message: string }[] }>('GET', '/app/overview');
    expect(inbox.find(({ kind }) => kind === 'condition-broken')?.message).toContain('Country');
    await sync();
    expect(await there()).toEqual([]);
    // Nothing is left to choose in a share that the user stopped.
    await oslo.app('DELETE', `/app/partners/${ends.atInviter}/shares/${list}`);
    const after = await oslo.app<Overview>('GET', '/app/overview');
    expect(after.inbox.map(({ kind }) => kind)).not.toContain('condition-broken');
  });

  it('are shared again once the column is restored, after a look at the share and with one press', async () => {
    const { fields } = await oslo.app<ListDetail>('GET', `/app/lists/${list}`);
    await oslo.app('PATCH', `/app/lists/${list}`, {
      fields: fields.filter(({ name }) => name !== 'Country'),
    });
    await sync();
    const message = async (): Promise<string | undefined> =>
      (await oslo.app<Overview>('GET', '/app/overview')).inbox.find(({ kind }) => kind === 'condition-broken')
        ?.message;
    expect(await message()).toContain('Country');
    const back = await oslo.app<Undone>('POST', `/app/lists/${list}/undo`, {});
    expect(back.sharedBefore).toMatchObject([{ nodeID: ends.atInviter, noRows: true }]);
    await expect.poll(message).toContain('its columns are back');
    await sync();
    const [share] = await oslo.app<Share[]>('GET', `/app/partners/${ends.atInviter}/shares`);
    expect(share).toMatchObject({ rows: 0, condition: { closed: true, parts: [{ label: 'Country' }] } });
    expect(share?.condition?.parts.some(({ broken }) => broken)).toBe(false);
    // As the share's page sends what it shows.
    await choose('Norge');
    const [open] = await oslo.app<Share[]>('GET', `/app/partners/${ends.atInviter}/shares`);
    expect(open?.condition).not.toHaveProperty('closed');
    expect(await message()).toBeUndefined();
    await sync();
    expect(await there()).toEqual(namesIn('Norge'));
  });

  it('are none of a deleted list, of which nothing is said; shared again, they are those of before', async () => {
    await oslo.app('DELETE', `/app/lists/${list}`);
    await sync();
    const { inbox } = await oslo.app<Overview>('GET', '/app/overview');
    expect(inbox.map(({ kind }) => kind)).not.toContain('condition-broken');
    await oslo.app('POST', `/app/bin/${list}/restore`, {});
    const [former] = await oslo.app<FormerShare[]>('GET', `/app/partners/${ends.atInviter}/former-shares`);
    expect(former?.condition).toMatchObject({ parts: [{ label: 'Country', value: 'Norge' }] });
    expect(former?.condition).not.toHaveProperty('closed');
    await choose('Norge');
    await sync();
    expect(await there()).toEqual(namesIn('Norge'));
  });

  it('are counted and shown before they are shared, with those that stay', async () => {
    const condition = JSON.stringify({ parts: [{ column: 'Country', test: 'is', value: 'Danmark' }] });
    const query = new URLSearchParams({ fields: 'Name', condition }).toString();
    const preview = await oslo.app<{ total: number; ofRows: number; takenBack: number; rows: unknown[] }>(
      'GET',
      `/app/partners/${ends.atInviter}/shares/${list}/preview?${query}`,
    );
    expect(preview).toMatchObject({ total: 20, ofRows: 60, takenBack: 20 });
    expect(preview.rows).toHaveLength(20);
  });
});
