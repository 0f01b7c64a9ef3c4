import customersCsv from '../../../samples/customers.csv?raw';
import ordersCsv from '../../../samples/orders.csv?raw';
import { pair } from '../harness/demo-office.ts';
import { column, COMMON, tabs, type Scene, type Stage } from './stage.ts';

/** Two offices with one list between them and another one offered, seen from both sides. */
export async function oneScene(stage: Stage): Promise<readonly [receiving: Scene, giving: Scene]> {
  const north = await stage.open('North Trading');
  const harbour = await stage.open('Harbour Office');
  const customers = await north.office.importCsv('customers', customersCsv);
  const orders = await north.office.importCsv('orders', ordersCsv);
  const { there, here } = await pair(north.office, harbour.office);
  await north.office.expose(there, customers, ['CompanyName', 'City', 'Country', 'Phone']);
  await harbour.office.syncNow(here);
  const clients = await harbour.office.createList('Clients of North', [
    column('Company'),
    column('Town'),
    column('Country'),
    column('Phone'),
    column('Note', 'Our note'),
  ]);
  await harbour.office.mapOffer(here, 'customers', clients, {
    CompanyName: 'Company',
    City: 'Town',
    Country: 'Country',
    Phone: 'Phone',
  });
  await harbour.office.syncNow(here);
  const [mine] = await harbour.office.firstRows(clients, 1);
  if (mine)
    await harbour.office.patch(clients, mine.recordID, { Town: 'Edited here', Note: 'Rings on Mondays' });
  const theirs = await north.office.firstRows(customers, 4);
  if (theirs[2]) await north.office.patch(customers, theirs[2].recordID, { City: 'Moved' });
  if (theirs[3]) await north.office.remove(customers, theirs[3].recordID);
  await harbour.office.syncNow(here);
  await north.office.expose(there, orders, ['OrderID', 'OrderDate', 'Product', 'Quantity', 'Paid']);
  await harbour.office.syncNow(here);

  const receiving = {
    ...COMMON,
    ...tabs(here),
    list: `#/lists/${clients.moduleID}`,
    bin: `#/lists/${clients.moduleID}?bin`,
    import: `#/lists/import?into=${clients.moduleID}`,
  };
  const giving = {
    home: '#/',
    ...tabs(there),
    'share-columns': `#/partners/${there}/share/${customers.moduleID}`,
    'share-new': `#/partners/${there}/share/new`,
    list: `#/lists/${orders.moduleID}`,
  };
  return [
    { name: 'one', ...harbour, places: receiving },
    { name: 'giving', ...north, places: giving },
  ];
}
