import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import customersCsv from '../../samples/customers.csv?raw';
import ordersCsv from '../../samples/orders.csv?raw';
import { createLog, openLogFiles } from '../node/log.ts';
import { FootbridgeNode } from '../node/node.ts';
import { CommandFailure } from './failure.ts';
import { Office, type DemoList, type DemoRecord } from './demo-office.ts';
import { stopOnSignal } from './shutdown-signals.ts';
import { windowFiles } from './window-files.ts';
import { createHash } from 'node:crypto';
import Papa from 'papaparse';

/** Column names at the origin and the destination. */
const CUSTOMERS = { CompanyName: 'Client', ContactName: 'Person', City: 'Town', Country: 'Land' };
const ORDERS = { OrderID: 'Number', CustomerID: 'ClientCode', OrderDate: 'Ordered', Freight: 'Freight' };
const DELIVERIES = { DeliveryNo: 'Delivery', Delivered: 'On', Weight: 'Kilos', Signature: 'SignedBy' };
const ARRIVAL_MS = 15_000;

type Columns = Readonly<Record<string, string>>;
type Say = (text: string) => void;

/**
 * `footbridge demo`: connects two nodes in temporary folders, syncs sample lists, and removes both; with `stay` only
 * when it is stopped. Throws `CommandFailure` if the two sides differ.
 */
export async function demo(options: { stay: boolean }): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'footbridge-demo-'));
  const nodes: FootbridgeNode[] = [];
  let ending: Promise<void> | undefined;
  const end = (): Promise<void> => (ending ??= removeOffices(folder, nodes));
  // Also after a stop that was cut short.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const stopped = stopOnSignal(end);
  try {
    await Promise.race([runDemo(folder, nodes, options.stay), stopped]);
  } finally {
    await end();
  }
}

/** Stops all nodes, and deletes the folder. */
async function removeOffices(folder: string, nodes: readonly FootbridgeNode[]): Promise<void> {
  await Promise.all(nodes.map((node) => node.stop()));
  await rm(folder, { recursive: true, force: true });
}

/**
 * Starts two offices in the folder, adds them to `nodes` for the caller to stop, and runs the demo between them. With
 * `stay`, then prints where to look and never resolves.
 */
async function runDemo(folder: string, nodes: FootbridgeNode[], stay: boolean): Promise<void> {
  const north = await startOffice(folder, 'North Trading', nodes);
  const harbour = await startOffice(folder, 'Harbour Office', nodes);
  await connectOffices(north, harbour, createNarrator());
  if (stay) {
    printWhere([north, harbour]);
    await new Promise(() => undefined);
  }
  process.stdout.write(
    '\nThe two offices are removed again; demo --stay leaves both windows up to look at.\n',
  );
}

/**
 * Starts an office in a folder of its own. Adds the node to `nodes` first, as it may fail to start. Resolves with the
 * first-run page skipped.
 */
async function startOffice(folder: string, label: string, nodes: FootbridgeNode[]): Promise<Office> {
  const dataDir = join(folder, label.toLowerCase().replaceAll(' ', '-'));
  const node = new FootbridgeNode({
    dataDir,
    port: 0,
    windowPort: 0,
    label,
    syncIntervalMs: 2_000,
    windowDir: windowFiles(),
    allowLoopbackPartners: true,
    log: createLog(await openLogFiles(dataDir)),
  });
  nodes.push(node);
  const office = new Office(label, node, await node.start());
  await office.skipFirstRun();
  return office;
}

/**
 * Narrating by `say`, connects two offices, shares three lists, compares both sides, changes rows, and waits until
 * these arrive. Throws `CommandFailure` if the sides differ.
 */
