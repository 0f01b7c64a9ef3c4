import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../support/harness/browser.ts';
import { openDesk, type Desk } from '../support/harness/desk.ts';
import { csvOf, customers } from '../support/data/office-lists.ts';

/** What is ticked is what one would think, also where the rows between were never in view. */
describe('ticking many rows', { tags: 'nightly-windows' }, () => {
  let browser: Browser;
  let desk: Desk;
  let list = '';

  beforeAll(async () => {
    browser = await launchBrowser();
    desk = await openDesk(browser, 'North Trading');
    list = await desk.csv('Customers', csvOf(customers({ rows: 934 })));
    await desk.go(`#/lists/${list}`);
    await desk.sees('934 rows');
  });
  afterAll(async () => {
    await browser.close();
    await desk.close();
  });

  const tick = (row: number): Locator => desk.page.getByLabel(`Tick row ${row}`, { exact: true });

  it('from the first to one far below takes all between', async () => {
    await tick(1).click();
    await desk.page.getByRole('grid').focus();
    await desk.page.keyboard.press('Control+End');
    await tick(934).click({ modifiers: ['Shift'] });
    await desk.sees('934 rows ticked');
  });

  it('all at once, by the box above them and by Ctrl+A', async () => {
    const all = desk.page.getByLabel('Tick all rows');
    expect(await all.isChecked()).toBe(true);
    await all.click();
    await expect.poll(() => desk.page.getByText('rows ticked').count()).toBe(0);
    await desk.page.getByRole('grid').focus();
    await desk.page.keyboard.press('Control+A');
    await desk.sees('934 rows ticked');
    await desk.press('Delete');
    await desk.sees('934 rows are in the bin.');
    await desk.sees('0 rows');
  });
});
