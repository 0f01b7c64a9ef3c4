import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Lists } from '../../server/lists/lists.ts';
import type { IncomingRow, Row } from '../../server/lists/definitions/model.ts';
import {
  getRow,
  listPartition,
  putRow,
  receivedKey,
  getRowsByReceivedKey,
} from '../../server/lists/rows/row-table.ts';
import { listsAt } from '../support/harness/lists.ts';
import type { Partition } from '../../server/store/store.ts';
import { temporaryFolder } from '../support/harness/temporary-folder.ts';
import {
  pairNodes,
  rowsOf,
  shareAndReceive,
  startNode,
  type NodeOffice,
  type Pair,
} from '../support/harness/node.ts';

const FIRST = ['Ádám', 'Berta', 'Čeněk', 'Dörte', 'Érika', 'Фёдор', 'Γιάννης', '海'];
const LAST = ['Nagy & Fia', 'Müller GmbH', 'O’Brien', 'Sørensen AS', 'Łukasz'];
const CITIES = ['Győr', 'Köln', 'Brno', 'Łódź', '', 'Ålesund', 'Πάτρα'];

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let a: NodeOffice;
let b: NodeOffice;
let pair: Pair;
let customers: string;
let received: { sharedModuleID: string; list: string };
beforeEach(async () => {
  folder = await temporaryFolder();
  a = await startNode('Oslo');
  b = await startNode('Bergen', { dataDir: folder.path });
  pair = await pairNodes(a, b);
  customers = await a.list(
    'Customers',
    ['Name', 'City', 'Secret'],
    Array.from({ length: 40 }, (_, at) => ({
      Name: `${FIRST[at % 8]!} ${LAST[at % 5]!}`,
      City: CITIES[at % 7]!,
      Secret: `IBAN ${at * 7919}`,
    })),
  );
  received = await shareAndReceive(
    { office: a, partner: pair.atInviter, list: customers },
    ['Name', 'City'],
    {
      office: b,
      partner: pair.atInvited,
    },
  );
});
afterEach(async () => {
  await Promise.all([a.stop(), b.stop()]);
  await folder.remove();
});

interface Comparison {
  identical: boolean;
  ours: number;
  theirs: number;
  differing: { recordID: string; difference: string; title: string; columns: string[] }[];
}
const offer = (): string => `/app/partners/${pair.atInvited}/offers/${received.sharedModuleID}`;
const compare = (): Promise<Comparison> => b.app('POST', `${offer()}/compare`);
const names = async (office: NodeOffice, list: string): Promise<string[]> =>
  (await rowsOf(office, list)).map(({ Name = '' }) => Name).sort();

/** Changes B's data folder behind its back, as a damaged disk or a fault of ours would. */
async function tamper(change: (partition: Partition, lists: Lists) => Promise<void>): Promise<void> {
  await b.stop();
  const { store, lists } = await listsAt(folder.path);
  await change(await store.partition(listPartition(received.list)), lists);
  await store.close();
  b = await startNode('Bergen', { dataDir: folder.path });
}

async function lose(partition: Partition, originID: string): Promise<void> {
  const [row] = await getRowsByReceivedKey(partition, [receivedKey(pair.atInvited, originID)]);
  await partition.transaction((tx) => tx.delete({ name: 'row' }, row!.recordID));
}

async function falsify(lists: Lists, originID: string, name: string): Promise<void> {
  const rows = await lists.rows(received.list);
  const [known] = await rows.findReceived(pair.atInvited, [originID]);
  const time = new Date(0).toISOString();
  const row: IncomingRow = {
    recordID: originID,
    createdAt: known?.received?.createdAt ?? time,
    updatedAt: known?.received?.updatedAt ?? time,
    values: { Name: [name], City: ['Nowhere'] },
  };
  await rows.receive({ nodeID: pair.atInvited, rows: [row], mappedColumns: ['Name', 'City'] });
}

