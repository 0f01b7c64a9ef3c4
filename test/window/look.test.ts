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

describe('the first paint', () => {
  it('takes at most 350 kB of script over the network', async () => {
    const browser = await launchBrowser();
    const desk = await openDesk(browser, 'Zgierz Office');
    const bytes = await desk.page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter((entry) => entry instanceof PerformanceResourceTiming && entry.name.endsWith('.js'))
        .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).encodedBodySize, 0),
    );
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThan(350_000);
    await browser.close();
    await desk.close();
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
