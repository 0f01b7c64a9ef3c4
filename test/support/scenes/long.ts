import customersCsv from '../../../samples/customers.csv?raw';
import { pair } from '../harness/demo-office.ts';
import { column, COMMON, tabs, type Scene, type Stage } from './stage.ts';

const LONG = 'Long name '.repeat(20).trim();
const MARKUP = '<img src=x onerror=alert(1)>';

/** Names of 200 characters, and names and values with markup in them. */
export async function longScene(stage: Stage): Promise<Scene> {
  const north = await stage.open(LONG);
  const harbour = await stage.open('Harbour Office');
  const list = await north.office.importCsv('customers', customersCsv);
  const { there, here } = await pair(north.office, harbour.office);
  await north.office.expose(there, list, ['CompanyName']);
  await harbour.office.syncNow(here);
  const clients = await harbour.office.createList(MARKUP, [column('Client', '<b>Client</b>')]);
  const wide = await harbour.office.createList(LONG, [
    column('Client', LONG),
    column('Amount', 'Amount', 'Number'),
  ]);
  await harbour.office.add(wide, { Client: LONG.repeat(3), Amount: '1234567.5' });
  await harbour.office.mapOffer(here, 'customers', clients, { CompanyName: 'Client' });
  await harbour.office.add(clients, { Client: '<b>Bergen</b>' });
  await harbour.office.syncNow(here);
  const places = {
    welcome: '#/welcome',
    ...COMMON,
    'add-partner': '#/partners/add',
    ...tabs(here),
    'share-columns': `#/partners/${here}/share/${wide.moduleID}`,
    list: `#/lists/${clients.moduleID}`,
    'list-wide': `#/lists/${wide.moduleID}`,
    import: '#/lists/import',
    settings: '#/settings',
    unknown: '#/nowhere',
  };
  return { name: 'long', ...harbour, places };
}