async function connectOffices(north: Office, harbour: Office, say: Say): Promise<void> {
  say(`Two offices started: ${north.name} (${north.federation}) and ${harbour.name} (${harbour.federation})`);
  /** Imports a CSV text into North's list of this name, and narrates it. */
  const importList = async (list: string, csv: string): Promise<DemoList> => {
    const made = await north.importCsv(list, csv);
    say(`${north.name} has ${made.rows} ${list} in ${made.fields.length} columns`);
    return made;
  };
  const customers = await importList('customers', customersCsv);
  const orders = await importList('orders', ordersCsv);
  const deliveries = await importList('deliveries', createDeliveriesCsv());

  const invite = await north.invite(harbour);
  say(`${north.name} made an invite: ${invite.uri.replace(/:[^:@/]+@/, ':…@')}`);
  const partner = await harbour.accept(invite.uri);
  await north.approve(invite.nodeID);
  say('The offices are paired; each holds a token for the other');

  /** Shares columns of North's list with Harbour, which gets a new list `name`; returns that. */
  const shareColumns = async (list: DemoList, name: string, columns: Columns): Promise<DemoList> => {
    const there = await shareList(north, harbour, invite.nodeID, partner, list, name, columns);
    const [some, all] = [Object.keys(columns).length, list.fields.length];
    say(`Shared ${some} of ${all} columns of ${list.name}, matched onto “${name}”`);
    return there;
  };
  const clients = await shareColumns(customers, 'Clients', CUSTOMERS);
  const ordersThere = await shareColumns(orders, 'Their orders', ORDERS);
  const signed = await shareColumns(deliveries, 'Signatures', DELIVERIES);

  const { failed } = await harbour.syncNow(partner);
  const arrivals = await Promise.all([clients, ordersThere, signed].map((list) => harbour.allRows(list)));
  const [here, there, delivered] = arrivals.map((rows) => rows.length);
  say(`${here} clients, ${there} orders and ${delivered} deliveries arrived, ${failed} could not be applied`);
  await assertEqual(north, customers, harbour, clients, CUSTOMERS);
  await assertEqual(north, orders, harbour, ordersThere, ORDERS);
  await assertEqual(north, deliveries, harbour, signed, DELIVERIES);
  say('Both sides agree, value by value');

  await changeRows(north, customers);
  say(`${north.name} changed one customer, deleted one and added one`);
  await waitForArrival(() => compareLists(north, customers, harbour, clients, CUSTOMERS));
  say('The change, the deletion and the new row arrived by themselves; both sides agree');
}

/** Prints a one-time link into each office's window, and its data folder. */
function printWhere(offices: readonly Office[]): void {
  process.stdout.write('\nWhere to look:\n');
  for (const office of offices) {
    process.stdout.write(`  Window of ${office.name}: ${office.windowLink()}\n`);
    process.stdout.write(`    its data: ${office.dataDir}\n`);
  }
  process.stdout.write('Ctrl+C ends the demo and removes its folders.\n');
}

/**
 * Shares columns, pulls the offer, and maps it to the destination's new list `name`.
 * @param nodeID the origin's id of the destination; `partnerID` the destination's id of the origin
 * @param columns the new list's column names by the origin's
 */
async function shareList(
  origin: Office,
  destination: Office,
  nodeID: string,
  partnerID: string,
  list: DemoList,
  name: string,
  columns: Columns,
): Promise<DemoList> {
  await origin.expose(nodeID, list, Object.keys(columns));
  await destination.syncNow(partnerID);
  const fields = list.fields
    .filter((field) => field.name in columns)
    .map((field) => ({
      ...field,
      name: columns[field.name] ?? field.name,
      label: columns[field.name] ?? '',
    }));
  const local = await destination.createList(name, fields);
  await destination.mapOffer(partnerID, list.name, local, columns);
  return local;
}

/** Changes the first row, deletes the second and adds one. Throws `CommandFailure` for a list of fewer than two. */
async function changeRows(office: Office, list: DemoList): Promise<void> {
  const [first, second] = await office.firstRows(list, 2);
  if (!first || !second) throw new CommandFailure('The sample list is empty.');
  await office.patch(list, first.recordID, { City: 'Far Harbour' });
  await office.remove(list, second.recordID);
  await office.add(list, {
    CompanyName: 'Brand New Company',
    ContactName: 'A. New',
    City: 'Here',
    Country: 'There',
  });
}

