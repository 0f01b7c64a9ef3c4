import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ListDetail } from '../../server/contract/app/lists.ts';
import type { Share } from '../../server/contract/app/sharing.ts';
import { seriousFindings } from '../support/reading/axe.ts';
import { launchBrowser, photograph } from '../support/harness/browser.ts';
import { openDesk, type Desk } from '../support/harness/desk.ts';
import { keyboardOf } from '../support/reading/keyboard.ts';
import { cutOff, outOfSight } from '../support/reading/layout.ts';
import { pairNodes, startNode, type NodeOffice, type Pair } from '../support/harness/node.ts';
import { customers } from '../support/data/office-lists.ts';

const COUNTRIES = ['Germany', 'Österreich', 'France'];
const ROWS = customers({ rows: 90, seed: 17 }).rows.map(({ CompanyName = '', City = '' }, at) => ({
  name: CompanyName.replaceAll('"', ''),
  city: City,
  country: COUNTRIES[at % 3] ?? '',
  isOpen: at % 2 === 0,
}));
const FILE = [
  'Name,City,Country,State',
  ...ROWS.map((row) => `"${row.name}","${row.city}",${row.country},${row.isOpen ? 'open' : 'closed'}`),
].join('\n');

describe('rows to choose where a list is shared', () => {
  let browser: Browser;
  let north: Desk;
  let harbour: NodeOffice;
  let pair: Pair;
  let list = '';

  beforeAll(async () => {
    browser = await launchBrowser();
    [north, harbour] = await Promise.all([openDesk(browser, 'North Trading'), startNode('Harbour Office')]);
    list = await north.csv('Customers', FILE);
    pair = await pairNodes(north, harbour);
    await north.app('PATCH', `/app/partners/${pair.atInviter}`, { name: 'Harbour Office' });
  });
  afterAll(async () => {
    await browser.close();
    await north.close();
    await harbour.stop();
  });

  const comparison = (nth: number): Locator => north.page.getByRole('group', { name: `Condition ${nth}` });
  const shares = (): Promise<Share[]> => north.app('GET', `/app/partners/${pair.atInviter}/shares`);
  async function pick(nth: number, field: string, option: string): Promise<void> {
    await comparison(nth).getByLabel(field, { exact: true }).click();
    await north.page.getByRole('option', { name: option, exact: true }).click();
  }

  it('are chosen by clicking, counted and shown before anything leaves, and said of the share', async () => {
    const { page } = north;
    await north.go(`#/partners/${pair.atInviter}/share/${list}`);
    await page.getByRole('checkbox', { name: /^Name/ }).check();
    await north.sees('90 rows and 1 column may leave this computer.');
    await page.getByRole('radio', { name: 'Only rows where…' }).check();
    await north.sees('Not counted yet. Choose a column and a value to see which rows match.');
    expect(await page.getByRole('button', { name: 'Share 1 column' }).isDisabled()).toBe(true);
    const eye = page.getByRole('region', { name: 'Preview for Harbour Office' }).first();
    expect(await eye.innerText()).not.toMatch(/90|Your real rows/);
    await pick(1, 'Column', 'Country');
    await north.sees('Written exactly like this: capital letters and spaces count.');
    await comparison(1).getByLabel('Value').fill('Germany');
    await north.sees('30 rows and 1 column may leave this computer.');
    await eye.getByText('30 of 90 rows').waitFor();
    const german = ROWS.filter(({ country }) => country === 'Germany').map(({ name }) => name);
    const shown = await eye.locator('td:not(.stays)').allInnerTexts();
    expect(shown).toEqual(german.slice(0, shown.length));
    expect(shown.length).toBeGreaterThan(5);
    expect(await shares()).toEqual([]);
    await page.getByRole('radio', { name: 'All rows' }).check();
    await north.sees('90 rows and 1 column may leave this computer.');
    await page.getByRole('radio', { name: 'Only rows where…' }).check();
    expect(await comparison(1).getByLabel('Value').inputValue()).toBe('Germany');
    await north.sees('30 rows and 1 column may leave this computer.');

    await page.getByRole('button', { name: 'Add a condition' }).click();
    await pick(2, 'Column', 'State');
    await comparison(2).getByLabel('Value').fill('open');
    await north.sees('15 rows and 1 column may leave this computer.');
    await north.choose('What has to be met', 'any of these is met');
    await north.sees('60 rows and 1 column may leave this computer.');
    await pick(2, 'Comparison', 'is not');
    // What is being counted is dimmed.
    await eye.locator('[aria-busy=false]').waitFor();
    await photograph(page, 'share-rows');
    await page.setViewportSize({ width: 390, height: 844 });
    await comparison(2).scrollIntoViewIfNeeded();
    await photograph(page, 'share-rows-narrow');
    expect([...(await outOfSight(page)), ...(await cutOff(page))]).toEqual([]);
    expect(await seriousFindings(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 860 });
    await comparison(2).getByRole('button', { name: 'Remove this condition' }).click();
    await north.sees('30 rows and 1 column may leave this computer.');
    await north.press('Share 1 column');
    await north.sees('Only rows where Country is “Germany”');
    await north.sees('30 of 90 rows');
    await photograph(page, 'share-rows-said');
  });

  it('are changed without a mouse, and all rows are shared again', { tags: 'nightly-windows' }, async () => {
    const { page } = north;
    const keys = keyboardOf(page);
    await page.getByRole('link', { name: 'Change columns' }).click();
    await comparison(1).getByLabel('Value').waitFor();
    await keys.write('Value', 'France');
    await north.sees('30 of 30 rows they see now move to their bin');
    await keys.press('Add a condition');
    await keys.reach(comparison(2).getByLabel('Value'));
    await page.keyboard.type('B');
    await keys.press('Remove this condition');
    // The first one went; the second is the only one now, and the focus is where one can go on.
    await comparison(2).waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await comparison(1).waitFor({ state: 'detached' });
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.closest('label')?.textContent.trim()))
      .toBe('All rows');
    await keys.press('Share 1 column');
    await north.sees('90 rows');
    await expect.poll(async () => (await shares())[0]?.rows).toBe(90);
    expect(north.errors).toEqual([]);
  });

  it('and columns that were deleted and restored are chosen as before, and said until they are shared again', async () => {
    const { page } = north;
    const { fields } = await north.app<ListDetail>('GET', `/app/lists/${list}`);
    /** Deletes a column that is shared as well, and takes it out of the bin. */
    async function cycle(condition: object): Promise<void> {
      const share = `/app/partners/${pair.atInviter}/shares/${list}`;
      await north.app('PUT', share, { fields: ['Name', 'State'], ...condition });
      await north.app('PATCH', `/app/lists/${list}`, {
        fields: fields.filter(({ name }) => name !== 'State'),
      });
      const gone = fields.find(({ name }) => name === 'State')?.fieldID ?? '';
      await north.app('POST', `/app/lists/${list}/bin/${gone}/restore`, {});
    }
    const state = page.getByRole('checkbox', { name: /^State/ });
    await cycle({});
    await north.go(`#/partners/${pair.atInviter}`);
    await north.sees('1 column was restored, but isn’t shared again yet.');
    await photograph(page, 'share-column-restored');
    await page.getByRole('link', { name: 'Change columns' }).click();
    await state.waitFor();
    expect(await state.isChecked(), 'what they see now').toBe(false);
    await page.goBack();
    await page.getByRole('link', { name: 'Share again …' }).click();
    await expect.poll(() => state.isChecked()).toBe(true);

    await cycle({ condition: { parts: [{ column: 'State', test: 'is', value: 'open' }] } });
    await north.go(`#/partners/${pair.atInviter}`);
    await page.getByRole('link', { name: 'Change columns' }).click();
    await comparison(1).getByLabel('Value').waitFor();
    expect(await state.isChecked()).toBe(true);
    await north.sees(
      'Ticked are the columns that Harbour Office saw before. Nothing leaves until you share them.',
    );
    await photograph(page, 'share-rows-restored');
    await north.app('DELETE', `/app/partners/${pair.atInviter}/shares/${list}`);
    await north.app('PUT', `/app/partners/${pair.atInviter}/shares/${list}`, {
      fields: ['Name'],
      condition: { parts: [{ column: 'Country', test: 'is', value: 'Germany' }] },
    });
    await north.go(`#/partners/${pair.atInviter}`);
    await north.sees('Only rows where Country is “Germany”');
  });

  it(
    'warn before their column goes, keep no row shared then, and say which comparison it was',
    { tags: 'nightly-windows' },
    async () => {
      const { page } = north;
      await north.app('PUT', `/app/partners/${pair.atInviter}/shares/${list}`, {
        fields: ['Name'],
        condition: { parts: [{ column: 'State', test: 'is', value: 'open' }] },
      });
      await north.go(`#/lists/${list}`);
      await north.press('More');
      await page.getByRole('menuitem', { name: 'Name and columns' }).click();
      await page.getByRole('button', { name: 'Column 4: remove' }).click();
      await north.sees('With Harbour Office no row of this list is shared any more then');
      await north.press('Delete column');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await north.go(`#/partners/${pair.atInviter}/share/${list}`);
      await north.sees('Gone or changed since: State is “open”');
      expect(await comparison(1).getByLabel('Value').count()).toBe(0);
      await photograph(page, 'share-rows-gone');
      await page.setViewportSize({ width: 390, height: 844 });
      expect([...(await outOfSight(page)), ...(await cutOff(page))]).toEqual([]);
      expect(north.errors).toEqual([]);
    },
  );
});
