import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../server/base/vocabulary.ts';
import { sampleOf } from '../support/data/luck.ts';
import { inOurColours, OF_COLOURS, seriousFindings } from '../support/reading/axe.ts';
import { launchBrowser, openWindow, shoot } from '../support/harness/browser.ts';
import { headingIsAtStart, outOfSight } from '../support/reading/layout.ts';
import { emptyScene } from '../support/scenes/empty.ts';
import { longScene } from '../support/scenes/long.ts';
import { manyScene } from '../support/scenes/many.ts';
import { oneScene } from '../support/scenes/one.ts';
import { openStage, type Scene } from '../support/scenes/stage.ts';
import { shiftsOf, STILL, watchShifts } from '../support/reading/shifts.ts';

/**
 * Every page in every state. The checks run on a part of the combinations; `npm run screenshots` sets
 * FOOTBRIDGE_SCREENSHOTS=all for the whole matrix, which takes some minutes, and for pictures of what was seen in
 * test-output/screenshots.
 */
const whole = process.env.FOOTBRIDGE_SCREENSHOTS === 'all';
/** Pages that are also looked at in very large text and from right to left. */
const MAIN = new Set([
  'home',
  'partners',
  'partner',
  'share-columns',
  'connection',
  'words',
  'lists',
  'list',
  'settings',
]);
const HEBREW = 'משרד הנמל הצפוני';

describe('every page', () => {
  const stage = openStage();
  let browser: Browser;
  const errors: string[] = [];

  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await stage.clear();
  });

  const scenes: readonly [string, () => Promise<readonly Scene[]>, whole: boolean][] = [
    ['with nothing in it', async () => [await emptyScene(stage)], whole],
    ['with one partner', () => oneScene(stage), whole],
    ['with names of 200 characters and markup', async () => [await longScene(stage)], true],
    ['with many partners and problems', async () => [await manyScene(stage)], whole],
  ];
  // The longest of them, where there is not the time for all; every other test of the window sees English.
  const languages = whole ? LANGUAGES : (['de'] as const);

  it.each(scenes.filter(([, , wanted]) => wanted))(
    '%s is accessible in both themes, drawn in the system’s colours where it chooses them, and fits 900 pixels',
    async (_, build) => {
      const found: Record<string, readonly string[]> = {};
      for (const scene of await build()) {
        const page = await openWindow(browser, scene.served.window, errors);
        // Colours that are still fading would be measured half-way.
        await page.emulateMedia({ reducedMotion: 'reduce' });
        for (const language of languages) {
          await scene.app('PATCH', '/app/settings', { language });
          await page.reload();
          await page.locator(`html[lang=${language}]`).waitFor({ state: 'attached' });
          const all = Object.entries(scene.places);
          const places = whole ? all : sampleOf(all, 2);
          const dark = new Set(sampleOf(places, 2));
          for (const entry of places) {
            const [place, address] = entry;
            await visit(page, address);
            const themes = whole || dark.has(entry) ? (['light', 'dark'] as const) : (['light'] as const);
            const name = `${scene.name}-${place}-${language}`;
            const problems = [...(await inspect(page, name, themes)), ...(await stretch(page, place, name))];
            if (problems.length > 0) found[name] = problems;
          }
        }
        Object.assign(found, await loaded(page, scene), whole ? await mirrored(page, scene) : {});
        await page.context().close();
      }
      expect(found).toEqual({});
    },
    whole ? 2_400_000 : 600_000,
  );

  it('H9: shows markup in names and values as text', () => {
    // A name that ran as markup would have opened a dialog or failed to load an image: both are errors here.
    expect(errors.filter((error) => !error.includes('Content Security Policy'))).toEqual([]);
  });
});

async function visit(page: Page, address: string): Promise<void> {
  // Another place first, so that its heading cannot be taken for this one's.
  await page.evaluate(`location.hash = '#/nowhere'`);
  await page.evaluate(`location.hash = ${JSON.stringify(address)}`);
  await page.waitForTimeout(whole ? 500 : 150);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
}

/** Returns what is wrong with the page in each of the themes, at both widths. */
async function inspect(page: Page, name: string, themes: readonly ('light' | 'dark')[]): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // The themes differ in their colours only.
    const rules = colorScheme === 'dark' ? OF_COLOURS : undefined;
    found.push(...(await seriousFindings(page, rules)).map((finding) => `${colorScheme}: ${finding}`));
    await page.emulateMedia({ forcedColors: 'active', colorScheme });
    found.push(...(await inOurColours(page)).map((colour) => `${colorScheme}, forced: ${colour}`));
    await page.emulateMedia({ forcedColors: null, colorScheme });
    for (const width of [900, 1440]) {
      await page.setViewportSize({ width, height: width === 900 ? 700 : 900 });
      if (await isTooWide(page)) found.push(`wider than ${width} pixels`);
      found.push(...(await outOfSight(page)));
      if (whole || colorScheme === 'light') await shoot(page, `${name}-${width}-${colorScheme}`);
    }
  }
  return found;
}

/** The main pages again in text of 200 %. */
async function stretch(page: Page, place: string, name: string): Promise<string[]> {
  if (!whole || !MAIN.has(place)) return [];
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
  await page.waitForTimeout(100);
  const tooWide = await isTooWide(page);
  await shoot(page, `${name}-200%`);
  await page.evaluate(`document.documentElement.style.fontSize = ''`);
  return tooWide ? ['wider than the window at 200 %'] : [];
}

/** The pages that are looked at beyond what every page gets; all of them where there is time. */
const chosen = (scene: Scene): [place: string, address: string][] =>
  Object.entries(scene.places).filter(([place]) => whole || MAIN.has(place));

/** Nothing that was on the page moves while the rest of it is being loaded. */
async function loaded(page: Page, scene: Scene): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  const origin = new URL(page.url()).origin;
  await watchShifts(page);
  for (const width of whole ? [900, 1440] : [900]) {
    await page.setViewportSize({ width, height: width === 900 ? 700 : 900 });
    for (const [place, address] of chosen(scene)) {
      await page.goto('about:blank');
      await page.goto(`${origin}/${address}`);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await page.waitForTimeout(whole ? 700 : 250);
      const { total, worst } = await shiftsOf(page);
      if (total > STILL) found[`${scene.name}-${place}-${width}-loaded`] = [...worst];
    }
  }
  return found;
}

/** The pages as a language that is written from right to left would have them; elsewhere right-to-left.test.ts looks. */
async function mirrored(page: Page, scene: Scene): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  await scene.app('PATCH', '/app/settings', { language: 'en', office: HEBREW });
  await page.setViewportSize({ width: 900, height: 700 });
  await page.evaluate(`document.documentElement.dir = 'rtl'`);
  for (const [place, address] of chosen(scene)) {
    await visit(page, address);
    await shoot(page, `${scene.name}-${place}-rtl`);
    const problems = [
      ...((await isTooWide(page)) ? ['wider than the window'] : []),
      ...(await outOfSight(page)),
      ...((await headingIsAtStart(page)) ? [] : ['the heading stands at the wrong side']),
      ...(whole ? await seriousFindings(page) : []),
    ];
    if (problems.length > 0) found[`${scene.name}-${place}-rtl`] = problems;
  }
  return found;
}

const isTooWide = (page: Page): Promise<unknown> =>
  page.evaluate('document.documentElement.scrollWidth > window.innerWidth');
