import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seriousFindings } from '../support/reading/axe.ts';
import { launchBrowser, photograph } from '../support/harness/browser.ts';
import { openDesk, type Desk } from '../support/harness/desk.ts';
import { outOfSight } from '../support/reading/layout.ts';

const TOWNS = [
  'Bergen',
  'Voss',
  'Hamar',
  'Molde',
  'Narvik',
  'Bodø',
  'Alta',
  'Moss',
  'Røros',
  'Skien',
  'Ålesund',
];

/** Home as a map, from no partner to many: the drawing says what the words say, and nothing is told by it alone. */
describe('the bridge', () => {
  let browser: Browser;
  let desk: Desk;
  let invited = 0;

  beforeAll(async () => {
    browser = await launchBrowser();
    desk = await openDesk(browser, 'Harbour Street office');
  });
  afterAll(async () => {
    await browser.close();
    await desk.close();
  });

  async function inviteUpTo(count: number): Promise<void> {
    for (; invited < count; invited++)
      await desk.app('POST', '/app/invites', {
        name: `${TOWNS[invited % TOWNS.length] ?? ''} ${invited < TOWNS.length ? 'Kontor' : 'Lager'}`,
      });
  }
  const map = (): Locator => desk.page.getByRole('region', { name: 'To and from your partners' });
  const places = (): Locator => map().getByRole('listitem');
  const decks = (): Locator => desk.page.locator('main svg g.deck');
  /** What somebody sees or hears that is wrong, in both themes. */
  async function problems(): Promise<string[]> {
    const found: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      await desk.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      found.push(...(await seriousFindings(desk.page)), ...(await outOfSight(desk.page)));
    }
    await desk.page.emulateMedia({ colorScheme: null, reducedMotion: null });
    return found;
  }

  it('is our half of it, with one thing to do, where there is no partner', async () => {
    await desk.page.getByRole('heading', { level: 1, name: 'Next: connect an office' }).waitFor();
    expect(await problems()).toEqual([]);
    await photograph(desk.page, 'home-first');
    await desk.page.getByRole('main').getByRole('link', { name: 'Connect an office' }).click();
    await desk.page.getByRole('heading', { level: 1, name: 'Connect an office' }).waitFor();
    await desk.go('#/');
    // Whoever has an invite stands in the field for it.
    await desk.page.getByRole('main').getByRole('link', { name: 'I was given an invite' }).click();
    await expect
      .poll(() =>
        desk.page.getByPlaceholder('Paste it here').evaluate((each) => each === document.activeElement),
      )
      .toBe(true);
    await desk.go('#/');
  });

  it(
    'has both banks, the water and its one action whole on a phone and in text of 200 %',
    { tags: 'nightly-looks' },
    async () => {
      const { page } = desk;
      const map = page.getByRole('region', { name: 'Next: connect an office' });
      await map.waitFor();
      const box = async (
        locator: Locator,
      ): Promise<{ x: number; y: number; right: number; bottom: number }> => {
        const { x, y, width, height } = (await locator.first().boundingBox()) ?? {
          x: 0,
          y: 0,
          width: 0,
          height: 0,
        };
        return { x, y, right: x + width, bottom: y + height };
      };
      for (const [width, size] of [
        [390, '100%'],
        [1000, '200%'],
      ] as const) {
        await page.setViewportSize({ width, height: 860 });
        await page.evaluate((to) => void (document.documentElement.style.fontSize = to), size);
        // The bridge begins beside our tile, and the river goes as far down as the map.
        await expect
          .poll(async () => (await box(map.locator('.post'))).x - (await box(map.locator('.tile'))).right)
          .toBeGreaterThan(0);
        await expect
          .poll(async () => Math.abs((await box(map.locator('svg'))).bottom - (await box(map)).bottom))
          .toBeLessThan(3);
        expect(await problems()).toEqual([]);
      }
      await page.evaluate(() => void (document.documentElement.style.fontSize = ''));
      await page.setViewportSize({ width: 1280, height: 860 });
    },
  );

  it('is dotted to an office that was only invited, and says whose turn it is', async () => {
    await inviteUpTo(1);
    await desk.page.getByRole('heading', { level: 1, name: 'Nobody is connected' }).waitFor();
    await places().getByText('Waiting for Bergen Kontor to use the invite.').waitFor();
    expect(await decks().evaluateAll((all) => all.map((deck) => deck.classList.contains('dotted')))).toEqual([
      true,
    ]);
    expect(await desk.page.locator('main svg:not([aria-hidden=true])').count()).toBe(0);
    expect(await problems()).toEqual([]);
  });

  it('has a line for each of many partners', async () => {
    await inviteUpTo(8);
    await expect.poll(() => places().count()).toBe(8);
    await expect.poll(() => decks().count()).toBe(8);
    await map().getByRole('link', { name: 'Bodø Kontor' }).waitFor();
    const row = places().filter({ hasText: 'Bodø Kontor' });
    // The word is short enough to be seen whole; the sentence is there for whoever asks.
    const word = row.getByText('Waiting for them', { exact: true });
    expect(await word.evaluate((mark) => mark.scrollWidth <= mark.clientWidth)).toBe(true);
    const sentence = 'Waiting for Bodø Kontor to use the invite.';
    await expect.poll(() => row.locator(`[title="${sentence}"]`).count()).toBe(1);
    await row.getByText(sentence).waitFor();
    expect(await problems()).toEqual([]);
    await photograph(desk.page, 'home-eight-partners');
  });

  it('of a crowd shows five that want a look, and counts the others for what they are', async () => {
    await inviteUpTo(22);
    await map().getByText('17 more partners are not up to date').waitFor();
    await expect.poll(() => decks().count()).toBe(5);
    expect(await map().getByText('up to date', { exact: true }).count()).toBe(0);
    expect(await problems()).toEqual([]);
    await photograph(desk.page, 'home-crowd');
    await map().getByRole('link', { name: 'All 22' }).click();
    await desk.page.getByRole('heading', { level: 1, name: 'Partners' }).waitFor();
    await desk.go('#/');
  });

  it('is a card for each where there is no room for a map', async () => {
    await desk.page.setViewportSize({ width: 390, height: 844 });
    await map().getByRole('heading', { name: 'Bergen Kontor' }).waitFor();
    await expect.poll(() => places().count()).toBe(6);
    expect(await problems()).toEqual([]);
    expect(await desk.page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
    await photograph(desk.page, 'home-narrow');
    await desk.page.setViewportSize({ width: 1280, height: 860 });
  });

  it('keeps the console quiet', () => {
    expect(desk.errors).toEqual([]);
  });
});
