import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seriousFindings } from '../support/reading/axe.ts';
import { launchBrowser, photograph } from '../support/harness/browser.ts';
import { openDesk, type Desk } from '../support/harness/desk.ts';

describe('offices on the same network', () => {
  let browser: Browser;
  let desk: Desk;
  let asked = 0;

  beforeAll(async () => {
    browser = await launchBrowser();
    desk = await openDesk(browser, 'Harbour Office', { args: ['--host', '127.0.0.1'] });
    await pretend(desk.page);
  });
  afterAll(async () => {
    await browser.close();
    await desk.close();
  });

  /** In the place of the node, which would ask on the real network. */
  async function pretend(page: Page): Promise<void> {
    await page.route('**/app/nearby', (route) => {
      asked++;
      const offices = asked < 2 ? [] : [{ key: 'a', name: 'Kerr & Blom' }];
      return route.fulfill({ json: { response: { looking: true, offices } } });
    });
  }

  const focused = (page: Page, button: string): Promise<void> =>
    page
      .locator(':focus')
      .and(page.getByRole('button', { name: button }))
      .waitFor();

  it('are looked for only where the user asked for it, are shown by name, and are invited with one press', async () => {
    await desk.go('#/partners/add');
    await desk.press('Find them nearby');
    await desk.sees('While you look, everybody there sees your office’s name.');
    expect(asked).toBe(0);
    await desk.press('Look for offices');
    await desk.sees('Looking …');
    await desk.sees('Kerr & Blom');
    await desk.sees('You are seen there as Harbour Office while this page is open.');
    // The button that was pressed is gone; the keyboard goes on where it stood.
    await focused(desk.page, 'Stop looking');
    expect(await seriousFindings(desk.page)).toEqual([]);
    await photograph(desk.page, 'nearby');
    await desk.press('Invite Kerr & Blom');
    await desk.page.getByLabel('Invite for Kerr & Blom').waitFor();
    await desk.sees('Once Kerr & Blom uses it, you are asked here.');
    await photograph(desk.page, 'nearby-invited');
    expect(await desk.app<{ name: string }[]>('GET', '/app/partners')).toMatchObject([
      { name: 'Kerr & Blom', status: 'pending' },
    ]);
    await desk.go('#/partners');
    await desk.go('#/partners/add');
    await desk.press('Find them nearby');
  });

  it(
    'are not looked for any more once the page is left, or the user stops it',
    { tags: 'nightly-waits' },
    async () => {
      await desk.press('Stop looking');
      await focused(desk.page, 'Look for offices');
      await expect
        .poll(() => desk.app<{ settings: { nearby: boolean } }>('GET', '/app/settings'))
        .toMatchObject({ settings: { nearby: false } });
      const before = asked;
      await desk.press('Look for offices');
      await expect.poll(() => asked).toBeGreaterThan(before);
      await desk.go('#/lists');
      await desk.page.getByRole('heading', { level: 1, name: 'Lists' }).waitFor();
      const left = asked;
      // Twice the time between two questions.
      await desk.page.waitForTimeout(4_500);
      expect(asked - left).toBeLessThanOrEqual(1);
      expect(desk.errors).toEqual([]);
    },
  );

  it(
    'are offered in the first steps as well, and an invite is made for one there',
    { tags: 'nightly-waits' },
    async () => {
      asked = 0;
      const first = await openDesk(browser, undefined, { args: ['--host', '127.0.0.1'] });
      try {
        await pretend(first.page);
        await first.page.getByLabel('What is your office called?').fill('Harbour Office');
        await first.press('Continue');
        await first.press('Find them nearby');
        await first.sees('While you look, everybody there sees your office’s name.');
        expect(asked).toBe(0);
        await first.press('Look for offices');
        await first.sees('Kerr & Blom');
        expect(await seriousFindings(first.page)).toEqual([]);
        await first.press('Invite Kerr & Blom');
        await first.page.getByLabel('Invite for Kerr & Blom').waitFor();
        // The first steps are behind this office, and what comes of the invite is waited for here.
        await first.sees('Once Kerr & Blom uses it, you are asked here.');
        await first.page.getByRole('button', { name: 'Finish' }).waitFor();
        // It is shown only once: nothing beside it takes its place.
        expect(await first.page.getByRole('button', { name: 'They invited me' }).count()).toBe(0);
        expect(first.errors).toEqual([]);
      } finally {
        await first.close();
      }
    },
  );
});
