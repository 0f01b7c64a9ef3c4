import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OF_COLOURS, seriousFindings } from '../support/reading/axe.ts';
import { launchBrowser, openWindow, shoot } from '../support/harness/browser.ts';
import { dropCsv } from '../support/reading/drop.ts';
import { oneScene } from '../support/scenes/one.ts';
import { openStage, type Scene } from '../support/scenes/stage.ts';

const FILE = 'Company;Town;Country\nKühl & Söhne;Würzburg;Germany\nŁódzkie Zakłady;Łódź;Poland\n;;\n';

interface Window {
  readonly page: Page;
  /** To a place of the scene. */
  readonly go: (place: string) => Promise<void>;
}

/** What a page shows only once somebody opened it: menus, dialogs, panels, forms, a file that was let go over it. */
describe('what is opened on a page is accessible in both themes', () => {
  const stage = openStage();
  let browser: Browser;
  let receiving: Window;
  let giving: Window;
  const errors: string[] = [];

  beforeAll(async () => {
    browser = await launchBrowser();
    const scenes = await oneScene(stage);
    receiving = await open(scenes[0]);
    giving = await open(scenes[1]);
  });
  afterAll(async () => {
    await browser.close();
    await stage.clear();
  });

  /** @param within a selector of what was opened; the rest of the page is checked in pages.test.ts */
  async function inBothThemes(
    page: Page,
    name: string,
    within?: string,
  ): Promise<Record<string, readonly string[]>> {
    const found: Record<string, readonly string[]> = {};
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      // The themes differ in their colours only.
      const rules = colorScheme === 'dark' ? OF_COLOURS : undefined;
      const findings = await seriousFindings(page, rules, within);
      if (findings.length > 0) found[`${name}, ${colorScheme}`] = findings;
      await shoot(page, `opened-${name.replaceAll(/\W+/g, '-')}-${colorScheme}`);
    }
    return found;
  }

  async function open(scene: Scene): Promise<Window> {
    const page = await openWindow(browser, scene.served.window, errors);
    return {
      page,
      async go(place) {
        await page.evaluate(`location.hash = '#/nowhere'`);
        await page.evaluate(`location.hash = ${JSON.stringify(scene.places[place] ?? place)}`);
        await page.getByRole('heading', { level: 1 }).first().waitFor();
      },
    };
  }

  /** Clicks, waits until what it opens is there, looks at it, and closes it. */
  async function look(
    page: Page,
    [button, role, item]: readonly [string, 'dialog' | 'menu', string?],
  ): Promise<Record<string, readonly string[]>> {
    await page.getByRole('main').getByRole('button', { name: button }).first().click();
    await page.getByRole(role).first().waitFor();
    if (item !== undefined) {
      await page.getByRole('menuitem', { name: item }).click();
      await page.getByRole('dialog').first().waitFor();
    }
    const found = await inBothThemes(page, item ?? button, '[role=dialog], [role=menu]');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').or(page.getByRole('menu')).first().waitFor({ state: 'detached' });
    return found;
  }

  it('menus and dialogs of a list', async () => {
    const { page, go } = receiving;
    await go('list');
    await page.getByRole('gridcell', { name: 'Łódź' }).first().waitFor();
    const found = {};
    for (const each of [
      ['Save as view …', 'dialog'],
      ['Export', 'menu'],
      ['More', 'menu'],
      ['Columns', 'dialog'],
      ['Add a row', 'dialog'],
      ['More', 'menu', 'Files on this computer …'],
    ] as const)
      Object.assign(found, await look(page, each));
    await page.getByRole('button', { name: 'Details' }).click();
    await page.getByRole('complementary').or(page.getByRole('region')).first().waitFor();
    Object.assign(
      found,
      await inBothThemes(page, 'Details of a row', '[role=complementary], aside, [role=region]'),
    );
    expect(found).toEqual({});
  });

  it(
    'the search through all lists, a new list, and a file before it is taken in',
    { tags: 'nightly-looks' },
    async () => {
      const { page, go } = receiving;
      const found = {};
      await go('lists');
      Object.assign(found, await look(page, ['New list', 'dialog']));
      await page.getByRole('searchbox').fill('Łódź');
      await page.getByText('Clients of North').first().waitFor();
      Object.assign(found, await inBothThemes(page, 'search in all lists'));
      await go('import');
      await dropCsv(page, 'neu.csv', FILE);
      await page.getByRole('button', { name: /^Import \d/ }).waitFor();
      Object.assign(found, await inBothThemes(page, 'a file before it is taken in'));
      expect(found).toEqual({});
    },
  );

  it('a match, a condition, pausing and parting', { tags: 'nightly-looks' }, async () => {
    const { page, go } = receiving;
    const found = {};
    await go('partner');
    Object.assign(found, await look(page, ['Pause', 'menu']));
    await page.getByRole('link', { name: 'Match with a list of mine' }).first().click();
    await page.getByRole('heading', { level: 1, name: /orders/ }).waitFor();
    Object.assign(found, await inBothThemes(page, 'a match'));
    await go('connection');
    Object.assign(found, await look(page, ['Disconnect …', 'dialog']));

    await giving.go('share-columns');
    await giving.page.getByText('Only rows where').click();
    Object.assign(found, await inBothThemes(giving.page, 'a condition'));
    expect(found).toEqual({});
  });

  it('without a word of the browser about it', () => {
    expect(errors).toEqual([]);
  });
});
