import customersCsv from '../../../samples/customers.csv?raw';
import ordersCsv from '../../../samples/orders.csv?raw';
import type { DemoList } from '../../../server/commands/demo-office.ts';
import { pair } from '../harness/demo-office.ts';
import { column, COMMON, tabs, type Opened, type Scene, type Stage } from './stage.ts';

interface Partner extends Opened {
  readonly there: string;
  readonly here: string;
}

const COLUMNS = ['CompanyName', 'City', 'PostalCode', 'Country'];
const PRICES = 'Article,Price,Valid from\nTea,4.50,2026-01-01\nRice,2.10,2026-01-01\n';

/** Many partners, each in another state, and many lists. */
export async function manyScene(stage: Stage): Promise<Scene> {
  const us = await stage.open('Harbour Office');

  async function partner(label: string): Promise<Partner> {
    const opened = await stage.open(label);
    return { ...opened, ...(await pair(opened.office, us.office)) };
  }
  /** A partner whose customers we receive; their postal codes into a column of the kind that is named. */
  async function giver(label: string, kind = 'String'): Promise<Partner & { readonly list: DemoList }> {
    const made = await partner(label);
    const list = await made.office.importCsv('customers', customersCsv);
    await made.office.expose(made.there, list, COLUMNS);
    await us.office.syncNow(made.here);
    const mine = await us.office.createList(`Customers of ${label}`, [
      column('CompanyName', 'Company'),
      column('City'),
      column('PostalCode', 'Postal code', kind),
      column('Country'),
    ]);
    await us.office.mapOffer(
      made.here,
      'customers',
      mine,
      Object.fromEntries(COLUMNS.map((name) => [name, name])),
    );
    await us.office.syncNow(made.here);
    return { ...made, list };
  }

  const berlin = await giver('Berlin office');
  for (const { recordID } of await berlin.office.firstRows(berlin.list, 60)) {
    await berlin.office.remove(berlin.list, recordID);
  }
  await us.office.syncNow(berlin.here);

  const clinic = await giver('Lakeside Clinic', 'Number');
  const orders = await clinic.office.importCsv('orders', ordersCsv);
  await clinic.office.expose(clinic.there, orders, ['OrderID', 'Product', 'Quantity']);
  await us.office.syncNow(clinic.here);

  const studio = await giver('Mill Street Studio');
  await us.app('POST', `/app/partners/${studio.here}/pause`, {});

  const quay = await giver('Quay Logistics');
  await quay.served.stop();
  await us.office.syncNow(quay.here).catch(() => undefined);

  const garden = await giver('Garden Centre South');
  await garden.app('POST', `/app/partners/${garden.there}/disconnect`, {
    received: 'keep',
    askRemoval: true,
  });

  await us.app('POST', '/app/invites', { name: 'Harvest Co-operative' });
  for (let year = 2013; year <= 2026; year++) await us.office.importCsv(`Prices ${year}`, PRICES);
  const ours = await us.office.importCsv('orders', ordersCsv);

  const places = {
    ...COMMON,
    list: `#/lists/${ours.moduleID}`,
    'brake-receive': `#/partners/${berlin.here}/receive`,
    'failed-receive': `#/partners/${clinic.here}/receive`,
    'failed-activity': `#/partners/${clinic.here}/activity`,
    'paused-receive': `#/partners/${studio.here}/receive`,
    ...tabs(quay.here, 'offline-'),
    'ended-connection': `#/partners/${garden.here}/connection`,
    settings: '#/settings',
  };
  return { name: 'many', ...us, places };
}
