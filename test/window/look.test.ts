import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../support/harness/browser.ts';
import { openDesk, type Desk } from '../support/harness/desk.ts';

const WINDOW = fileURLToPath(new URL('../../dist/window', import.meta.url));
/** Both files of the typeface together: the app stays light to install and to open. */
const MAX_BYTES = 120_000;

describe('the typeface', () => {
  let browser: Browser;
  let desk: Desk;
  const asked: string[] = [];

  beforeAll(async () => {
    browser = await launchBrowser();
    desk = await openDesk(browser, 'Łódź and Zgierz Trading');
    desk.page.on('request', (request) => void asked.push(request.url()));
  });
  afterAll(async () => {
    await browser.close();
    await desk.close();
  });

  it('comes with the app and is there before the first word is shown', async () => {
    await desk.page.reload();
    await desk.page.getByRole('heading', { level: 1 }).waitFor();
    const faces = await desk.page.evaluate(() => [...document.fonts].map(({ status }) => status));
    expect(faces).toEqual(['loaded', 'loaded']);
    expect(await desk.page.evaluate(() => getComputedStyle(document.body).fontFamily)).toMatch(
      /^"IBM Plex Sans Variable"/,
    );
    const origin = new URL(desk.page.url()).origin;
    expect(asked.filter((address) => !address.startsWith(origin))).toEqual([]);
    expect(asked.filter((address) => address.endsWith('.woff2'))).toHaveLength(2);
    expect(desk.errors).toEqual([]);
  });

  it('is small, and its licence comes along', () => {
    const assets = join(WINDOW, 'assets');
    const files = readdirSync(assets).filter((name) => name.endsWith('.woff2'));
    expect(files).toHaveLength(2);
    expect(files.reduce((sum, name) => sum + statSync(join(assets, name)).size, 0)).toBeLessThan(MAX_BYTES);
    expect(readFileSync(join(WINDOW, 'typeface-licence.txt'), 'utf8')).toContain('SIL OPEN FONT LICENSE');
  });
});

describe('the script', () => {
  let browser: Browser;
  let desk: Desk;

  beforeAll(async () => {
    browser = await launchBrowser();
    desk = await openDesk(browser, 'Zgierz Office');
  });
  afterAll(async () => {
    await browser.close();
    await desk.close();
  });

  /** Scripts by name without hash, with the bytes that came over the network, once it was asked for or until the first paint. */
  const scripts = (until: 'first-contentful-paint' | 'now'): Promise<Record<string, number>> =>
    desk.page.evaluate((name) => {
      const end = performance.getEntriesByName(name)[0]?.startTime ?? Infinity;
      const found = performance
        .getEntriesByType('resource')
        .filter((entry) => entry instanceof PerformanceResourceTiming)
        .filter(({ name: url, startTime }) => url.endsWith('.js') && startTime <= end);
      return Object.fromEntries(
        found.map(({ name: url, encodedBodySize }) => [
          /assets\/(.*)-.{8}\.js$/.exec(url)?.[1] ?? url,
          encodedBodySize,
        ]),
      );
    }, until);

  it('of the first paint takes at most 200 kB over the network, of one page and one language', async () => {
    await desk.page.reload();
    await desk.page.getByRole('heading', { level: 1 }).waitFor();
    const first = await scripts('first-contentful-paint');
    expect(Object.keys(first)).toEqual(expect.arrayContaining(['index', 'en', 'home']));
    for (const other of ['de', 'es', 'fr', 'list-page', 'partner-page', 'settings', 'welcome'])
      expect(Object.keys(first)).not.toContain(other);
    const bytes = Object.values(first).reduce((sum, size) => sum + size, 0);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThan(200_000);
  });

  it('of a page that cannot be had is said to be missing, until it is tried again', async () => {
    await desk.page.route(/assets\/settings-/, (route) => route.abort());
    await desk.page.reload();
    await desk.go('#/settings');
    await desk.sees('Footbridge does not answer. Try again in a moment.');
    await desk.page.unrouteAll({ behavior: 'wait' });
    await desk.press('Try again');
    await desk.page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  });

  it('of the other pages comes afterwards, so that they open while the node is away', async () => {
    await expect.poll(async () => Object.keys(await scripts('now'))).toContain('welcome');
    await desk.served.stop();
    await desk.go('#/lists');
    await desk.page.getByRole('heading', { level: 1, name: 'Lists' }).waitFor();
  });
});

describe('a partner', () => {
  let browser: Browser;
  let desk: Desk;

  beforeAll(async () => {
    browser = await launchBrowser();
    desk = await openDesk(browser, 'Harbour Office');
  });
  afterAll(async () => {
    await browser.close();
    await desk.close();
  });

  const tile = (name: string): Promise<string | null> =>
    desk.page
      .getByRole('navigation', { name: 'Partners' })
      .getByRole('link', { name })
      .locator('[aria-hidden=true]')
      .getAttribute('class');

  it('has initials and a colour of its own, which it keeps', async () => {
    for (const name of ['Lindqvist Papper', 'Feinkost Salzmann', 'Nordkai Druck'])
      await desk.app('POST', '/app/invites', { name });
    await desk.page.getByRole('link', { name: 'Nordkai Druck' }).getByText('ND').waitFor();
    expect(await tile('Lindqvist Papper')).toContain('of-plum');
    expect(await tile('Feinkost Salzmann')).toContain('of-sky');
    expect(await tile('Nordkai Druck')).toContain('of-brick');
  });

  it('takes the colour that the user chooses, everywhere and for good', async () => {
    await desk.page.getByRole('link', { name: 'Feinkost Salzmann' }).first().click();
    await desk.page.getByRole('link', { name: 'Connection' }).click();
    const sky = desk.page.getByRole('radio', { name: 'Sky' });
    await sky.focus();
    await desk.page.keyboard.press('ArrowLeft');
    await desk.page.keyboard.press('ArrowLeft');
    expect(await desk.page.getByRole('radio', { name: 'Sun' }).isChecked()).toBe(true);
    await desk.press('Save');
    await expect.poll(() => tile('Feinkost Salzmann')).toContain('of-sun');
    await desk.page.reload();
    await expect.poll(() => tile('Feinkost Salzmann')).toContain('of-sun');
    expect(await tile('Nordkai Druck')).toContain('of-brick');
    expect(desk.errors).toEqual([]);
  });
});
