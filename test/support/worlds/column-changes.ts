import type { Federation } from '../../../server/federation/federation.ts';
import { NODES } from '../../../server/federation/tables.ts';
import type { FieldInput } from '../../../server/lists/definitions/inputs.ts';
import type { Field, Module, Values } from '../../../server/lists/definitions/model.ts';
import type { Disk } from '../../../server/store/files/disk.ts';
import { openParts, type OwnParts } from '../harness/parts.ts';
import { pairedNode } from '../data/paired-node.ts';

/** An office that shares some columns of one list with one partner, on a disk of the test's. */
export type SharingOffice = OwnParts;

const PARTNER = pairedNode();

export function openSharing(dataDir: string, disk?: Disk): Promise<SharingOffice> {
  return openParts({ dataDir, ...(disk ? { disk } : {}) });
}

/** What begins the values of columns that are not shared. */
export const HIDDEN = 'hidden: ';
const COLUMNS: readonly FieldInput[] = [
  { kind: 'String', name: 'Company' },
  { kind: 'String', name: 'Town' },
  { kind: 'String', name: 'Founded' },
  { kind: 'String', name: 'Iban' },
  { kind: 'String', name: 'Remarks' },
];
/** What a column refers to: the partner sees the codes, and not what the rows are called here. */
const AGENTS: readonly FieldInput[] = [
  { kind: 'String', name: 'Agent' },
  { kind: 'String', name: 'Code' },
];
const SHARED = ['Company', 'Town', 'Founded', 'Agent'];
const TOWNS = ['Kiel', 'Århus', 'Gdańsk', 'Cork', 'Lyon', 'Porto', 'Malmö'];
const TRADES = ['Trelast', 'Kran', 'Fisk', 'Stål', 'Bakeri'];

/** Makes such an office with so many rows, and leaves it closed. Gives the ids of list and share. */
export async function makeSharing(
  dataDir: string,
  rows: number,
): Promise<{ readonly list: string; readonly share: string }> {
  const { store, lists, federation } = await openSharing(dataDir);
  const { namespaceID } = await lists.defaultNamespace();
  const agentList = await lists.createModule(namespaceID, { name: 'Agents', fields: AGENTS });
  const agents = await (
    await lists.rows(agentList.moduleID)
  ).createMany(
    TOWNS.map((town, n) => ({ Agent: [`${HIDDEN}agent in ${town}`], Code: [`A-${n}`] })),
    '1',
  );
  const agent: FieldInput = { kind: 'Record', name: 'Agent', options: { moduleID: agentList.moduleID } };
  const made = await lists.createModule(namespaceID, { name: 'Suppliers', fields: [...COLUMNS, agent] });
  const { moduleID: list } = made;
  const values = Array.from({ length: rows }, (_, n): Values => ({
    Company: [`${TOWNS[n % 7] ?? ''} ${TRADES[n % 5] ?? ''} ${n}`],
    ...(n % 3 === 0 ? {} : { Town: [TOWNS[(n * 3) % 7] ?? ''] }),
    Founded: [`0${1900 + (n % 120)}`],
    Agent: [agents[n % 7]?.recordID ?? ''],
    Iban: [`${HIDDEN}NO${93_000_000 + n * 7919}`],
    ...(n % 4 === 0 ? { Remarks: [`${HIDDEN}owes ${n} since ${TOWNS[n % 7] ?? ''}`] } : {}),
  }));
  await (await lists.rows(list)).createMany(values, '1');
  await (await store.partition('system')).transaction((tx) => tx.put(NODES, PARTNER.nodeID, PARTNER));
  const fields = SHARED.map((name) => ({ name }));
  const titlePins = { [idOf(made, 'Agent')]: idOf(agentList, 'Code') };
  const input = { composeModuleID: list, fields, titlePins, shape: 1 as const };
  const { moduleID: share } = await federation.exposures.expose(PARTNER.nodeID, input, '1');
  await store.close();
  return { list, share };
}

const idOf = ({ fields }: Module, column: string): string =>
  fields.find(({ name }) => name === column)?.fieldID ?? '';

/** A change of columns as the user makes it: the whole new set. */
export interface ColumnChange {
  readonly what: string;
  readonly change: (fields: readonly Field[]) => readonly Field[];
}

const renamed = (names: Readonly<Record<string, string>>) => (fields: readonly Field[]) =>
  fields.map((field) => ({ ...field, name: names[field.name] ?? field.name }));

export const COLUMN_CHANGES: readonly ColumnChange[] = [
  { what: 'a shared column gets another name', change: renamed({ Company: 'Firm' }) },
  {
    what: 'a shared and a hidden column swap their names',
    change: renamed({ Company: 'Iban', Iban: 'Company' }),
  },
  {
    what: 'a shared column goes, and a hidden one takes its name',
    change: (fields) => renamed({ Iban: 'Town' })(fields.filter(({ name }) => name !== 'Town')),
  },
  {
    what: 'a shared column gets another kind',
    change: (fields) =>
      fields.map((field) => (field.name === 'Founded' ? { ...field, kind: 'Number' } : field)),
  },
  {
    what: 'a shared column refers to rows no more',
    change: (fields) =>
      fields.map((field) => (field.name === 'Agent' ? { ...field, kind: 'String', options: {} } : field)),
  },
  { what: 'columns are moved', change: (fields) => [...fields].reverse() },
];

const PAGE = 1000;

/** What the list is, and what a partner gets of it, times of changes aside. */
export interface Told {
  readonly list: string;
  readonly leaves: string;
}

export async function told(
  office: SharingOffice,
  { list, share }: { readonly list: string; readonly share: string },
): Promise<Told> {
  const { fields } = await office.lists.module(list);
  const values: unknown[] = [];
  const all = await office.lists.rows(list);
  for (let more = true; more;) {
    const { rows } = await all.list({ limit: PAGE, offset: values.length, sort: 'id' });
    values.push(...rows.map((row) => [row.recordID, row.values]));
    more = rows.length === PAGE;
  }
  return { list: JSON.stringify([fields, values]), leaves: await leaves(office.federation, share) };
}

export async function leaves({ feed, changeFeed }: Federation, share: string): Promise<string> {
  const { fields } = await feed.module(PARTNER, share);
  const request = { deleted: true, sort: 'id', window: 'all', address: '192.168.1.20' } as const;
  const { rows, exposure } = await feed.recordBytes(
    PARTNER,
    share,
    request,
    'test',
    (row, { fields: by }) => ({
      recordID: row.recordID,
      values: row.values,
      by,
    }),
  );
  const recordIDs = [...rows.toString().matchAll(/"recordID":"(\d+)"/g)].map(([, id = '']) => id);
  const wanted = { recordIDs: recordIDs.slice(0, 50), inParts: false, address: '192.168.1.20' };
  const named = await changeFeed.rows(PARTNER, share, wanted, ({ recordID, values }) => ({
    recordID,
    values,
  }));
  return JSON.stringify([fields, exposure.fields, rows.toString(), named.rows.toString()]);
}
