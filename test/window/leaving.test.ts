import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Locator } from 'playwright-core';
import { seriousFindings } from '../support/reading/axe.ts';
import { photograph } from '../support/harness/browser.ts';
import { openDesks, type Desk, type Desks } from '../support/harness/desk.ts';
import { pairNodes, type Pair } from '../support/harness/node.ts';

describe('A page with unsaved choices', () => {
  let desks: Desks;
  let north: Desk;
  let harbour: Desk;
  let pair: Pair;
  let stock = '';

  beforeAll(async () => {
    desks = await openDesks('North Trading', 'Harbour Office');
    [north, harbour] = desks.all;
    pair = await pairNodes(north, harbour);
    stock = await north.csv('Stock', 'Article,Amount\nTea,4\n');
    const orders = await harbour.csv('Orders', 'Number,Customer\n1,Kunze\n');
    await harbour.app('PUT', `/app/partners/${pair.atInvited}/shares/${orders}`, {
      fields: ['Number', 'Customer'],
    });
    await north.app('POST', `/app/partners/${pair.atInviter}/sync`);
  });
  afterAll(() => desks.close());

  const question = (): Locator => north.page.getByRole('dialog', { name: 'Leave without saving?' });
  const answer = (label: 'Keep editing' | 'Discard'): Promise<void> =>
    question().getByRole('button', { name: label }).click();
  const link = (name: string): Locator =>
    north.page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name });
  const isAtPartner = (): Promise<void> => north.page.getByRole('heading', { name: 'We share' }).waitFor();

  /** Leaves by a link and by Back: both ask, and keep the page as it is. Ends on it. */
  async function isAsked(address: string): Promise<void> {
    const leaves = [
      () => link('Home').click(),
      async (): Promise<void> => {
        await north.page.goBack();
      },
    ];
    for (const leave of leaves) {
      await leave();
      await question().waitFor();
      await answer('Keep editing');
      await expect.poll(() => north.page.evaluate(() => location.hash)).toBe(address);
      expect(await question().count()).toBe(0);
    }
  }

  /** Goes Home, which asks nothing. */
  async function leavesUnasked(): Promise<void> {
    await link('Home').click();
    await expect.poll(() => link('Home').getAttribute('aria-current')).toBe('page');
    expect(await question().count()).toBe(0);
  }

  it('of a partner asks by link, Back and reload, until it is saved or as before', async () => {
    const { page } = north;
    const address = `#/partners/${pair.atInviter}/connection`;
    await north.go('#/partners');
    await north.go(address);
    const phone = page.getByRole('textbox', { name: 'Telephone number' });
    await phone.fill('0123');
    await isAsked(address);
    expect(await phone.inputValue()).toBe('0123');
    const asked = page.waitForEvent('dialog');
    await page.evaluate(() => void setTimeout(() => location.reload()));
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();

    await link('Home').click();
    await question().waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await photograph(page, 'leave-question');
    await page.keyboard.press('Escape');
    await expect.poll(() => question().count()).toBe(0);
    expect(await phone.inputValue()).toBe('0123');
    await phone.fill('');
    await leavesUnasked();
    await page.goBack();
    await phone.fill('0456');
    await north.press(/^Save$/);
    await north.sees('Saved.');
    await leavesUnasked();

    await page.goBack();
    await phone.fill('0789');
    await page.goBack();
    await question().waitFor();
    await answer('Discard');
    await north.page.getByRole('heading', { level: 1, name: 'Partners' }).waitFor();
    await page.goForward();
    await phone.waitFor();
    expect(await phone.inputValue()).toBe('0456');
  });

  it('of a share asks, unless it is cancelled or saved', async () => {
    const address = `#/partners/${pair.atInviter}/share/${stock}`;
    await north.go(address);
    const article = north.page.getByLabel('Article');
    await article.check();
    await isAsked(address);
    expect(await article.isChecked()).toBe(true);
    await north.press('Cancel');
    await isAtPartner();
    expect(await question().count()).toBe(0);
    await north.go(address);
    await article.check();
    await north.press('Share 1 column');
    await isAtPartner();
    await leavesUnasked();
  });

  it('of a matching asks, unless it is saved', async () => {
    const { page } = north;
    const [offer] = await north.app<{ sharedModuleID: string }[]>(
      'GET',
      `/app/partners/${pair.atInviter}/offers`,
    );
    const address = `#/partners/${pair.atInviter}/receive/${offer?.sharedModuleID ?? ''}`;
    await north.go(address);
    await page.getByRole('combobox', { name: /Customer/ }).click();
    await page.getByRole('option', { name: 'Article' }).click();
    await isAsked(address);
    await north.press('Receive 1 column');
    await isAtPartner();
    await leavesUnasked();
  });

  it('of an import asks once something was chosen, and no more once it is imported', async () => {
    const { page } = north;
    const file = { name: 'Prices.csv', mimeType: 'text/csv', buffer: Buffer.from('No,Price\n1,2.50\n') };
    await north.go('#/lists/import');
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByRole('textbox', { name: 'Name of the list' }).fill('Price list');
    await isAsked('#/lists/import');
    await north.press('Import 1 row');
    await north.sees('1 row added');
    await leavesUnasked();
    await north.go('#/lists/import');
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByRole('textbox', { name: 'Name of the list' }).waitFor();
    await leavesUnasked();
  });

  it('or dialog with a typed name keeps it, or asks', async () => {
    const { page } = north;
    await north.go(`#/lists/${stock}`);
    await north.press('Save as view …');
    const name = page.getByRole('dialog').getByRole('textbox', { name: 'Name of the view' });
    await name.fill('Tea only');
    await page.keyboard.press('Escape');
    await north.sees('What you entered isn’t saved.');
    await north.press('Keep editing');
    expect(await name.inputValue()).toBe('Tea only');
    await page.goBack();
    await question().waitFor();
    await answer('Keep editing');
    await north.press(/^Save$/);
    await page.getByRole('link', { name: 'Tea only' }).waitFor();

    await north.go('#/partners/add');
    await north.press('I invite them');
    const partner = page.getByRole('textbox', { name: 'What do you call this partner?' });
    await partner.fill('Mill & Sons');
    await north.press('They invited me');
    await isAsked('#/partners/add');
    await north.press('I invite them');
    expect(await partner.inputValue()).toBe('Mill & Sons');
    await isAsked('#/partners/add');
    await partner.fill('');
    await leavesUnasked();
  });

  it('with a pasted invite or a typed path asks, and keeps the invite while another form is shown', async () => {
    const { page } = north;
    await north.go('#/partners/add');
    await north.press('They invited me');
    const invite = page.getByRole('textbox', { name: 'Invite', exact: true });
    await invite.fill('footbridge:half');
    await isAsked('#/partners/add');
    await north.press('I invite them');
    await isAsked('#/partners/add');
    await north.press('They invited me');
    expect(await invite.inputValue()).toBe('footbridge:half');
    await invite.fill('');
    await leavesUnasked();

    await north.go(`#/lists/${stock}`);
    await north.press('More');
    await page.getByRole('menuitem', { name: 'Files on this computer …' }).click();
    const files = page.getByRole('dialog', { name: 'Files of “Stock”' });
    for (const field of ['File or folder', 'File']) {
      const path = files.getByLabel(field, { exact: true });
      await path.fill('/srv/prices.csv');
      await page.keyboard.press('Escape');
      await north.sees('What you entered isn’t saved.');
      await north.press('Keep editing');
      expect(await path.inputValue()).toBe('/srv/prices.csv');
      await path.fill('');
    }
    await page.keyboard.press('Escape');
    await expect.poll(() => files.count()).toBe(0);
  });
});
