import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seriousFindings } from '../support/reading/axe.ts';
import { photograph } from '../support/harness/browser.ts';
import { openDesks, type Desk, type Desks } from '../support/harness/desk.ts';
import { csvOf, customers } from '../support/data/office-lists.ts';
import { pairNodes } from '../support/harness/node.ts';

const NARROW = { width: 390, height: 800 };
const WIDE = { width: 1280, height: 860 };

describe('help inside', () => {
  let desks: Desks;
  let desk: Desk;
  let other: Desk;
  let list = '';
  let partner = '';

  beforeAll(async () => {
    desks = await openDesks('North Trading', 'Harbour Office');
    [desk, other] = desks.all;
    list = await desk.csv('Customers', csvOf(customers()));
    ({ atInviter: partner } = await pairNodes(desk, other));
    await desk.page.getByRole('heading', { name: 'Your partner is connected' }).waitFor();
  });
  afterAll(() => desks.close());

  const dialog = (name: string | RegExp): Locator => desk.page.getByRole('dialog', { name });
  const keys = (): Locator => dialog('Keyboard shortcuts');

  /** Fits, is found nothing against, and is photographed in both themes and narrow. */
  async function lookAt(name: string): Promise<void> {
    const { page } = desk;
    for (const [at, viewport] of Object.entries({ wide: WIDE, narrow: NARROW })) {
      await page.setViewportSize(viewport);
      expect(await seriousFindings(page), at).toEqual([]);
      const wider = await page
        .getByRole('dialog')
        .evaluate(
          (element) => element.scrollWidth > element.clientWidth || element.getBoundingClientRect().left < 0,
        );
      expect(wider, at).toBe(false);
    }
    await photograph(page, `help-${name}-narrow`);
    await page.setViewportSize(WIDE);
    await photograph(page, `help-${name}`);
  }

  it('“?” shows the keys that work where one is, and gives the focus back', async () => {
    const { page } = desk;
    await page.getByRole('link', { name: 'Settings' }).focus();
    await page.keyboard.press('?');
    await keys().getByText('Sync now').waitFor();
    expect(await keys().getByRole('heading', { name: 'In a list' }).count()).toBe(0);
    await page.keyboard.press('?');
    expect(await page.getByRole('dialog').count()).toBe(1);
    await page.keyboard.press('Escape');
    await keys().waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.textContent.trim())).toBe('Settings');
    await page.getByRole('button', { name: 'Help' }).click();
    await keys().waitFor();
    await page.keyboard.press('Escape');
    await keys().waitFor({ state: 'detached' });
  });

  it(
    'in a list “?” is written where one writes, and F1 shows the keys of the list',
    { tags: 'nightly-windows' },
    async () => {
      const { page } = desk;
      await desk.go(`#/lists/${list}`);
      const search = page.getByPlaceholder('Search in all columns');
      await search.focus();
      await page.keyboard.press('?');
      expect(await search.inputValue()).toBe('?');
      expect(await page.getByRole('dialog').count()).toBe(0);
      // Only behind that is what stands in the grid what the emptied search brought.
      await search.fill('qqzzx');
      await desk.sees('No row matches.');
      await search.fill('');
      await page.getByRole('gridcell').filter({ hasText: /./ }).first().waitFor();
      await page.getByRole('grid').focus();
      await page.keyboard.press('?');
      expect(await page.getByRole('grid').getByRole('textbox').inputValue()).toBe('?');
      await page.keyboard.press('Escape');
      await page.getByRole('grid').focus();
      await page.keyboard.press('F1');
      await keys().getByRole('heading', { name: 'In a list' }).waitFor();
      await keys().getByText('Empty the cell, or delete the ticked rows').waitFor();
      await lookAt('keys');
      await page.keyboard.press('Escape');
      await desk.go(`#/lists/${list}?bin`);
      await page.getByText('The bin is empty').first().waitFor();
      await page.keyboard.press('F1');
      await keys().getByText('Tick all rows').waitFor();
      expect(await keys().getByText('Empty the cell').count()).toBe(0);
      await page.keyboard.press('Escape');
    },
  );

  it(
    'the share page tells what a partner sees, and keeps what was ticked',
    { tags: 'nightly-windows' },
    async () => {
      const { page } = desk;
      await desk.go(`#/partners/${partner}/share/${list}`);
      await page.getByRole('checkbox', { name: 'City' }).check();
      // Its colour would change behind the dialog, once it is known how many rows they would see.
      await page.getByRole('button', { name: 'Share 1 column' }).click({ trial: true });
      await desk.press('What a partner can see');
      await dialog('What a partner can and can’t see')
        .getByText('The columns that you ticked for them')
        .waitFor();
      // By the name that its tab has.
      await dialog('What a partner can and can’t see').getByText('“Activity” shows what was sent').waitFor();
      await lookAt('sees');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(await page.getByRole('checkbox', { name: 'City' }).isChecked()).toBe(true);
    },
  );

  it('so do the settings, and the keys lead there as well', { tags: 'nightly-windows' }, async () => {
    const { page } = desk;
    const sees = dialog('What a partner can and can’t see');
    await desk.go('#/settings');
    await page
      .getByRole('region', { name: 'About' })
      .getByRole('button', { name: 'What a partner can see' })
      .click();
    await sees.getByText('Who in your office changed something.').waitFor();
    await sees.getByRole('button', { name: 'Close' }).last().click();
    await sees.waitFor({ state: 'detached' });
    await page
      .getByRole('region', { name: 'Keyboard shortcuts' })
      .getByText('Replace the cell’s content')
      .waitFor();
    await page.getByRole('heading', { name: 'Settings', level: 1 }).focus();
    await page.keyboard.press('?');
    await keys().getByRole('button', { name: 'What a partner can see' }).click();
    await sees.waitFor();
    await page.keyboard.press('Escape');
    await sees.waitFor({ state: 'detached' });
  });

  it('says what a state or a word means, beside it, by mouse and by key', async () => {
    const { page } = desk;
    const question = (place: Locator, word: string): Locator =>
      place.getByRole('button', { name: `What does “${word}” mean?` });
    const ask = (word: string): Locator => question(page.getByRole('main'), word);
    await desk.go('#/partners');
    for (const place of [page.getByRole('main'), page.getByRole('complementary')]) {
      await question(place, 'Connected').click();
      await dialog('Connected').getByText('no list goes either way yet').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await desk.go('#/');
    await ask('Connected').click();
    await dialog('Connected').getByText('no list goes either way yet').waitFor();
    await lookAt('meaning');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await desk.app('POST', `/app/partners/${partner}/pause`, {});
    await desk.go(`#/partners/${partner}`);
    await ask('Paused').focus();
    await page.keyboard.press('Enter');
    await dialog('Paused').getByText('Nothing is lost').waitFor();
    await photograph(page, 'help-partner');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await ask('Paused').evaluate((element) => element === document.activeElement)).toBe(true);
    await desk.go(`#/partners/${partner}/words`);
    await ask('Verification words').click();
    await dialog('Verification words').getByText('nobody in between').waitFor();
    await photograph(page, 'help-words');
    await page.keyboard.press('Escape');
    await desk.go('#/partners/add');
    await desk.press('I invite them');
    await ask('Invite').click();
    await dialog('Invite').getByText('It works once').waitFor();
    await photograph(page, 'help-invite');
    await page.keyboard.press('Escape');
    expect(desk.errors).toEqual([]);
  });
});
