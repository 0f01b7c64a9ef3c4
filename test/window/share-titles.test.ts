import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDesks, type Desk, type Desks } from '../support/harness/desk.ts';
import { pairNodes, type Pair } from '../support/harness/node.ts';

interface Column {
  readonly fieldID: string;
  readonly name: string;
}

describe('a column that refers to rows of another list', () => {
  let desks: Desks;
  let north: Desk;
  let harbour: Desk;
  let pair: Pair;
  let customers = '';
  let orders = '';

  beforeAll(async () => {
    desks = await openDesks('North Trading', 'Harbour Office');
    [north, harbour] = desks.all;
    pair = await pairNodes(north, harbour);
    await north.app('PATCH', `/app/partners/${pair.atInviter}`, { name: 'Harbour Office' });
    customers = await north.csv(
      'Customers',
      'Name,Code,Bank account\nAnna Berzina,C-104,LV80BANK0000435195001\n',
    );
    const { rows } = await north.app<{ rows: { recordID: string }[] }>('GET', `/app/lists/${customers}/rows`);
    const column = (name: string, more: object): object => ({ label: name, name, isMulti: false, ...more });
    const fields = [
      column('Number', { kind: 'String' }),
      column('Customer', { kind: 'Record', options: { moduleID: customers } }),
    ];
    ({ moduleID: orders } = await north.app<{ moduleID: string }>('POST', '/app/lists', {
      name: 'Orders',
      fields,
    }));
    const values = { Number: ['2026-118'], Customer: [rows[0]?.recordID ?? ''] };
    await north.app('POST', `/app/lists/${orders}/rows`, { values });
  });
  afterAll(() => desks.close());

  const seen = async (): Promise<string[]> => north.page.locator('td:not(.stays)').allInnerTexts();
  const SHOWN_BY = 'Shown by this column of “Customers”';

  it('says before it is shared by which column its rows are shown, and lets one choose another', async () => {
    await north.go(`#/partners/${pair.atInviter}/share/${orders}`);
    await north.page.getByLabel('Number').check();
    await north.page.getByRole('checkbox', { name: /Customer/ }).check();
    await expect.poll(seen, { timeout: 15_000 }).toEqual(['2026-118', 'Anna Berzina']);
    await north.choose(SHOWN_BY, 'Code');
    await expect.poll(seen, { timeout: 15_000 }).toEqual(['2026-118', 'C-104']);
    await north.press('Share 2 columns');
    await north.sees('Customer is shown by “Code” of “Customers”');
  });

  it('asks once that column is gone, and gives nothing until another one is chosen', async () => {
    const { fields } = await north.app<{ fields: Column[] }>('GET', `/app/lists/${customers}`);
    const kept = fields.filter(({ name }) => name !== 'Code');
    await north.app('PATCH', `/app/lists/${customers}`, { fields: kept });
    await north.sees('Nothing of “Customer” leaves: what it was shown by is no longer there.');
    await north.page.getByRole('link', { name: 'Choose a column' }).click();
    await expect.poll(seen, { timeout: 15_000 }).toEqual(['2026-118', '']);
    await north.choose(SHOWN_BY, 'Name');
    await expect.poll(seen, { timeout: 15_000 }).toEqual(['2026-118', 'Anna Berzina']);
    await north.press('Share 2 columns');
    await north.sees('Customer is shown by “Name” of “Customers”');
    expect(north.errors).toEqual([]);
  });
});
