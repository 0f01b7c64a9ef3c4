import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ListDetail, ListSummary } from '../../server/contract/app/lists.ts';
import { seriousFindings } from '../support/reading/axe.ts';
import { photograph } from '../support/harness/browser.ts';
import { openDesks, type Desk, type Desks } from '../support/harness/desk.ts';
import { pairNodes, type Pair } from '../support/harness/node.ts';

describe('the list that is to be shared', () => {
  let desks: Desks;
  let north: Desk;
  let harbour: Desk;
  let pair: Pair;

  beforeAll(async () => {
    desks = await openDesks('North Trading', 'Harbour Office');
    [north, harbour] = desks.all;
  });
  afterAll(() => desks.close());

  const title = (name: string | RegExp): Promise<void> =>
    north.page.getByRole('heading', { level: 1, name }).waitFor();
  const pick = (): Promise<void> => north.go(`#/partners/${pair.atInviter}/share/new`);

  it('is not spoken of on both halves of the page before anybody is connected', async () => {
    await north.app('POST', '/app/invites', { name: 'Mill' });
    const [mill] = await north.app<{ nodeID: string }[]>('GET', '/app/partners');
    await north.go(`#/partners/${mill?.nodeID ?? ''}`);
    await north.sees('Once you’re connected, the lists you share and receive appear here.');
    expect(await north.page.getByRole('heading', { name: 'We share' }).count()).toBe(0);
    await north.go('#/lists');
    await title('Lists');
    await north.app('POST', `/app/partners/${mill?.nodeID ?? ''}/disconnect`, { received: 'keep' });
  });

  it('is made of a file where there is none', async () => {
    pair = await pairNodes(north, harbour);
    await pick();
    await title(/^Which list do you want to share/);
    await north.page.locator('input[type=file]').setInputFiles({
      name: 'Stock.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('Article,Amount,Since\nTea,4,2026-01-05\nRice,2,2026-02-05\nSago,7,2026-03-05\n'),
    });
    await north.press('Import 3 rows');
    await title('Share Stock');
    // As the import called it.
    await north.sees('Date only');
  });

  it('is the only one there is, without a question, and is chosen among several', async () => {
    await north.go('#/partners');
    await pick();
    await title('Share Stock');
    await north.csv('People', 'Name\nAnna\n');
    await north.page.getByLabel('Article').check();
    await north.press('Share 1 column');
    await north.page.getByRole('heading', { name: 'We share' }).waitFor();
    await pick();
    const stock = north.page.getByRole('listitem').filter({ hasText: 'Stock' });
    await stock.getByText('shared already').waitFor();
    await stock.getByText('3 rows · 3 columns').waitFor();
    expect(await seriousFindings(north.page)).toEqual([]);
    await photograph(north.page, 'share-pick-of-two');
    await north.page.getByRole('main').getByRole('link', { name: 'People' }).click();
    await title('Share People');
  });

  it('says of a file of which not all goes in how much did', async () => {
    await pick();
    await north.page.locator('input[type=file]').setInputFiles({
      name: 'Prices.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('No,Price\n1,2.50\n2,3.50\n3,soon\n'),
    });
    await north.choose('Kind of “Price”', 'Number');
    await north.press('Import 3 rows');
    await north.sees('1 line can’t be imported');
    await north.sees('2 rows added · 0 rows updated');
    await north.press('Continue');
    await title('Share Prices');
  });

  it('says of a column that our own window hides that its tick counts all the same', async () => {
    const [stock] = (await north.app<ListSummary[]>('GET', '/app/lists')).filter(
      ({ name }) => name === 'Stock',
    );
    const path = `/app/lists/${stock?.moduleID ?? ''}`;
    const { fields } = await north.app<ListDetail>('GET', path);
    const hidden = fields.flatMap(({ name, fieldID }) => (name === 'Amount' ? [fieldID] : []));
    await north.app('PUT', `${path}/columns`, { order: [], hidden, widths: {}, frozen: 0 });
    await north.go(`#/partners/${pair.atInviter}/share/${stock?.moduleID ?? ''}`);
    const said = north.page.getByText('Amount is hidden in a window of this office');
    await north.page.getByLabel('Amount').check();
    await said.waitFor();
    expect(await seriousFindings(north.page)).toEqual([]);
    await photograph(north.page, 'share-hidden-here');
    await north.page.getByLabel('Amount').uncheck();
    await said.waitFor({ state: 'detached' });
    expect([...north.errors, ...harbour.errors]).toEqual([]);
  });
});
