import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { atNight } from '../support/data/luck.ts';
import { launchBrowser, openWindow, shoot } from '../support/harness/browser.ts';
import { cutOff, headingIsAtStart, outOfSight } from '../support/reading/layout.ts';
import { buildPseudoWindow, type PseudoWindow } from '../support/reading/pseudo-window.ts';
import { oneScene } from '../support/scenes/one.ts';
import { openStage, type Scene } from '../support/scenes/stage.ts';

const WIDTHS = [
  [390, 844],
  [1280, 860],
] as const;
const OTHERS = { settings: '#/settings', 'add-partner': '#/partners/add', 'new-list': '#/lists/new' };

describe('a language of long words that is read from right to left', () => {
  const stage = openStage();
  let browser: Browser;
  let pseudo: PseudoWindow;

  beforeAll(async () => {
    [browser, pseudo] = await Promise.all([launchBrowser(), buildPseudoWindow()]);
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    await pseudo.remove();
    await stage.clear();
  });

  it('finds room for its texts on every page, on a phone and on a desk', async () => {
    const found: Record<string, readonly string[]> = {};
    const scenes = await oneScene(stage);
    // So many that Home has a line for each.
    for (const name of [
      'Harvest Co-operative',
      'Garden Centre South',
      'Mill Street Studio',
      'Quay Logistics',
      'Berlin office',
    ])
      await scenes[0].app('POST', '/app/invites', { name });
    for (const scene of atNight<readonly Scene[]>(scenes, scenes.slice(1))) {
      const page = await openWindow(browser, scene.served.window);
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await pseudo.showIn(page);
      for (const [place, address] of Object.entries({ ...scene.places, ...OTHERS })) {
        await visit(page, address);
        for (const [width, height] of atNight<readonly (readonly [number, number])[]>(
          WIDTHS,
          WIDTHS.slice(0, 1),
        )) {
          await page.setViewportSize({ width, height });
          const name = `${scene.name}-${place}-pseudo-${width}`;
          await shoot(page, name);
          const isTooWide = await page.evaluate('document.documentElement.scrollWidth > window.innerWidth');
          const problems = [
            ...(isTooWide ? ['wider than the window'] : []),
            ...(await outOfSight(page)),
            ...((await headingIsAtStart(page)) ? [] : ['the heading is at the wrong side']),
            ...(await cutOff(page)),
          ];
          if (problems.length > 0) found[name] = problems;
        }
      }
      await page.context().close();
    }
    expect(found).toEqual({});
  }, 240_000);

  it('says nothing of its own in English', async () => {
    const empty = await stage.open('משרד');
    const page = await openWindow(browser, empty.served.window);
    await pseudo.showIn(page);
    const english: string[] = [];
    for (const address of [
      '#/',
      '#/partners',
      '#/lists',
      '#/lists/new',
      '#/lists/import',
      '#/partners/add',
      '#/nowhere',
    ]) {
      await visit(page, address);
      // Of two letters are those that every language leaves as they are: OK, @.
      const main = await page.locator('main').innerText();
      english.push(...main.split('\n').filter((line) => /[a-z]{3}/i.test(line)));
    }
    expect(english).toEqual([]);
    await page.context().close();
  }, 60_000);

  it(
    'keeps the sign for searching clear of what is typed',
    { tags: 'nightly-looks', timeout: 60_000 },
    async () => {
      const [scene] = await oneScene(stage);
      const page = await openWindow(browser, scene.served.window);
      await pseudo.showIn(page);
      await visit(page, scene.places.list ?? '');
      const search = page.getByRole('searchbox');
      for (const typed of ['', 'Ada', 'משרד']) {
        await search.fill(typed);
        const { right, left } = await search.evaluate((input) => {
          const { paddingRight, paddingLeft } = getComputedStyle(input);
          return { right: parseFloat(paddingRight), left: parseFloat(paddingLeft) };
        });
        expect(right).toBeGreaterThan(left + 16);
      }
      await page.context().close();
    },
  );
});

async function visit(page: Page, address: string): Promise<void> {
  // Another place first, so that its heading cannot be taken for this one's.
  await page.evaluate(`location.hash = '#/nowhere'`);
  await page.evaluate(`location.hash = ${JSON.stringify(address)}`);
  await page.waitForTimeout(200);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
}
