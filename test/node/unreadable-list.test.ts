import { readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Offer } from '../../server/contract/app/sharing.ts';
import { inspectDataFolder } from '../../server/node/inspect-data-folder.ts';
import { sampleOf } from '../support/data/luck.ts';
import { temporaryFolder } from '../support/harness/temporary-folder.ts';
import {
  backupOf,
  type NodeOffice,
  pairNodes,
  rowsOf,
  shareAndReceive,
  startNode,
} from '../support/harness/node.ts';

interface Told {
  readonly inbox: readonly { readonly itemID: string; readonly kind: string; readonly message: string }[];
}
interface Page {
  readonly rows: readonly {
    readonly values: Readonly<Record<string, readonly string[]>>;
    readonly references?: Readonly<Record<string, { readonly state: string }>>;
  }[];
}

let home: { path: string; remove: () => Promise<void> };
let oslo: NodeOffice;
let bergen: NodeOffice;
let bergenAtOslo: string;
let osloAtBergen: string;
let customers: string;
let orders: string;
let paper: string;
let paperThere: string;

const CUSTOMERS = ['Fjellheim & Sønn', 'Ødegård Bygg', 'Kaldhol Transport', 'Brekke & Co'];

beforeEach(async () => {
  home = await temporaryFolder();
  [oslo, bergen] = [await startNode('Oslo', { dataDir: home.path }), await startNode('Bergen')];
  ({ atInviter: bergenAtOslo, atInvited: osloAtBergen } = await pairNodes(oslo, bergen));
  const csv = `Name,City\n${CUSTOMERS.map((name) => `${name},Voss`).join('\n')}\n`;
  customers = (await oslo.app<{ moduleID: string }>('POST', '/app/import?list=Customers', csv)).moduleID;
  const { rows } = await oslo.app<{ rows: { recordID: string }[] }>(
    'GET',
    `/app/lists/${customers}/rows?offset=0&limit=9`,
  );
  const fields = [
    { label: 'Number', name: 'Number', kind: 'String', isMulti: false },
    { label: 'Customer', name: 'Customer', kind: 'Record', isMulti: false, options: { moduleID: customers } },
  ];
  orders = (await oslo.app<{ moduleID: string }>('POST', '/app/lists', { name: 'Orders', fields })).moduleID;
  await oslo.app('POST', `/app/lists/${orders}/rows`, {
    values: { Number: ['2026-0417'], Customer: [rows[0]?.recordID ?? ''] },
  });
  paper = await oslo.list('Paper', ['Kind'], [{ Kind: 'A4' }]);
  const to = { office: bergen, partner: osloAtBergen };
  await shareAndReceive({ office: oslo, partner: bergenAtOslo, list: customers }, ['Name'], to);
  paperThere = (await shareAndReceive({ office: oslo, partner: bergenAtOslo, list: paper }, ['Kind'], to))
    .list;
});
afterEach(async () => {
  await Promise.all([oslo.stop(), bergen.stop()]);
  await home.remove();
});

const folder = (): string => join(home.path, 'store', `list-${customers}`);
async function journal(): Promise<string> {
  const name = (await readdir(folder())).find((each) => each.startsWith('journal-'));
  return join(folder(), name ?? '');
}

it.each<[string, () => Promise<unknown>]>([
  [
    'has one bit that is another in its middle',
    async () => {
      const file = await journal();
      const bytes = await readFile(file);
      const at = bytes.indexOf('Brekke');
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      await writeFile(file, bytes);
    },
  ],
  ['is empty', async () => truncate(await journal(), 0)],
  ['is gone with its folder', () => rm(folder(), { recursive: true })],
])(
  'R3: a list whose file %s, without any backup, leaves the rest of the office as it is',
  async (_, harm) => {
    await oslo.stop();
    await harm();
    const { advice } = await inspectDataFolder(home.path);
    expect(advice.join('\n')).toMatch(/starts without it/);
    expect(advice.join('\n')).not.toMatch(/Restore a backup with|leave Footbridge running/i);
    oslo = await startNode('Oslo', { dataDir: home.path, port: oslo.port });

    // What it is, and what can be done, stands in the inbox; the list says it too, and never seems empty.
    const look = (): Promise<Page> => oslo.app('GET', `/app/lists/${customers}/rows?offset=0&limit=9`);
    await expect(look()).rejects.toThrow(/422 .*rows can’t be loaded/);
    const { inbox } = await oslo.app<Told>('GET', '/app/overview');
    expect(inbox.map(({ message }) => message).join('\n')).toMatch(/“Customers”: .*All other lists work/);
    expect(await oslo.app('GET', '/app/lists')).toHaveLength(3);
    await oslo.app('GET', '/app/settings');
    await oslo.app('GET', `/app/partners/${bergenAtOslo}`);
    const shares = await oslo.app<{ listName: string; rows: number }[]>(
      'GET',
      `/app/partners/${bergenAtOslo}/shares`,
    );
    expect(shares.map(({ listName, rows: seen }) => [listName, seen]).sort()).toEqual([
      ['Customers', 0],
      ['Paper', 1],
    ]);

    // Other lists go on, and what refers to it says that it cannot be read.
    const { rows } = await oslo.app<Page>('GET', `/app/lists/${orders}/rows?offset=0&limit=9`);
    expect(rows[0]?.values.Number).toEqual(['2026-0417']);
    expect(Object.values(rows[0]?.references ?? {})).toMatchObject([{ state: 'unreadable' }]);
    await oslo.app('POST', `/app/lists/${paper}/rows`, { values: { Kind: ['A3'] } });
    await bergen.app('POST', `/app/partners/${osloAtBergen}/sync`).catch(() => undefined);
    expect((await rowsOf(bergen, paperThere)).map(({ Kind }) => Kind).sort()).toEqual(['A3', 'A4']);

    const partnerState = async (): Promise<string> =>
      (await bergen.app<{ state: string }>('GET', `/app/partners/${osloAtBergen}`)).state;
    await expect.poll(partnerState).toBe('error');

    // A backup can be made, and the list can be deleted.
    await backupOf(oslo);
    await oslo.app('DELETE', `/app/partners/${bergenAtOslo}/shares/${customers}`);
    await oslo.app('DELETE', `/app/lists/${customers}`);
    expect(await oslo.app('GET', '/app/lists')).toHaveLength(2);

    // Nothing is wrong with what is no longer shared.
    await bergen.app('POST', `/app/partners/${osloAtBergen}/sync`);
    await expect.poll(partnerState).toBe('needs-you');
    const offers = await bergen.app<Offer[]>('GET', `/app/partners/${osloAtBergen}/offers`);
    const gone = offers.find(({ state }) => state === 'withdrawn')?.sharedModuleID;
    await bergen.app('POST', `/app/partners/${osloAtBergen}/offers/${gone}/dismiss`);
    await expect.poll(partnerState).toBe('up-to-date');
  },
);