describe('are we identical?', () => {
  it('yes after a pull, and still with local edits and rows in the bin, which lie over what was received', async () => {
    const [edited, binned] = await rowsOf(b, received.list);
    await b.app('PATCH', `/app/lists/${received.list}/rows/${edited!.recordID!}`, {
      values: { Name: ['mine'] },
    });
    await b.app('POST', `/app/lists/${received.list}/rows/delete`, { recordIDs: [binned!.recordID!] });
    expect(await compare()).toMatchObject({
      identical: true,
      ours: 40,
      theirs: 40,
      ownWork: { changed: 1, removed: 1 },
      differing: [],
    });
  });

  it('a column that fills two of ours is asked for once', async () => {
    const list = await b.list('Twice', ['Name', 'Again', 'City']);
    const matches = [
      { origin: 'Name', destination: 'Name' },
      { origin: 'Name', destination: 'Again' },
      { origin: 'City', destination: 'City' },
    ];
    await b.app('PUT', `${offer()}/matching`, { moduleID: list, matches });
    await b.app('POST', `/app/partners/${pair.atInvited}/sync`);
    expect(await rowsOf(b, list)).toHaveLength(40);
    expect(await compare()).toMatchObject({ identical: true, ours: 40, theirs: 40, differing: [] });
  });

  it('changes made meanwhile are pulled first and are no difference', async () => {
    const [row] = await rowsOf(a, customers);
    await a.app('PATCH', `/app/lists/${customers}/rows/${row!.recordID!}`, { values: { Name: ['new'] } });
    expect(await compare()).toMatchObject({ identical: true });
    expect(await names(b, received.list)).toContain('new');
  });

  it('names each row that differs, transfers no other, and fetching those again heals it', async () => {
    const [lost, changed] = (await rowsOf(a, customers)).map(({ recordID = '' }) => recordID);
    await tamper(async (partition, lists) => {
      await lose(partition, lost!);
      await falsify(lists, changed!, 'forged');
      await falsify(lists, '4711', 'phantom');
    });
    const ledger = (): Promise<{ lines: { recordIDs: string[]; digests?: boolean }[] }> =>
      a.app('GET', `/app/partners/${pair.atInviter}/ledger?page=1&perPage=200`);
    const before = (await ledger()).lines.length;

    const found = await compare();
    expect(found).toMatchObject({ identical: false, ours: 40, theirs: 40 });
    const theirs = await rowsOf(a, customers);
    const expected = [
      { recordID: '4711', difference: 'missing-there', title: 'phantom', columns: [] },
      { recordID: changed, difference: 'values', title: 'forged', columns: ['Name', 'City'] },
      { recordID: lost, difference: 'missing-here', title: theirs[0]!.Name, columns: [] },
    ];
    expect(found.differing).toHaveLength(3);
    expect(found.differing).toEqual(expect.arrayContaining(expected));

    const ids = found.differing.map(({ recordID }) => recordID);
    expect(await b.app('POST', `${offer()}/repull`, { recordIDs: ids })).toMatchObject({ failed: 0 });
    expect(await compare()).toMatchObject({ identical: true, ours: 40, differing: [] });
    expect(await names(b, received.list)).toEqual(await names(a, customers));

    const lines = (await ledger()).lines;
    const since = lines.slice(0, lines.length - before);
    const left = since.filter(({ digests }) => !digests).flatMap(({ recordIDs }) => recordIDs);
    expect(new Set(left)).toEqual(new Set([lost, changed]));
    // The sums of both comparisons, which are the same by then, and one by one where they differed at first.
    const compared = since.filter(({ digests }) => digests).map(({ recordIDs }) => recordIDs.length);
    expect(new Set(compared)).toEqual(new Set([0, 40]));
  });

  it('finds what is shown otherwise than it arrived, or gone, though nobody changed it, and heals it', async () => {
    const [shown, vanished, emptied] = await rowsOf(b, received.list);
    await tamper(async (partition) => {
      const alter = async (recordID: string, change: (row: Row) => Row): Promise<void> => {
        const row = await getRow(partition, recordID);
        await partition.transaction((tx) => putRow(tx, row, change(row!)));
      };
      await alter(shown!.recordID!, (row) => ({ ...row, values: { ...row.values, City: ['Köln\u200b'] } }));
      await alter(vanished!.recordID!, (row) => ({ ...row, deletedAt: row.updatedAt }));
      await alter(emptied!.recordID!, (row) => ({ ...row, values: { City: row.values.City ?? [] } }));
    });
    const found = await compare();
    expect(found.identical).toBe(false);
    expect(found.differing.map(({ difference, title, columns }) => [difference, title, columns])).toEqual(
      expect.arrayContaining([
        ['shown', shown!.Name, ['City']],
        ['vanished', vanished!.Name, []],
        ['shown', emptied!.City ?? '', ['Name']],
      ]),
    );
    expect(found.differing).toHaveLength(3);
    await b.app('POST', `${offer()}/repull`, { recordIDs: found.differing.map(({ recordID }) => recordID) });
    expect(await compare()).toMatchObject({ identical: true, differing: [] });
    expect(await names(b, received.list)).toEqual(await names(a, customers));
  });

  it('compares columns whose values are converted as well, value by value', async () => {
    const { fields } = await b.app<{ fields: { fieldID: string; name: string; label: string }[] }>(
      'GET',
      `/app/lists/${received.list}`,
    );
    await b.app('PATCH', `/app/lists/${received.list}`, {
      fields: fields.map(({ fieldID, name, label }) => ({
        fieldID,
        name,
        label,
        kind: name === 'City' ? 'Select' : 'String',
        isMulti: false,
      })),
    });
    expect(await compare()).toMatchObject({ identical: true });
    const [lost, other] = await rowsOf(a, customers);
    await tamper(async (partition) => {
      await lose(partition, lost!.recordID!);
      const [row] = await getRowsByReceivedKey(partition, [receivedKey(pair.atInvited, other!.recordID!)]);
      const values = { ...row!.values, City: ['Koeln'] };
      const altered = { ...row!, values, received: { ...row!.received!, values } };
      await partition.transaction((tx) => putRow(tx, row, altered));
    });
    const found = await compare();
    expect(found.differing).toHaveLength(2);
    expect(found.differing).toEqual(
      expect.arrayContaining([
        { recordID: lost!.recordID, difference: 'missing-here', title: lost!.Name, columns: [] },
        { recordID: other!.recordID, difference: 'values', title: other!.Name, columns: ['City'] },
      ]),
    );
  });

  it('of a list that is not matched is refused', async () => {
    await expect(b.app('POST', `/app/partners/${pair.atInvited}/offers/1/compare`)).rejects.toThrow(/404/);
  });
});
