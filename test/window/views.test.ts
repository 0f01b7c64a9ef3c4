import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { GridPage, ListDetail } from '../../server/contract/app/lists.ts';
import type { ListView, ListViews } from '../../server/contract/app/views.ts';
import { seriousFindings } from '../support/reading/axe.ts';
import { launchBrowser, savedBytes, shoot } from '../support/harness/browser.ts';
import { openDesk, type Desk } from '../support/harness/desk.ts';

const COLUMNS = ['Name', 'City', 'Country', 'Phone', 'Contact', 'Since', 'Note', 'Terms'];
const CITIES = ['Köln', 'Lyon', 'Bergen', 'Porto', 'Ulm'];
const customers = (): string =>
  [
    COLUMNS.join(','),
    ...Array.from({ length: 40 }, (_, n) =>
      [
        ...[`Firm ${String(n).padStart(2, '0')}`, CITIES[n % 5], n % 5 === 0 ? 'Germany' : 'abroad'],
        ...[`+49 221 ${String(n)}`, `Person ${String(n)}`, `20${String(10 + (n % 15))}-03-14`],
        ...[`Note no. ${String(n)} on this customer`, `${String(14 + (n % 3))} days net`],
      ].join(','),
    ),
  ].join('\n');

describe('how a list is looked at', () => {
  let browser: Browser;
  let desk: Desk;
  let list = '';
  let page: Page;
  let grid: Locator;

  beforeAll(async () => {
    browser = await launchBrowser();
    desk = await openDesk(browser, 'North Trading');
    page = desk.page;
  });
  afterAll(async () => {
    await browser.close();
    await desk.close();
  });
  let lists = 0;
  beforeEach(async () => {
    const name = `Customers ${String(++lists)}`;
    list = await desk.csv(name, customers());
    await desk.go(`#/lists/${list}`);
    grid = page.getByRole('grid', { name });
    await cell(0, 0).getByText('Firm 00').waitFor();
  });

  const cell = (row: number, column: number): Locator =>
    grid.locator(`[data-index="${String(row)}"] [data-column="${String(column)}"]`);
  const heads = (of = grid): Promise<string[]> =>
    of
      .locator('[data-position]')
      .evaluateAll((all) =>
        all
          .sort((one, other) => Number(one.dataset.position) - Number(other.dataset.position))
          .map((head) => head.textContent.trim()),
      );
  const seesHeads = (...names: string[]): Promise<unknown> =>
    expect.poll(async () => (await heads()).slice(0, names.length), { timeout: 15_000 }).toEqual(names);
  const menu = async (column: string, action: string): Promise<void> => {
    await grid.getByRole('columnheader', { name: column }).getByRole('button').click();
    await page.getByRole('menuitem', { name: action }).click();
  };
  const kept = (): Promise<ListViews> => desk.app('GET', `/app/lists/${list}/views`);
  const filterCity = async (city: string): Promise<void> => {
    await menu('City', 'Filter …');
    await page.getByRole('dialog').getByLabel('Value', { exact: true }).fill(city);
    await desk.press('Show these rows');
  };
  const keepAs = async (name: string): Promise<void> => {
    await desk.press('Save as view …');
    await page.getByLabel('Name of the view').fill(name);
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await isChosen(name);
  };
  const views = (): Locator => page.getByRole('navigation', { name: 'Views' });
  const tab = (name: string | RegExp): Locator => views().getByRole('link', { name });
  const isChosen = (name: string): Promise<unknown> =>
    expect
      .poll(() => views().locator('[aria-current=page]').allInnerTexts(), { timeout: 15_000 })
      .toEqual([expect.stringMatching(new RegExp(`^${name}`))]);
  /** How high the number of rows in a tab is. */
  const heightOfCount = async (name: RegExp): Promise<number | undefined> =>
    (await tab(name).locator('[aria-hidden]').boundingBox())?.height;
  const addView = async (name: string, city: string): Promise<string> => {
    const { fields } = await desk.app<ListDetail>('GET', `/app/lists/${list}`);
    const fieldID = fields.find(({ label }) => label === 'City')?.fieldID ?? '';
    const filters = city === '' ? [] : [{ fieldID, operator: 'is', value: city }];
    const columns = { order: [], hidden: [], widths: {}, frozen: 0 };
    const body = { name, filters, search: '', columns };
    return (await desk.app<ListView>('POST', `/app/lists/${list}/views`, body)).viewID;
  };

  it('hides a column at once for every window, and shows it again with one click', async () => {
    await menu('City', 'Hide here');
    await seesHeads('Name', 'Country', 'Phone');
    await desk.sees('“City” is hidden here. What partners see stays as it is.');
    await desk.sees('1 column hidden');
    const { fields } = await desk.app<ListDetail>('GET', `/app/lists/${list}`);
    const idOf = (name: string): string => fields.find(({ label }) => label === name)?.fieldID ?? '';
    await expect.poll(async () => (await kept()).columns.hidden).toEqual([idOf('City')]);
    // As another window does it.
    const there = { order: [], hidden: [idOf('City'), idOf('Phone')], widths: {}, frozen: 0 };
    await desk.app('PUT', `/app/lists/${list}/columns`, there);
    await desk.sees('2 columns hidden');
    await seesHeads('Name', 'Country', 'Contact');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await seesHeads('Name', 'City', 'Country', 'Phone');
    await expect.poll(async () => (await kept()).columns.hidden).toEqual([]);
  });

  it(
    'says before a list is exported that what is hidden goes along, and so it does',
    { tags: 'nightly-windows' },
    async () => {
      await menu('Contact', 'Hide here');
      await filterCity('Ulm');
      await page.getByRole('button', { name: 'Export' }).click();
      await page
        .getByRole('group', { name: 'All rows and columns, hidden ones too' })
        .getByRole('menuitem', { name: 'As CSV' })
        .waitFor();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: 'As CSV' }).click(),
      ]);
      const lines = (await savedBytes(download)).toString().trim().split('\r\n');
      expect(lines).toHaveLength(41);
      expect(lines[1]).toContain('Person 0');
    },
  );

  it(
    'moves a column by its menu, by drawing it, and by key in the list of columns',
    { tags: 'nightly-windows' },
    async () => {
      await menu('City', 'Move to the right');
      await seesHeads('Name', 'Country', 'City');
      const from = grid.getByRole('columnheader', { name: 'City' }).getByRole('button');
      const to = await grid.getByRole('columnheader', { name: 'Name' }).boundingBox();
      await from.hover();
      await page.mouse.down();
      await page.mouse.move((to?.x ?? 0) + 20, (to?.y ?? 0) + 10, { steps: 8 });
      await page.mouse.up();
      await seesHeads('City', 'Name', 'Country');
      expect(await page.getByRole('menu').count()).toBe(0);
      await desk.press('Columns');
      const down = page.getByRole('button', { name: 'Move “City” down' });
      await down.focus();
      await page.keyboard.press('Enter');
      await page.getByText('“City” is column 2 of 8').waitFor();
      await page.keyboard.press('Enter');
      await page.getByText('“City” is column 3 of 8').waitFor();
      expect(await down.evaluate((button) => button === document.activeElement)).toBe(true);
      await page.keyboard.press('Escape');
      await seesHeads('Name', 'Country', 'City');
      const { fields } = await desk.app<ListDetail>('GET', `/app/lists/${list}`);
      // The list itself is as it was, so shares and files are.
      expect(fields.map(({ label }) => label)).toEqual(COLUMNS);
      await expect.poll(async () => (await kept()).columns.order[2]).toBe(fields[1]?.fieldID);
    },
  );

  it('has its columns back by undo once they were reset, and those changed just before a reload', async () => {
    await menu('City', 'Move to the right');
    await menu('Note', 'Hide here');
    await seesHeads('Name', 'Country', 'City');
    await expect.poll(async () => (await kept()).columns.hidden).toHaveLength(1);
    const { columns } = await kept();
    await desk.press('Columns');
    await desk.press('Reset');
    await seesHeads(...COLUMNS);
    const messages = page.getByRole('region', { name: 'Messages' });
    const message = messages.getByRole('status').filter({ hasText: 'The columns are as at first.' });
    await message.waitFor();
    await shoot(page, 'columns-reset');
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    await message.getByRole('button', { name: 'Undo' }).click();
    await seesHeads('Name', 'Country', 'City');
    await expect.poll(async () => (await kept()).columns).toEqual(columns);

    await desk.press('Columns');
    await page.getByRole('checkbox', { name: 'Phone' }).uncheck();
    await page.reload();
    await seesHeads('Name', 'Country', 'City', 'Contact');
  });

  it('keeps the first columns in sight while the others pass, and writes into the right ones', async () => {
    await menu('City', 'Freeze up to this column');
    await grid.locator('.frozen').first().waitFor();
    await page.setViewportSize({ width: 1000, height: 700 });
    const x = async (row: number, column: number): Promise<number> =>
      (await cell(row, column).boundingBox())?.x ?? Number.NaN;
    const before = [await x(0, 0), await x(0, 1)];
    await cell(0, 0).click();
    await page.keyboard.press('End');
    await expect.poll(() => grid.evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(0);
    expect([await x(0, 0), await x(0, 1)]).toEqual(before);
    // A column that is gone to comes out from below those that stay.
    for (let step = 0; step < 5; step++) await page.keyboard.press('ArrowLeft');
    await page.keyboard.type('Portugal');
    await page.keyboard.press('Enter');
    await cell(0, 2).getByText('Portugal').waitFor();
    const end = before[1] ?? 0;
    expect(await x(0, 2)).toBeGreaterThanOrEqual(end);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('keeps widths with the list, and none that cannot be', async () => {
    const { fields } = await desk.app<ListDetail>('GET', `/app/lists/${list}`);
    const head = grid.getByRole('columnheader', { name: 'Name' });
    const box = await head.boundingBox();
    await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) - 3, (box?.y ?? 0) + 10);
    await page.mouse.down();
    await page.mouse.move((box?.x ?? 0) + 2, (box?.y ?? 0) + 10, { steps: 5 });
    await page.mouse.up();
    await expect.poll(async () => (await kept()).columns.widths).toEqual({ [fields[0]?.fieldID ?? '']: 4 });
  });

  it('keeps search, filters, order and columns as a view, with an address that Back and reload know', async () => {
    await filterCity('Köln');
    await desk.sees('8 of 40 rows');
    await menu('Note', 'Hide here');
    await menu('Name', 'Sort Z to A, high to low');
    await cell(0, 0).getByText('Firm 35').waitFor();
    await keepAs('Cologne');
    expect(await page.evaluate(() => location.hash)).toContain('?view=');
    await desk.sees('8 of 40 rows');
    await tab(/^All/).click();
    await cell(0, 0).getByText('Firm 00').waitFor();
    await desk.sees('40 rows');
    await page.goBack();
    await cell(0, 0).getByText('Firm 35').waitFor();
    await page.reload();
    await cell(0, 0).getByText('Firm 35').waitFor();
    await desk.sees('8 of 40 rows');
    expect(await heads()).not.toContain('Note');
  });

  it(
    'changes a view only when asked to, renames it, and has it back after it was deleted',
    { tags: 'nightly-windows' },
    async () => {
      await filterCity('Köln');
      await keepAs('Cologne');
      await page.getByRole('searchbox').fill('Firm 35');
      await desk.sees('1 of 40 rows');
      await desk.press('Discard changes');
      await desk.sees('8 of 40 rows');
      await page.getByRole('searchbox').fill('Firm 35');
      await desk.sees('1 of 40 rows');
      await desk.press('Save changes');
      await expect.poll(async () => (await kept()).views[0]?.search).toBe('Firm 35');
      await desk.press('What can be done with “Cologne”');
      await page.getByRole('menuitem', { name: 'Rename this view …' }).click();
      await page.getByLabel('Name of the view').fill('Teens');
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      await desk.press('What can be done with “Teens”');
      await page.getByRole('menuitem', { name: 'Delete this view' }).click();
      await expect.poll(async () => (await kept()).views).toEqual([]);
      await page.getByRole('button', { name: 'Undo' }).filter({ hasText: 'Undo' }).last().click();
      await isChosen('Teens');
      await desk.sees('1 of 40 rows');
    },
  );

  it('has a deleted view back from the menu of the list, after its message has gone', async () => {
    await filterCity('Köln');
    await keepAs('Cologne');
    await desk.press('What can be done with “Cologne”');
    await page.getByRole('menuitem', { name: 'Delete this view' }).click();
    await expect.poll(async () => (await kept()).views).toEqual([]);
    await page.reload();
    await desk.press('More');
    await page.getByRole('menuitem', { name: 'Restore view “Cologne”' }).click();
    await isChosen('Cologne');
    await desk.sees('8 of 40 rows');
    await desk.press('More');
    await page.getByRole('menuitem', { name: 'Delete list …' }).waitFor();
    expect(await page.getByRole('menuitem', { name: /Restore view/ }).count()).toBe(0);
    await page.keyboard.press('Escape');
  });

  it('goes by columns that are renamed, and says what was deleted', { tags: 'nightly-windows' }, async () => {
    await filterCity('Köln');
    await keepAs('Cologne');
    const { fields } = await desk.app<ListDetail>('GET', `/app/lists/${list}`);
    const renamed = fields.map((field) =>
      field.label === 'City' ? { ...field, name: 'Town', label: 'Town' } : field,
    );
    await desk.app('PATCH', `/app/lists/${list}`, { fields: renamed });
    await desk.sees('Town contains “Köln”');
    await desk.sees('8 of 40 rows');
    const rest = renamed.filter(({ label }) => label !== 'Town');
    await desk.app('PATCH', `/app/lists/${list}`, { fields: rest });
    await desk.sees('No longer chosen by “City”: it was deleted, or is of another kind now');
    await desk.sees('40 rows');
    await page.getByRole('button', { name: /^Remove the filter/ }).click();
    await desk.press('Save changes');
    await expect.poll(async () => (await kept()).views[0]?.filters).toEqual([]);
  });

  it('shows views side by side with their rows, which follow what happens, and how many rows of all are seen', async () => {
    const title = page.getByRole('heading', { level: 1 }).locator('..');
    // As another window makes them, one after the other.
    await addView('Cologne', 'Köln');
    await tab('All 40 rows').waitFor();
    await tab('Cologne 8 rows').waitFor();
    await addView('Lyon', 'Lyon');
    await tab('Lyon 8 rows').waitFor();
    await title.getByText('40 rows', { exact: true }).waitFor();
    await tab('Cologne 8 rows').click();
    await isChosen('Cologne');
    await title.getByText('8 of 40 rows').waitFor();
    // A row that comes to another view than the one that is looked at.
    await cell(0, 1).getByText('Köln').waitFor();
    const { rows } = await desk.app<GridPage>('GET', `/app/lists/${list}/rows?limit=1`);
    const recordID = rows[0]?.recordID ?? '';
    await desk.app('PATCH', `/app/lists/${list}/rows/${recordID}`, { values: { City: ['Lyon'] } });
    await tab('Lyon 9 rows').waitFor();
    await tab('Cologne 7 rows').waitFor();
    await title.getByText('7 of 40 rows').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
  });

  it(
    'leaves the keyboard at the view that was chosen or kept, with its rows in one line beside a long name',
    { tags: 'nightly-looks' },
    async () => {
      const named = 'All customers of the valleys beyond the river';
      await addView(named, '');
      await page.setViewportSize({ width: 1800, height: 860 });
      const at = (name: RegExp): Promise<void> => page.locator(':focus').and(tab(name)).waitFor();
      for (const name of [/^All customers .* 40 rows$/, /^All 40 rows$/]) {
        await tab(name).waitFor();
        await tab(name).focus();
        await page.keyboard.press('Enter');
        await at(name);
      }
      expect(await heightOfCount(/^All customers/)).toBe(await heightOfCount(/^All 40/));
      await keepAs('Lyon');
      await at(/^Lyon/);
      await page.setViewportSize({ width: 1280, height: 860 });
    },
  );

  it(
    'puts views that have no room into a menu, by key as well, with the chosen one in sight',
    { tags: 'nightly-looks' },
    async () => {
      const names = ['Bergen', 'Cologne, Germany', 'Lyon and around', 'Porto', 'Ulm', 'Zurich'];
      for (const [at, name] of names.entries()) await addView(name, CITIES[at % 5] ?? '');
      await page.setViewportSize({ width: 1280, height: 800 });
      const more = page.getByRole('button', { name: /^Views: .*\d more$/ });
      await more.waitFor();
      const beside = async (): Promise<number> => (await views().getByRole('link').count()) - 1;
      const seen = await beside();
      expect(seen).toBeGreaterThan(0);
      expect(seen).toBeLessThan(names.length);
      await expect
        .poll(() => more.getAttribute('aria-label'))
        .toBe(`Views: ${String(names.length - seen)} more`);
      await more.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('menuitemradio', { name: 'Zurich 8 rows' }).waitFor();
      expect(await page.getByRole('menuitemradio').count()).toBe(names.length - seen);
      await page.getByRole('menuitemradio', { name: 'Zurich' }).click();
      await page.getByRole('button', { name: /^Views: Zurich, \d more$/ }).waitFor();
      await desk.sees('8 of 40 rows');
      // Where there is room for all, there is nothing in a menu.
      await page.setViewportSize({ width: 2200, height: 800 });
      await expect.poll(beside, { timeout: 15_000 }).toBe(names.length);
      await isChosen('Zurich');
      await page.setViewportSize({ width: 390, height: 800 });
      await page.getByRole('button', { name: /^Views: Zurich, \d more$/ }).waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      await page.setViewportSize({ width: 1280, height: 860 });
    },
  );
});
