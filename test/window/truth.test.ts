import { appendFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, shoot } from '../support/harness/browser.ts';
import { openDesk, type Desk } from '../support/harness/desk.ts';
import { pairNodes, rowsOf, type Pair } from '../support/harness/node.ts';
import { serveBuilt, type Served } from '../support/harness/program.ts';

/** Leaves the end of a change in the newest journal, as a computer does whose power fails. */
async function tear(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'store/system');
  const journal = (await readdir(folder))
    .filter((name) => name.startsWith('journal-'))
    .sort()
    .at(-1);
  await appendFile(join(folder, journal ?? 'no journal'), '{"half a ch');
}

/** The window never lies: what is not confirmed, not fresh or not possible is said. */
describe('the window tells the truth', () => {
  let browser: Browser;
  let north: Desk;
  let harbour: Desk;
  let pair: Pair;
  let list = '';
  let again: Served | undefined;

  beforeAll(async () => {
    browser = await launchBrowser();
    [north, harbour] = await Promise.all([
      openDesk(browser, 'North Trading'),
      openDesk(browser, 'Harbour Office'),
    ]);
    pair = await pairNodes(harbour, north);
    list = await north.csv('People', 'Name,Age\nAnna,41\nBoris,39\n');
    await north.go(`#/lists/${list}`);
  });
  afterAll(async () => {
    await browser.close();
    await again?.remove();
    await north.close();
    await harbour.close();
  });

  const cell = (name: string): Locator => north.page.getByRole('gridcell', { name });
  async function rename(from: string, to: string): Promise<void> {
    await cell(from).dblclick();
    await north.page.keyboard.press('Control+A');
    await north.page.keyboard.type(to);
    await north.page.keyboard.press('Enter');
  }

  it('a change that is not confirmed is shown as being saved, until it is', async () => {
    let release: () => void = () => undefined;
    const released = new Promise<void>((done) => (release = done));
    await north.page.route('**/rows/*', async (route) => {
      await released;
      await route.continue();
    });
    await rename('Anna', 'Annika');
    await cell('Annika being saved').waitFor();
    expect((await rowsOf(north, list)).map(({ Name }) => Name)).toEqual(['Anna', 'Boris']);
    release();
    await cell('Annika being saved').waitFor({ state: 'detached' });
    await cell('Annika').waitFor();
    expect((await rowsOf(north, list)).map(({ Name }) => Name)).toEqual(['Annika', 'Boris']);
    await north.page.unrouteAll({ behavior: 'wait' });
  });

  it('a change that is refused stays in its cell with the reason and what to do, and is saved once that is done', async () => {
    const message = 'The disk is full. Make room on it, then try again.';
    await north.page.route('**/rows/*', (route) =>
      route.fulfill({ status: 507, json: { error: { code: 'store.full', message } } }),
    );
    await rename('Boris', 'Bob');
    await north.page.getByRole('alert').getByText(message).waitFor();
    await north.page.getByRole('button', { name: 'Go to cell' }).click();
    const editor = north.page.getByRole('grid').getByRole('textbox');
    expect(await editor.inputValue()).toBe('Bob');
    expect((await rowsOf(north, list)).map(({ Name }) => Name)).toEqual(['Annika', 'Boris']);
    await north.page.unrouteAll({ behavior: 'wait' });
    await editor.press('Enter');
    await expect
      .poll(async () => (await rowsOf(north, list)).map(({ Name }) => Name))
      .toEqual(['Annika', 'Bob']);
    await cell('Bob').waitFor();
  });

  it('a page that could not be loaded says so and can be loaded again', async () => {
    await north.page.route('**/app/lists', (route) =>
      route.fulfill({ status: 500, json: { error: { code: 'x', message: 'Something went wrong inside.' } } }),
    );
    await north.go('#/lists');
    const failure = north.page.getByRole('main').getByRole('alert');
    await failure.getByText('Something went wrong inside.').waitFor();
    await north.page.unrouteAll({ behavior: 'wait' });
    await failure.getByRole('button', { name: 'Try again' }).click();
    await north.page.getByRole('link', { name: 'People' }).waitFor();
  });

  it('a partner that does not answer is offline, and the window says since when all was well', async () => {
    await harbour.served.kill();
    await north.go(`#/partners/${pair.atInvited}/activity`);
    await north.press('Sync now');
    await north.page.getByRole('main').getByText('Offline').first().waitFor();
    await north.sees(/tried again|tries again|try again/i);
    await north.choose('Show', 'Problems');
    await north.page.getByRole('row').nth(1).waitFor();
  });

  it('a node that is gone is said at once; what is typed meanwhile is kept, and saved once it is back', async () => {
    const { page } = north;
    await north.go(`#/lists/${list}`);
    await cell('Annika').waitFor();
    const ports = [new URL(north.served.federation).port, new URL(page.url()).port];
    await north.served.kill();
    await tear(north.served.dataDir);
    await page.getByRole('alert').getByText('Footbridge does not answer.').first().waitFor();
    await north.sees('What you see may be out of date. This window reconnects automatically.');
    await rename('Annika', 'Anneke');
    await north.sees('What you typed is kept and saved automatically once it does.');
    await cell('Anneke being saved').waitFor();
    await cell('Bob').click();
    await page.keyboard.press('Control+Enter');
    const details = page.getByRole('complementary', { name: 'Details' });
    await details.getByRole('textbox', { name: 'Age' }).fill('40');
    await page.keyboard.press('Tab');
    await details.getByText('What you typed is kept and saved automatically once it does.').waitFor();
    expect(await details.getByRole('textbox', { name: 'Age' }).inputValue()).toBe('40');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await shoot(page, `typed-while-away-${colorScheme}`);
    }
    await page.emulateMedia({ colorScheme: null });

    again = await serveBuilt({
      dataDir: north.served.dataDir,
      args: ['--port', ports[0] ?? '', '--window-port', ports[1] ?? ''],
    });
    await page.getByText('This window reconnects automatically').waitFor({ state: 'detached' });
    await north.sees('2 changes that were waiting for Footbridge are saved.');
    await cell('Anneke').waitFor();
    await expect
      .poll(() => rowsOf(north, list))
      .toMatchObject([
        { Name: 'Anneke', Age: '41' },
        { Name: 'Bob', Age: '40' },
      ]);
    await expect.poll(() => page.getByText('being saved').count()).toBe(0);
  });

  it('what had to be repaired is told at Home, until it is understood', async () => {
    await north.go('#/');
    const card = north.page.getByRole('listitem').filter({ hasText: 'About your data' });
    await card.getByText('That change was not complete and was left out').waitFor();
    await card.getByRole('button', { name: 'Understood' }).click();
    await card.waitFor({ state: 'detached' });
  });
});