it.each(
  sampleOf(
    [
      ['(1)', (name: string) => name.replace(/(\.jsonl)?$/, ' (1)$1')],
      ['Kopie', (name: string) => name.replace(/(\.jsonl)?$/, ' - Kopie$1')],
      ['conflicted', (name: string) => name.replace(/(\.jsonl)?$/, " (Anne's conflicted copy 2026-02-03)$1")],
      ['computer', (name: string) => name.replace(/(\.jsonl)?$/, '-KONTOR-PC$1')],
      ['before', (name: string) => `Copie de ${name}`],
    ] as const,
    3,
  ),
)(
  'R3: a list whose file or folder was renamed as cloud drives do (%s) is not called gone, and is there again with its name',
  async (_, renamed) => {
    for (const own of [await journal(), folder()]) {
      const other = join(dirname(own), renamed(basename(own)));
      await oslo.stop();
      await rename(own, other);
      const { advice } = await inspectDataFolder(home.path);
      expect(advice.join('\n')).toContain(`${basename(other)}" to "`);
      oslo = await startNode('Oslo', { dataDir: home.path, port: oslo.port });
      const look = (): Promise<Page> => oslo.app('GET', `/app/lists/${customers}/rows?offset=0&limit=9`);
      await expect(look()).rejects.toThrow(/422 .*rows can’t be loaded/);
      const { inbox } = await oslo.app<Told>('GET', '/app/overview');
      const [told = ''] = inbox.flatMap(({ message }) => (message.includes('“Customers”') ? [message] : []));
      expect(told).toContain(`${basename(other)}” to “`);
      expect(told).not.toMatch(/recover the rows/);
      expect(inbox.map(({ message }) => message).join('\n')).not.toContain('Put it somewhere else');
      await oslo.stop();
      await rename(other, own);
      oslo = await startNode('Oslo', { dataDir: home.path, port: oslo.port });
      expect((await look()).rows).toHaveLength(CUSTOMERS.length);
    }
  },
);

it('R3: a ledger that cannot be read keeps nobody from working: it is said once, and what leaves is noted anew', async () => {
  await oslo.stop();
  const part = (await readdir(join(home.path, 'store'))).find((name) => name.startsWith('ledger')) ?? '';
  await truncate(join(home.path, 'store', part, 'journal-000001.jsonl'), 0);
  const { advice } = await inspectDataFolder(home.path);
  expect(advice.join('\n')).toMatch(/ledger.*Footbridge starts without it/);

  const told = async (): Promise<Told['inbox']> => (await oslo.app<Told>('GET', '/app/overview')).inbox;
  const start = async (): Promise<void> => {
    oslo = await startNode('Oslo', { dataDir: home.path, port: oslo.port });
  };
  await start();
  await oslo.app('POST', `/app/lists/${paper}/rows`, { values: { Kind: ['A3'] } });
  await bergen.app('POST', `/app/partners/${osloAtBergen}/sync`);
  expect((await rowsOf(bergen, paperThere)).map(({ Kind }) => Kind).sort()).toEqual(['A3', 'A4']);
  const { lines } = await oslo.app<{ lines: readonly unknown[] }>(
    'GET',
    `/app/partners/${bergenAtOslo}/ledger`,
  );
  expect(lines.length).toBeGreaterThan(0);

  const [item] = await told();
  expect(item?.message).toMatch(/^Part of the sharing log is missing/);
  await oslo.app('POST', `/app/inbox/${item?.itemID}/dismiss`);
  await oslo.stop();
  await start();
  expect(await told()).toEqual([]);
});
