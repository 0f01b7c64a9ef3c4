import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, openWindow, photograph } from '../support/harness/browser.ts';
import { shiftsOf, STILL, watchShifts } from '../support/reading/shifts.ts';
import { serveBuilt, type Served } from '../support/harness/program.ts';

/** What a user who knows nothing does in two windows, by clicking only what is on the screen. */
describe('the main job in two windows', { tags: 'nightly-windows' }, () => {
  let browser: Browser;
  let north: Served;
  let harbour: Served;
  let here: Page;
  let there: Page;
  const errors: string[] = [];
  let invite = '';

  beforeAll(async () => {
    browser = await launchBrowser();
    north = await serveBuilt();
    harbour = await serveBuilt();
    here = await openWindow(browser, north.window, errors);
    there = await openWindow(browser, harbour.window, errors);
    await Promise.all([here, there].map(watchShifts));
  });
  afterAll(async () => {
    await browser.close();
    await north.remove();
    await harbour.remove();
  });

  const press = (page: Page, name: string | RegExp): Promise<void> =>
    page.getByRole('button', { name }).first().click();

  async function nameOffice(page: Page, name: string): Promise<void> {
    await page.getByLabel('What is your office called?').fill(name);
    await press(page, 'Continue');
  }

  it('first run: an office gets its name and an invite', async () => {
    await photograph(here, 'welcome-office');
    await nameOffice(here, 'North Trading');
    await press(here, 'I invite them');
    await here.getByLabel('What do you call this partner?').fill('Harbour Office');
    await press(here, 'On this computer only');
    invite = await here.getByLabel('Invite for Harbour Office').inputValue();
    expect(invite).toMatch(/^https?:\/\/\d+:[A-Za-z0-9]{32}@/);
    await photograph(here, 'welcome-invite');
    await here.getByText('Once Harbour Office uses it, you are asked here.').waitFor();
  });

  it('first run: the other office pastes the invite and asks to connect', async () => {
    await nameOffice(there, 'Harbour Office');
    await press(there, 'They invited me');
    await there.getByLabel('Invite', { exact: true }).fill(`  "${invite}"\n`);
    await there.getByText('This invite says it’s from North Trading').waitFor();
    await photograph(there, 'welcome-paste');
    await press(there, 'Yes, connect');
    await there.getByText('Waiting for North Trading to approve').first().waitFor();
    await photograph(there, 'partner-waiting');
  });

  it('the request shows up by itself beside the invite and is approved, and both compare the words', async () => {
    await here.getByText('Harbour Office asks to connect').first().waitFor();
    await photograph(here, 'welcome-pair-request');
    await press(here, 'Approve');
    for (const page of [here, there]) {
      await page.getByRole('heading', { name: 'Call them now' }).waitFor();
      await photograph(page, page === here ? 'words' : 'words-there');
      await press(page, 'Yes, the same words');
      await page.getByRole('heading', { name: 'We share' }).waitFor();
    }
    await photograph(here, 'partner-connected');
    await here.getByRole('link', { name: 'Home' }).first().click();
    await here.getByText('Connected. Now one of you shares a list').waitFor();
    await photograph(here, 'home-connected');
  });

  it('a list is shared with some of its columns', async () => {
    await here.getByRole('link', { name: /Share a list with Harbour Office/ }).click();
    await here.getByText('Drop a spreadsheet (xlsx, ods) or CSV file here').waitFor();
    await photograph(here, 'share-pick');
    await press(here, 'Customers');
    await here.getByRole('heading', { name: 'Share customers' }).waitFor();
    for (const column of ['CompanyName', 'City', 'Country']) await here.getByLabel(column).first().check();
    await here.getByText('Preview for Harbour Office').waitFor();
    await photograph(here, 'share-columns');
    await press(here, 'Share 3 columns');
    await here.getByText('3 of 11 columns').waitFor();
    await photograph(here, 'we-share');
  });

  it('the other office makes a list like it in one click, and the rows arrive', async () => {
    await there.getByRole('link', { name: 'Home' }).first().click();
    await there
      .getByText(/North Trading offers you the list/)
      .first()
      .waitFor();
    await photograph(there, 'home-list-offered');
    await press(there, 'Make a list like this one');
    await there.getByRole('link', { name: 'Lists' }).first().click();
    await there.getByText('91').first().waitFor();
    await photograph(there, 'lists');
    await there.getByRole('link', { name: 'customers' }).first().click();
    await there.getByText('Herbaciarnia Zieliński').first().waitFor();
    await photograph(there, 'list-rows');
    expect(await there.getByText('ContactName').count()).toBe(0);
  });

  it('a change there shows here by itself', async () => {
    await here.getByRole('link', { name: 'Lists' }).first().click();
    await here.getByRole('link', { name: 'customers' }).first().click();
    const cell = here.getByRole('gridcell', { name: 'Herbaciarnia Zieliński' }).first();
    await cell.dblclick();
    await here.keyboard.press('Control+a');
    await here.keyboard.type('Herbaciarnia Zieliński i Córki');
    await here.keyboard.press('Enter');
    await there.getByText('Herbaciarnia Zieliński i Córki').first().waitFor({ timeout: 10_000 });
    await there.getByRole('link', { name: 'Home' }).first().click();
    await there.getByText(/What arrived lately/).waitFor();
    await photograph(there, 'home-arrived');
    // Whole, where there is room for it.
    const column = there.getByText('CompanyName', { exact: true }).first();
    expect(await column.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0);
  });

  it('nothing jumped about while all of that arrived', async () => {
    for (const page of [here, there]) {
      const { total, worst } = await shiftsOf(page);
      expect(total, worst.join('\n')).toBeLessThan(STILL);
    }
  });

  it('nothing went wrong on either page meanwhile', () => {
    expect(errors).toEqual([]);
  });
});
