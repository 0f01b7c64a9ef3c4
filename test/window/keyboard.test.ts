import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../support/harness/browser.ts';
import { openDesk, type Desk } from '../support/harness/desk.ts';
import { keyboardOf, type Keyboard } from '../support/reading/keyboard.ts';

/** The main job in two windows without a mouse: every stop of the focus is seen, or the helper fails. */
describe('the main job by keyboard alone', () => {
  let browser: Browser;
  let north: Desk;
  let harbour: Desk;
  let here: Keyboard;
  let there: Keyboard;

  beforeAll(async () => {
    browser = await launchBrowser();
    [north, harbour] = await Promise.all([openDesk(browser), openDesk(browser)]);
    await north.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await harbour.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    here = keyboardOf(north.page);
    there = keyboardOf(harbour.page);
  });
  afterAll(async () => {
    await browser.close();
    await north.close();
    await harbour.close();
  });

  /** One can type at once into the field that one came for. */
  const cursorIn = (desk: Desk, field: string): Promise<void> =>
    expect
      .poll(() =>
        desk.page.getByLabel(field, { exact: true }).evaluate((found) => found === document.activeElement),
      )
      .toBe(true);

  async function nameOffice(desk: Desk, keys: Keyboard, name: string): Promise<void> {
    await cursorIn(desk, 'What is your office called?');
    await keys.write('What is your office called?', name);
    await desk.page.keyboard.press('Enter');
  }

  it('first run: a name, and an invite that is copied', async () => {
    await nameOffice(north, here, 'North Trading');
    await here.press('I invite them');
    await cursorIn(north, 'What do you call this partner?');
    await here.write('What do you call this partner?', 'Harbour Office');
    await here.press('On this computer only');
    // What was pressed is gone: the next thing has the focus.
    await expect
      .poll(() => north.page.evaluate(() => document.activeElement?.textContent.trim()))
      .toBe('Copy');
    const below = north.page.getByRole('link', { name: 'Send by e-mail' });
    const place = await below.boundingBox();
    await here.press('Copy');
    await north.page.getByRole('button', { name: 'Copied!' }).waitFor();
    expect(await below.boundingBox()).toEqual(place);
    await north.sees('Once Harbour Office uses it, you are asked here.');
  });

  it('first run at the other office: the invite is pasted', async () => {
    await nameOffice(harbour, there, 'Harbour Office');
    await there.press('They invited me');
    await cursorIn(harbour, 'Invite');
    await there.reach(harbour.page.getByLabel('Invite', { exact: true }));
    await harbour.page.keyboard.press('Control+V');
    await harbour.sees('This invite says it’s from North Trading');
    await there.press('Yes, connect');
    await harbour.sees('Waiting for North Trading to approve');
  });

  it('the request is approved where the invite was made, and both are led to the words', async () => {
    await here.press('Approve');
    for (const [desk, keys] of [
      [north, here],
      [harbour, there],
    ] as const) {
      await desk.sees('Call them now');
      await keys.press('Yes, the same words');
      await desk.sees('Confirmed on your side.');
    }
  });

  it('a sample is taken where a list is to be shared, and columns of it are', async () => {
    await here.press('Share a list', 'link');
    await here.press('Customers');
    await north.sees('Share customers');
    for (const column of ['CompanyName', 'City']) await here.tick(column);
    await here.press('Share 2 columns');
    await north.sees('2 of 11 columns');
  });

  it('the offered list is taken, and its rows arrive', async () => {
    await there.press('Make a list like this one');
    await harbour.sees('91 rows received');
    await there.press(/into customers/, 'link');
    await there.reach(harbour.page.getByRole('grid'));
    await harbour.sees('Herbaciarnia Zieliński');
  });

  it('a dialog starts at the harmless answer, holds the focus, and gives it back after one Esc', async () => {
    const button = north.page.getByRole('button', { name: 'Stop sharing' });
    await here.press('Stop sharing');
    const dialog = north.page.getByRole('dialog');
    const cancel = dialog.getByRole('button', { name: 'Cancel' });
    await expect.poll(() => cancel.evaluate((element) => element === document.activeElement)).toBe(true);
    // The last stop is the cross in the corner, whose tip must not swallow the key.
    for (let stop = 0; stop < 8; stop++) {
      await north.page.keyboard.press('Tab');
      expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
    }
    await north.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('the keys of the four places work from everywhere', async () => {
    const { page } = north;
    for (const [key, title] of [
      ['2', 'Partners'],
      ['3', 'Lists'],
      [',', 'Settings'],
      ['1', 'Your partner is connected'],
    ] as const) {
      await page.keyboard.press(`Control+${key}`);
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
    }
  });

  it('nothing went wrong on either page meanwhile', () => {
    expect([...north.errors, ...harbour.errors]).toEqual([]);
  });
});
