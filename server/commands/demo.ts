import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import customersCsv from '../../samples/customers.csv?raw';
import ordersCsv from '../../samples/orders.csv?raw';
import { createLog, logFiles } from '../node/log.ts';
import { createNode, type FootbridgeNode } from '../node/node.ts';
import { CommandFailure } from './failure.ts';
import { compareLists } from './demo-compare.ts';
import { deliveriesCsv } from './demo-deliveries.ts';
import { openOffice, type DemoList, type Office } from './demo-office.ts';
import { windowFiles } from './window-files.ts';

/** What is shared of each list: columns of the origin and the names they get at the destination. */
const CUSTOMERS = { CompanyName: 'Client', ContactName: 'Person', City: 'Town', Country: 'Land' };
const ORDERS = { OrderID: 'Number', CustomerID: 'ClientCode', OrderDate: 'Ordered', Freight: 'Freight' };
const DELIVERIES = { DeliveryNo: 'Delivery', Delivered: 'On', Weight: 'Kilos', Signature: 'SignedBy' };
const ARRIVAL_MS = 15_000;

/**
 * `footbridge demo`: the main job in one go, over real HTTP between two nodes in temporary folders. Throws
 * {@link CommandFailure} when the two sides do not agree in the end.
 */
export async function demo(options: { stay: boolean }): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'footbridge-demo-'));
  const say = createNarrator();
  const nodes: FootbridgeNode[] = [];
  try {
    const start = async (label: string): Promise<Office> => {
      const dataDir = join(folder, label.toLowerCase().replaceAll(' ', '-'));
      const node = createNode({
        dataDir,
        port: 0,
        windowPort: 0,
        label,
        syncIntervalMs: 2_000,
        windowDir: windowFiles(),
        allowLoopbackPartners: true,
        log: createLog(await logFiles(dataDir)),
      });
      nodes.push(node);
      return openOffice(label, node, await node.start());
    };
    const north = await start('North Trading');
    const harbour = await start('Harbour Office');
    say(
      `Two offices started: ${north.name} (${north.federation}) and ${harbour.name} (${harbour.federation})`,
    );

    const customers = await north.importCsv('customers', customersCsv);
    say(`${north.name} has ${customers.rows} customers in ${customers.fields.length} columns`);
    const orders = await north.importCsv('orders', ordersCsv);
    say(`${north.name} has ${orders.rows} orders in ${orders.fields.length} columns`);
    const deliveries = await north.importCsv('deliveries', deliveriesCsv());
    say(`${north.name} has ${deliveries.rows} deliveries in ${deliveries.fields.length} columns`);

    const invite = await north.invite(harbour);
    say(`${north.name} made an invite: ${invite.uri.replace(/:[^:@/]+@/, ':…@')}`);
    const partner = await harbour.accept(invite.uri);
    await north.confirm(invite.nodeID);
    say('The offices are paired; each holds a token for the other');

    const clients = await share(north, harbour, invite.nodeID, partner, customers, 'Clients', CUSTOMERS);
    say(
      `Shared ${Object.keys(CUSTOMERS).length} of ${customers.fields.length} columns of customers, matched onto “Clients”`,
    );
    const ordersThere = await share(north, harbour, invite.nodeID, partner, orders, 'Their orders', ORDERS);
    say(
      `Shared ${Object.keys(ORDERS).length} of ${orders.fields.length} columns of orders, matched onto “Their orders”`,
    );
    const signed = await share(north, harbour, invite.nodeID, partner, deliveries, 'Signatures', DELIVERIES);
    say(
      `Shared ${Object.keys(DELIVERIES).length} of ${deliveries.fields.length} columns of deliveries, matched onto “Signatures”`,
    );

    const { failed } = await harbour.syncNow(partner);
    const arrivals = await Promise.all([clients, ordersThere, signed].map((list) => harbour.allRows(list)));
    const [here, there, delivered] = arrivals.map((rows) => rows.length);
    say(
      `${here} clients, ${there} orders and ${delivered} deliveries arrived, ${failed} could not be applied`,
    );
    await agree(north, customers, harbour, clients, CUSTOMERS);
    await agree(north, orders, harbour, ordersThere, ORDERS);
    await agree(north, deliveries, harbour, signed, DELIVERIES);
    say('Both sides agree, value by value');

    await changeSomething(north, customers);
    say(`${north.name} changed one customer, deleted one and added one`);
    await arrived(() => compareLists(north, customers, harbour, clients, CUSTOMERS));
    say('The change, the deletion and the new row arrived by themselves; both sides agree');

    if (options.stay) {
      process.stdout.write('\nWhere to look:\n');
      for (const office of [north, harbour]) {
        process.stdout.write(`  Window of ${office.name}: ${office.windowLink()}\n`);
        process.stdout.write(`    its data: ${office.dataDir}\n`);
      }
      process.stdout.write('Ctrl+C ends the demo and removes its folders.\n');
      await new Promise<void>((resolve) => {
        process.once('SIGINT', resolve);
        process.once('SIGTERM', resolve);
      });
    } else {
      process.stdout.write(
        '\nThe two offices are removed again; demo --stay leaves both windows up to look at.\n',
      );
    }
  } finally {
    await Promise.all(nodes.map((node) => node.stop()));
    await rm(folder, { recursive: true, force: true });
  }
}

/** Exposes the columns, waits for the offer and matches it onto a new list of other names. */
async function share(
  origin: Office,
  destination: Office,
  nodeID: string,
  partnerID: string,
  list: DemoList,
  name: string,
  columns: Readonly<Record<string, string>>,
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
  await destination.match(partnerID, list.name, local, columns);
  return local;
}

async function changeSomething(office: Office, list: DemoList): Promise<void> {
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

async function agree(...lists: Parameters<typeof compareLists>): Promise<void> {
  const difference = await compareLists(...lists);
  if (difference) throw new CommandFailure(`The two sides differ: ${difference}`);
}

async function arrived(difference: () => Promise<string | undefined>): Promise<void> {
  const end = Date.now() + ARRIVAL_MS;
  for (;;) {
    const left = await difference();
    if (left === undefined) return;
    if (Date.now() > end)
      throw new CommandFailure(`Not everything arrived within ${ARRIVAL_MS / 1000} s: ${left}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Prints each step with the time since the step before. */
function createNarrator(): (text: string) => void {
  let last = performance.now();
  let step = 0;
  return (text) => {
    const now = performance.now();
    process.stdout.write(`${String(++step).padStart(2)}. ${text} (${((now - last) / 1000).toFixed(2)} s)\n`);
    last = now;
  };
}
