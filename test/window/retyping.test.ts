import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser } from '../support/harness/browser.ts';
import { openDesk, type Desk } from '../support/harness/desk.ts';
import { csvOf, customers } from '../support/data/office-lists.ts';

const OUTPUT = fileURLToPath(new URL('../../test-output', import.meta.url));
let browser: Browser;
let desk: Desk;

beforeAll(async () => {
  browser = await launchBrowser();
  desk = await openDesk(browser, 'North Trading');
  mkdirSync(OUTPUT, { recursive: true });
});
afterAll(async () => {
  await desk.close();
  await browser.close();
});

it('says before it is saved what another kind does to the values, and shows the whole name of the kind', async () => {
  const { page } = desk;
  const list = await desk.csv('Customers', csvOf(customers({ rows: 12 })));
  await desk.go(`#/lists/${list}`);
  await desk.press('More');
  await page.getByRole('menuitem', { name: 'Name and columns' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  const says = dialog.getByRole('status');
  expect(await says.count()).toBe(0);
  await desk.choose('Column 2: Kind', 'Row of another list');
  await desk.choose('Column 3: Kind', 'Number');
  const texts = await says.allTextContents();
  expect(texts.map((text) => text.trim())).toEqual([
    expect.stringMatching(
      /^Saving lets this column point to rows of another list\. A value that is the name of/,
    ),
    expect.stringMatching(
      /^Saving changes the kind of this column and converts its values: as a number, 007 becomes 7\./,
    ),
  ]);
  await desk.choose('Column 3: Kind', 'Text');
  await expect.poll(() => says.count()).toBe(1);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: join(OUTPUT, `retyping-${colorScheme}.png`) });
  }
  const kind = dialog.getByRole('combobox', { name: 'Column 2: Kind' });
  const cut = await kind.evaluate((element) =>
    [element, ...element.querySelectorAll('*')]
      .filter((each) => each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0)
      .map(({ textContent }) => textContent),
  );
  expect(cut).toEqual([]);
  expect(desk.errors).toEqual([]);
});

it('follows what another window changes meanwhile, and keeps only what was changed here', async () => {
  const { page } = desk;
  const list = await desk.csv('Parts', 'Part,Price,Place\nValve,8,Shelf 1\n');
  const detail = (): Promise<{ name: string; fields: { name: string; label: string }[] }> =>
    desk.app('GET', `/app/lists/${list}`);
  await desk.go(`#/lists/${list}`);
  await page.getByRole('gridcell', { name: 'Valve' }).waitFor();
  await desk.press('More');
  await page.getByRole('menuitem', { name: 'Name and columns' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Column 1: Name' }).fill('Spare part');
  const { name, fields } = await detail();
  const [part, price] = fields;
  await desk.app('PATCH', `/app/lists/${list}`, {
    name,
    fields: [
      part,
      { ...price, label: 'Net price' },
      { label: 'Note', name: 'Note', kind: 'String', isMulti: false },
    ],
  });
  const labels = (): Promise<string[]> =>
    dialog
      .getByRole('textbox', { name: /^Column \d: Name$/ })
      .evaluateAll((found) => found.map((each) => ('value' in each ? String(each.value) : '')));
  await expect.poll(labels).toEqual(['Spare part', 'Net price', 'Note']);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => dialog.count()).toBe(0);
  const saved = (await detail()).fields.map(({ label }) => label);
  expect(saved).toEqual(['Spare part', 'Net price', 'Note']);
  expect(desk.errors).toEqual([]);
});
