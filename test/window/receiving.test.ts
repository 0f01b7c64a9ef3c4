import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDesks, type Desk, type Desks } from '../support/harness/desk.ts';
import { pairNodes, rowsOf, type Pair } from '../support/harness/node.ts';

const ITEMS = 40;
/** Every fifth price is no number. */
const stock = (): string =>
  ['Item,Price,Colour,Note']
    .concat(
      Array.from(
        { length: ITEMS },
        (_, n) => `Item ${n},${n % 5 === 4 ? 'on request' : `${n}.50`},red,internal ${n}`,
      ),
    )
    .join('\n');

/** What an office sees and does about the lists that a partner offers it. */
describe('We receive and Activity', () => {
  let desks: Desks;
  let north: Desk;
  let harbour: Desk;
  let pair: Pair;
  let items = '';
  let goods = '';

  beforeAll(async () => {
    desks = await openDesks('North Trading', 'Harbour Office');
    [north, harbour] = desks.all;
    items = await north.csv('Items', stock());
    pair = await pairNodes(north, harbour);
    ({ moduleID: goods } = await harbour.app<{ moduleID: string }>('POST', '/app/lists', {
      name: 'Goods',
      fields: [
        { label: 'Item', name: 'Item', kind: 'String', isMulti: false },
        { label: 'Price', name: 'Price', kind: 'Number', isMulti: false },
        { label: 'Remark', name: 'Remark', kind: 'String', isMulti: false },
        { label: 'Since', name: 'Since', kind: 'DateTime', isMulti: false },
      ],
    }));
  });
  afterAll(() => desks.close());

  const receive = (): string => `#/partners/${pair.atInvited}/receive`;
  const share = (fields: readonly string[]): Promise<unknown> =>
    north.app('PUT', `/app/partners/${pair.atInviter}/shares/${items}`, { fields });

  it('an offered list is matched column by column, with what becomes of real values', async () => {
    await share(['Item', 'Price', 'Colour', 'Note']);
    await harbour.go('#/');
    await harbour.sees('North Trading offers you the list “Items”');
    await harbour.page.getByRole('link', { name: 'Match with a list of mine' }).click();
    // It is the only list there is: it is chosen.
    await harbour.page
      .getByLabel('Which of your lists should the rows go into?')
      .getByText('Goods')
      .waitFor();

    const line = (column: string): Locator =>
      harbour.page.getByRole('row', { name: new RegExp(`^${column}`) });
    // Suggested by name and kind; what cannot be is not suggested.
    await line('Item').getByText('fits').waitFor();
    await line('Price').getByText('some values may not fit').waitFor();
    await line('Price').getByText('Only texts that are plain numbers').waitFor();
    await line('Note').getByText('Don’t receive').waitFor();
    await line('Colour').getByText('Don’t receive').waitFor();
    // Three real values each: the refused ones first, with the reason.
    const samples = (column: string): Locator => line(column).getByRole('listitem');
    expect(await samples('Price').count()).toBe(3);
    expect(await samples('Price').first().innerText()).toMatch(/on request[\s\S]*number/);
    expect(await samples('Item').allInnerTexts()).toEqual(['Item 0', 'Item 1', 'Item 2']);

    // Another column than the suggested one: its own before and after.
    await harbour.choose('Your column for “Note”', 'Price');
    await line('Note')
      .getByText(/internal 0/)
      .waitFor();
    expect(await samples('Note').first().innerText()).toMatch(/number/);
    await harbour.sees('Two of their columns go into “Price”. Choose another for one of them.');
    expect(await harbour.page.getByRole('button', { name: /^Receive/ }).isDisabled()).toBe(true);
    await harbour.choose('Your column for “Note”', 'Don’t receive');
    await harbour.press('Receive 2 columns');
    await harbour.sees('Lists matched.');
  });

  it('rows arrive; columns that go nowhere and rows that do not fit are said', async () => {
    await harbour.sees('32 rows received');
    await harbour.sees('2 columns not matched: Colour and Note');
    await harbour.sees('8 rows could not be applied');
    await harbour.press('Show them');
    await harbour.sees(/Price.*number/);
    await harbour.sees(/Item: Item 4/);
    expect((await rowsOf(harbour, goods)).length).toBe(32);
  });

  it('what could not be applied goes in once the column takes it, when tried again', async () => {
    // The user makes the column one of text; the partner's values then fit.
    const list = await harbour.app<{ fields: { name: string; kind: string }[] }>(
      'GET',
      `/app/lists/${goods}`,
    );
    await harbour.app('PATCH', `/app/lists/${goods}`, {
      fields: list.fields.map((field) => (field.name === 'Price' ? { ...field, kind: 'String' } : field)),
    });
    // The change of the column has them tried by itself as well; where that was quicker, nothing is left to press.
    const again = harbour.page.getByRole('button', { name: 'Try again now' });
    await again.click({ timeout: 3000 }).catch(async (cause: unknown) => {
      if ((await again.count()) > 0) throw cause;
    });
    await harbour.sees('40 rows received');
    await expect.poll(() => harbour.page.getByText('could not be applied').count()).toBe(0);
  });

  it('a pull that would remove many rows waits; no keeps them', async () => {
    const rows = await rowsOf(north, items);
    await north.app('POST', `/app/lists/${items}/rows/delete`, {
      recordIDs: rows.slice(0, 30).map(({ recordID }) => recordID),
    });
    await harbour.app('POST', `/app/partners/${pair.atInvited}/sync`);
    await harbour.go('#/');
    await harbour.sees('Large change in “Goods” from North Trading');
    await harbour.page.getByRole('link', { name: 'Look and decide' }).click();
    await harbour.sees('30 of 40 received rows would go to the bin.');
    const rowsThatWait = harbour.page.getByRole('list', { name: 'Rows that wait' }).getByRole('listitem');
    await expect.poll(() => rowsThatWait.allInnerTexts()).toHaveLength(5);
    expect((await rowsThatWait.first().innerText()).replace(/\s+/g, ' ')).toMatch(/^Item \d+ would go$/);
    await harbour.press('Show all 30');
    await expect.poll(() => rowsThatWait.count()).toBe(30);
    await harbour.press('Keep my rows');
    await harbour.sees('These rows stay in your list.');
    await harbour.sees('40 rows received');
    expect((await rowsOf(harbour, goods)).length).toBe(40);
  });

  it('are we identical? says the differences; what is fetched again meets the same question, and yes', async () => {
    await harbour.press('Compare “Items”');
    await harbour.sees('30 rows differ. They have 10, you have 40.');
    await harbour.sees('Item 3: no longer there');
    await harbour.press('Fetch these again');
    await harbour.sees('North Trading removed or emptied 30 rows. Review the changes.');
    await harbour.go(receive());
    await harbour.sees('Remove 30 rows');
    const [next] = await rowsOf(north, items);
    await north.app('POST', `/app/lists/${items}/rows/delete`, { recordIDs: [next?.recordID] });
    await harbour.app('POST', `/app/partners/${pair.atInvited}/sync`);
    await harbour.press('Remove 31 rows');
    await harbour.sees('What waits has changed: it is 31 rows now. Nothing was removed yet.');
    expect(harbour.errors.splice(0).join()).toContain('409');
    await harbour.press('Remove 31 rows');
    await harbour.sees('Done. Removed rows lie in the bin and can be restored.');
    await harbour.sees('9 rows received');
    // Both have the same rows now: what the comparison before found is no longer said.
    const apart = harbour.page.getByText('30 rows differ from what North Trading has');
    await expect.poll(() => apart.count(), { timeout: 15_000 }).toBe(0);
    await harbour.press('Compare “Items”');
    await harbour.sees('Identical: 9 rows, value by value.');
  });

  it('the bin shows what went, and gives it back', async () => {
    await harbour.go(receive());
    await harbour.page.getByRole('link', { name: 'Bin: 31 rows' }).click();
    await harbour.page.getByRole('heading', { name: 'Bin of “Goods”' }).waitFor();
    await harbour.page.getByLabel('Tick row 1', { exact: true }).check();
    await harbour.page.getByLabel('Tick row 2', { exact: true }).check();
    await harbour.press('Restore');
    await harbour.sees('2 rows are back.');
    await harbour.sees('29 rows');
    expect((await rowsOf(harbour, goods)).length).toBe(11);
  });

  it('Activity tells pulls with their counts, and is filtered', async () => {
    await harbour.go(`#/partners/${pair.atInvited}/activity`);
    await harbour.page
      .getByRole('row', { name: /Rows fetched.*Goods.*32 new.*8 could not be applied/ })
      .waitFor();
    await harbour.page
      .getByRole('row', { name: /Goods.*8 new/ })
      .first()
      .waitFor();
    await harbour.choose('Show', 'Problems');
    await expect.poll(() => harbour.page.getByRole('row', { name: /32 new/ }).count()).toBe(0);
    await harbour.choose('Show', 'Waiting for you');
    await harbour.page.getByRole('row', { name: /Goods/ }).first().waitFor();
    await harbour.choose('Show', 'What worked');
    await harbour.page.getByRole('row', { name: /8 new/ }).first().waitFor();
  });

  it('a column that goes at the partner parks its match; the rest goes on', async () => {
    await share(['Item', 'Note']);
    await harbour.app('POST', `/app/partners/${pair.atInvited}/sync`);
    await harbour.go('#/');
    await harbour.sees('Columns of “Goods” changed at North Trading');
    await harbour.page.getByRole('link', { name: 'Look at the matching' }).click();
    await harbour.page.getByRole('row', { name: /^Note/ }).waitFor();
    await harbour.go(receive());
    await harbour.sees('Some columns have stopped arriving');
    await north.app('POST', `/app/lists/${items}/rows`, { values: { Item: ['Lamp'] } });
    await harbour.sees('12 rows received');
  });

  it('a matching whose column is gone leaves that out and saves the rest', async () => {
    await harbour.csv('Hours', 'Person\nAda\n');
    await harbour.page.getByRole('link', { name: 'Change matching' }).click();
    await harbour.sees(/^Saving leaves out what is gone: Price → Price\./);
    // Another list would receive the rows as well, and the partner's page would not show that.
    await harbour.sees('For another list, choose “Stop receiving” first.');
    await harbour.page.getByLabel('Which of your lists should the rows go into?').click();
    expect(await harbour.page.getByRole('option').allInnerTexts()).toEqual([expect.stringMatching(/^Goods/)]);
    await harbour.page.keyboard.press('Escape');
    await harbour.press('Receive 1 column');
    await harbour.sees('12 rows received');
    await expect.poll(() => harbour.page.getByText('Some columns have stopped arriving').count()).toBe(0);
    const [offer] = await harbour.app<{ matches: unknown[] }[]>(
      'GET',
      `/app/partners/${pair.atInvited}/offers`,
    );
    expect(offer?.matches).toEqual([{ origin: 'Item', destination: 'Item' }]);
  });

  it('stop receiving says how many rows stay', async () => {
    await harbour.press('Stop receiving');
    const dialog = harbour.page.getByRole('dialog');
    await dialog.getByText(/Nothing new arrives. The \d+ rows that arrived stay in your list./).waitFor();
    await dialog.getByRole('button', { name: 'Stop receiving' }).click();
    await harbour.sees('Offered to you');
    await harbour.press('Not now');
    await harbour.sees('Put aside');
    await harbour.press('Offer it again');
    await harbour.sees('Make a list like this one');
  });

  it('nothing went wrong on either page meanwhile', () => {
    expect([...north.errors, ...harbour.errors]).toEqual([]);
  });
});