/** Throws `CommandFailure` if two lists differ ({@link compareLists}). */
async function assertEqual(...lists: Parameters<typeof compareLists>): Promise<void> {
  const difference = await compareLists(...lists);
  if (difference) throw new CommandFailure(`The two sides differ: ${difference}`);
}

/** Waits until there is no difference. Throws `CommandFailure` with the last one after 15 seconds. */
async function waitForArrival(difference: () => Promise<string | undefined>): Promise<void> {
  const end = Date.now() + ARRIVAL_MS;
  for (;;) {
    const left = await difference();
    if (left === undefined) return;
    if (Date.now() > end)
      throw new CommandFailure(`Not everything arrived within ${ARRIVAL_MS / 1000} s: ${left}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Returns a function that prints a numbered step, with the time since the previous one. */
function createNarrator(): Say {
  let last = performance.now();
  let step = 0;
  return (text) => {
    const now = performance.now();
    process.stdout.write(`${String(++step).padStart(2)}. ${text} (${((now - last) / 1000).toFixed(2)} s)\n`);
    last = now;
  };
}

/**
 * Returns the first difference in two lists' shared columns, in words; undefined if they are equal, in any order of
 * rows.
 */
export async function compareLists(
  origin: Office,
  originList: DemoList,
  destination: Office,
  destinationList: DemoList,
  columns: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const theirs = sortedRows(await origin.allRows(originList), Object.keys(columns));
  const ours = sortedRows(await destination.allRows(destinationList), Object.values(columns));
  if (theirs.length !== ours.length) return `${theirs.length} rows there, ${ours.length} here`;
  const at = theirs.findIndex((line, i) => line !== ours[i]);
  return at === -1 ? undefined : `there ${theirs[at] ?? ''}, here ${ours[at] ?? ''}`;
}

/** Returns each row's values in these columns as one text, sorted. */
function sortedRows(records: readonly DemoRecord[], columns: readonly string[]): string[] {
  return records
    .map(({ values }) =>
      JSON.stringify(
        columns.map((name) =>
          values
            .filter((each) => each.name === name)
            .map((each) => each.value)
            .join('\n'),
        ),
      ),
    )
    .sort();
}

const DELIVERY_COUNT = 1500;
const FIRST_DAY = Date.UTC(2025, 0, 2);
const DAY_MS = 86_400_000;
const CARRIERS = [
  'Quay Logistics',
  'Spedition Lindner',
  'Przewozy Łoś',
  'Transports du Lac',
  'self',
  'Δρόμος',
];
const REMARKS = [
  '',
  '',
  'left at the neighbour’s',
  'box torn, content whole',
  'called before',
  'zweiter Versuch',
];

/** Makes 1,500 deliveries in 8 columns, always the same, as hard to compress as an office's data. */
function createDeliveriesCsv(): string {
  return Papa.unparse(Array.from({ length: DELIVERY_COUNT }, (_, at) => createDelivery(at)));
}

/** Returns the delivery of this number: all but its own number and day is taken from a hash of the number. */
function createDelivery(index: number): Record<string, string> {
  const hash = createHash('sha512').update(`delivery ${index}`).digest();
  const pick = (list: readonly string[], byte: number): string => list[(hash[byte] ?? 0) % list.length] ?? '';
  const signature = [0, 1, 2, 3].map((part) =>
    createHash('sha512').update(hash).update(String(part)).digest('base64'),
  );
  return {
    DeliveryNo: String(300_000 + index * 7),
    OrderID: String(10_001 + (hash.readUInt16LE(0) % 640)),
    Delivered: new Date(FIRST_DAY + (index % 400) * DAY_MS).toISOString().slice(0, 10),
    Carrier: pick(CARRIERS, 2),
    Parcels: String(1 + ((hash[3] ?? 0) % 9)),
    Weight: (hash.readUInt16LE(4) / 100).toFixed(2),
    Remark: pick(REMARKS, 6),
    Signature: signature.join(''),
  };
}
