import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { atNight } from '../support/data/luck.ts';
import { launchBrowser } from '../support/harness/browser.ts';
import { openDesk, type Desk } from '../support/harness/desk.ts';
import { scrollNothing, scrollThrough, type Scrolled } from '../support/reading/frames.ts';
import { rowsOf } from '../support/harness/node.ts';

const OUTPUT = fileURLToPath(new URL('../../test-output', import.meta.url));
/** Which rows are in view of 100,000 is tried in each run by test/unit/renderer/grid.test.ts and rows.test.ts. */
const MANY = atNight(100_000, 10_000);
const LATE = atNight(77_777, 7_777);
const rowsText = (count: number): string => `${count.toLocaleString('en')} rows`;
const TOWNS = ['Riga', 'Lyon', 'Bern', 'Cork', 'Graz'];

const many = (): string =>
  ['Code,Name,Town,Amount']
    .concat(
      Array.from(
        { length: MANY },
        (_, n) => `C${n},Customer ${n},${TOWNS[n % 5] ?? ''},${(n * 7919) % MANY}`,
      ),
    )
    .join('\n');

describe(`a list of ${rowsText(MANY)}`, () => {
  let browser: Browser;
  let desk: Desk;
  let list = '';
  let towns = '';
  let grid: Locator;

  beforeAll(async () => {
    browser = await launchBrowser();
    desk = await openDesk(browser, 'North Trading');
    // Sorting so many rows takes its time where the processor is shared with others.
    desk.page.setDefaultTimeout(40_000);
    list = await desk.csv('Many', many());
    await desk.go(`#/lists/${list}`);
    grid = desk.page.getByRole('grid', { name: 'Many' });
    await desk.sees(rowsText(MANY));
  }, 180_000);
  afterAll(async () => {
    await browser.close();
    await desk.close();
  });

  const cell = (row: number, column: number): Locator =>
    grid.locator(`[data-index="${row}"] [data-column="${column}"]`);
  const menu = async (column: string, action: string): Promise<void> => {
    await grid.getByRole('columnheader', { name: column }).getByRole('button').click();
    await desk.page.getByRole('menuitem', { name: action }).click();
  };

  it(
    'is scrolled from end to end; how long each frame took is kept in test-output',
    { tags: 'nightly-sizes' },
    async () => {
      // By the scroll bar, as far as it goes, and by a wheel that is turned fast.
      const ways = { bar: { count: 60 }, wheel: { count: 60, pixels: 240 } };
      const measured: Record<string, unknown> = { rows: MANY };
      for (const [way, steps] of Object.entries(ways)) {
        const nothing = await scrollNothing(desk.page, grid, steps);
        const scrolled = await scrollThrough(grid, steps);
        measured[way] = { scrolled, nothing };
        const say = ({ p50, p95, max }: Scrolled): string => `p50 ${p50} ms, p95 ${p95} ms, max ${max} ms`;
        console.log(`by ${way}: ${say(scrolled)}; an empty page: ${say(nothing)}`);
        expect(scrolled.mostRows).toBeLessThan(80);
        expect.soft(scrolled.blank).toBe(0);
      }
      mkdirSync(OUTPUT, { recursive: true });
      writeFileSync(join(OUTPUT, 'grid-frames.json'), `${JSON.stringify(measured, null, 2)}\n`);
      await grid.focus();
      await desk.page.keyboard.press('Control+End');
      await cell(MANY - 1, 0)
        .getByText(`C${MANY - 1}`)
        .waitFor();
      const lines = grid
        .getByText(MANY.toLocaleString('en'), { exact: true })
        .evaluate((number) => number.clientHeight / Number.parseFloat(getComputedStyle(number).fontSize));
      expect(await lines).toBeLessThan(2);
    },
  );

  it('brings every row into view, wherever one jumps', async () => {
    for (const row of [0, 1, MANY / 4 - 1, MANY / 2, LATE, MANY - 1]) {
      await grid.evaluate(
        (element, share) => {
          element.scrollTop = share * (element.scrollHeight - element.clientHeight);
        },
        row / (MANY - 1),
      );
      await cell(row, 0).getByText(`C${row}`, { exact: true }).waitFor();
    }
    await grid.focus();
    await desk.page.keyboard.press('Control+Home');
    await cell(0, 0).getByText('C0', { exact: true }).waitFor();
    await desk.page.keyboard.press('Control+End');
    await cell(MANY - 1, 3).waitFor();
  });

  it('keeps a place for the scroll bar, which would else cover what the last column says', async () => {
    // The bars themselves are hidden in this browser.
    expect(await grid.evaluate((element) => getComputedStyle(element).scrollbarGutter)).toBe('stable');
    expect(await grid.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  });

  it('is searched, sorted and filtered by the node, over all rows', async () => {
    await menu('Amount', 'Sort Z to A, high to low');
    await grid.evaluate((element) => (element.scrollTop = 0));
    await cell(0, 3)
      .getByText(String(MANY - 1), { exact: true })
      .waitFor();
    const before = await cell(0, 0).boundingBox();
    const back = (name: string): Locator => desk.page.getByRole('main').getByRole('button', { name });
    await back('Do not sort').waitFor();
    expect(await back('Show all rows').count()).toBe(0);
    await menu('Town', 'Filter …');
    const dialog = desk.page.getByRole('dialog', { name: 'Filter rows by “Town”' });
    await dialog.getByLabel('Value', { exact: true }).fill('Bern');
    await dialog.getByRole('button', { name: 'Show these rows' }).click();
    await desk.sees(rowsText(MANY / 5));
    await back('Show all rows').waitFor();
    await cell(0, 3)
      .getByText(String(MANY - 2), { exact: true })
      .waitFor();
    await desk.page.getByPlaceholder('Search in all columns').fill(`Customer ${LATE}`);
    await desk.sees('1 row');
    await cell(0, 0).getByText(`C${LATE}`).waitFor();
    // One row has a shorter number than many, and the columns stay where they are.
    expect((await cell(0, 0).boundingBox())?.x).toBe(before?.x);
    await desk.page.getByPlaceholder('Search in all columns').fill('nobody of that name');
    await desk.sees('No row matches.');
    await desk.page.getByPlaceholder('Search in all columns').fill('');
    await desk.page.getByRole('button', { name: 'Remove the filter: Town contains “Bern”' }).click();
    await desk.sees(rowsText(MANY));
    await menu('Amount', 'Do not sort');
    await cell(0, 0).getByText('C0', { exact: true }).waitFor();
  });

  it('a cell is edited, rows are added and deleted, and each is undone', async () => {
    const { page } = desk;
    await cell(2, 1).dblclick();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('Renamed');
    await page.keyboard.press('Enter');
    await cell(2, 1).getByText('Renamed').waitFor();
    await grid.focus();
    await page.keyboard.press('Control+Z');
    await cell(2, 1).getByText('Customer 2').waitFor();

    // What is being typed in the details stays with its row when another one is chosen.
    await cell(4, 1).click();
    await desk.press('Details');
    const details = page.getByRole('complementary', { name: 'Details' });
    await details.getByLabel('Town', { exact: true }).fill('Oslo');
    await cell(6, 1).click();
    await expect.poll(() => details.getByLabel('Town', { exact: true }).inputValue()).toBe('Lyon');
    await cell(4, 2).getByText('Oslo', { exact: true }).waitFor();
    await details.getByRole('button', { name: 'Close' }).click();
    const dialog = page.getByRole('dialog', { name: 'New row in “Many”' });
    await desk.press('Add a row');
    await dialog.getByRole('button', { name: 'Cancel' }).focus();
    await page.keyboard.press('Control+Z');
    await new Promise((done) => setTimeout(done, 500));
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await grid.focus();
    await page.keyboard.press('Control+Home');
    expect((await cell(4, 2).innerText()).trim(), 'a dialog lies over the list').toBe('Oslo');
    await page.keyboard.press('Control+Z');
    await cell(4, 2).getByText('Graz').waitFor();

    await desk.press('Add a row');
    await dialog.getByLabel('Name').fill('Newcomer');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await desk.sees(rowsText(MANY + 1));
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
    await desk.sees(rowsText(MANY));

    await page.getByLabel('Tick row 1', { exact: true }).click();
    await page.getByLabel('Tick row 3', { exact: true }).click({ modifiers: ['Shift'] });
    await desk.sees('3 rows ticked');
    await desk.press('Delete');
    await desk.sees(rowsText(MANY - 3));
    await cell(0, 0).getByText('C3', { exact: true }).waitFor();
    await desk.sees('3 rows are in the bin.');
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).last().click();
    await desk.sees(rowsText(MANY));
    await cell(0, 0).getByText('C0', { exact: true }).waitFor();
  });

  it('a row that was added stays in sight though a search would hide it, until the search is another', async () => {
    const { page } = desk;
    const suppliers = await desk.csv('Suppliers', 'Name,Town\nLeeds Trading,Leeds\nRiga Freight,Riga\n');
    const [leeds] = await rowsOf(desk, suppliers);
    await desk.go(`#/lists/${suppliers}`);
    const rows = page.getByRole('grid', { name: 'Suppliers' });
    const at = (row: number, column: number): Locator =>
      rows.locator(`[data-index="${row}"] [data-column="${column}"]`);
    await at(1, 0).getByText('Riga Freight').waitFor();
    const search = page.getByPlaceholder('Search in all columns');
    await search.fill('Riga');
    await desk.sees('1 of 2 rows');
    await at(1, 0).dblclick();
    await page.keyboard.type('Bäckerei Öhl');
    await page.keyboard.press('Enter');
    await desk.sees('2 of 3 rows');
    // Another window changes the list, so the rows are read again.
    await desk.app('PATCH', `/app/lists/${suppliers}/rows/${leeds?.recordID ?? ''}`, {
      values: { Town: ['Riga'] },
    });
    await desk.sees('3 of 3 rows');
    await at(0, 0).getByText('Leeds Trading').waitFor();
    await at(2, 0).getByText('Bäckerei Öhl').waitFor();
    await search.fill('Freight');
    await desk.sees('1 of 3 rows');
    await search.fill('');
    await rows.getByRole('columnheader', { name: 'Name' }).getByRole('button').click();
    await page.getByRole('menuitem', { name: 'Sort A to Z, low to high' }).click();
    await at(0, 0).getByText('Bäckerei Öhl').waitFor();
    await at(3, 0).dblclick();
    await page.keyboard.type('Autohaus Krüger');
    await page.keyboard.press('Enter');
    await at(3, 0).getByText('Autohaus Krüger').waitFor();
    // Longer than the grid waits before it reads the rows again.
    await page.waitForTimeout(1000);
    expect(await at(3, 0).innerText()).toBe('Autohaus Krüger');
    // Left and come back to, the row is where the order has it.
    await desk.go('#/lists');
    await page.getByRole('heading', { name: 'Lists', level: 1 }).waitFor();
    await desk.go(`#/lists/${suppliers}`);
    await at(2, 0).getByText('Bäckerei Öhl').waitFor();
    await rows.getByRole('columnheader', { name: 'Name' }).getByRole('button').click();
    await page.getByRole('menuitem', { name: 'Sort A to Z, low to high' }).click();
    await at(0, 0).getByText('Autohaus Krüger').waitFor();
    await desk.go(`#/lists/${list}`);
    await cell(2, 1).getByText('Customer 2').waitFor();
  });

  it('what was done is undone and redone by name after leaving the list, another search and a reload', async () => {
    const { page } = desk;
    await cell(2, 1).dblclick();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('Gärtnerei Öhl');
    await page.keyboard.press('Enter');
    await cell(2, 1).getByText('Gärtnerei Öhl').waitFor();
    await page.getByPlaceholder('Search in all columns').fill('Gärtnerei');
    await cell(0, 1).getByText('Gärtnerei Öhl').waitFor();
    await desk.go('#/lists');
    await desk.go(`#/lists/${list}`);
    await page.reload();
    await cell(2, 1).getByText('Gärtnerei Öhl').waitFor();
    await page.getByRole('button', { name: 'Undo: 1 row changed' }).click();
    await cell(2, 1).getByText('Customer 2').waitFor();
    await desk.sees('Undone: 1 row changed.');
    await grid.focus();
    await page.keyboard.press('Control+Shift+Z');
    await cell(2, 1).getByText('Gärtnerei Öhl').waitFor();
    await page.keyboard.press('Control+Z');
    await cell(2, 1).getByText('Customer 2').waitFor();
    await page.getByRole('button', { name: 'Redo: 1 row changed' }).waitFor();
    await page.keyboard.press('Control+Y');
    await cell(2, 1).getByText('Gärtnerei Öhl').waitFor();
    await page.keyboard.press('Control+Z');
    await cell(2, 1).getByText('Customer 2').waitFor();
  });

  it('a choice is found by all letters that are typed on its cell', async () => {
    const { page } = desk;
    const { moduleID } = await desk.app<{ moduleID: string }>('POST', '/app/lists', {
      name: 'Orders',
      fields: [
        { label: 'Order', name: 'Order', kind: 'String', isMulti: false },
        {
          label: 'State',
          name: 'State',
          kind: 'Select',
          isMulti: false,
          options: { options: ['offen', 'fertig', 'neu'] },
        },
      ],
    });
    await desk.app('POST', `/app/lists/${moduleID}/rows`, { values: { Order: ['4711'] } });
    await desk.go(`#/lists/${moduleID}`);
    await page.getByRole('gridcell', { name: '4711' }).waitFor();
    const state = page.getByRole('grid', { name: 'Orders' }).locator('[data-index="0"] [data-column="1"]');
    for (const choice of ['offen', 'neu', 'fertig']) {
      await state.click();
      await page.keyboard.type(choice);
      await page.keyboard.press('Enter');
      await expect.poll(() => rowsOf(desk, moduleID)).toMatchObject([{ State: choice }]);
    }
  });

  it('every kind of column has its editor', async () => {
    const { page } = desk;
    towns = await desk.csv('Towns', 'Town,Country\nRiga,Latvia\nLyon,France\n');
    const kinds = [
      { label: 'Words', kind: 'String' },
      { label: 'Sum', kind: 'Number', options: { precision: 2 } },
      { label: 'Town', kind: 'Record', options: { moduleID: towns } },
      { label: 'Day', kind: 'DateTime', options: { only: 'date' } },
      { label: 'Hour', kind: 'DateTime', options: { only: 'time' } },
      { label: 'Moment', kind: 'DateTime' },
      { label: 'Paid', kind: 'Bool' },
      { label: 'Size', kind: 'Select', options: { options: ['small', 'large'] } },
      { label: 'Mail', kind: 'Email' },
      { label: 'Site', kind: 'Url' },
      { label: 'Person', kind: 'User' },
      { label: 'Paper', kind: 'File' },
      { label: 'Place', kind: 'Geometry' },
      { label: 'Tags', kind: 'String', isMulti: true },
      { label: 'Colours', kind: 'Select', isMulti: true, options: { options: ['red', 'blue', 'green'] } },
      { label: 'Letter', kind: 'String', options: { multiLine: true } },
    ];
    const { moduleID } = await desk.app<{ moduleID: string }>('POST', '/app/lists', {
      name: 'Kinds',
      fields: kinds.map((field) => ({ isMulti: false, name: field.label, ...field })),
    });
    await desk.go(`#/lists/${moduleID}`);
    await desk.press('Add a row');
    const dialog = page.getByRole('dialog', { name: 'New row in “Kinds”' });
    const field = (label: string): Locator => dialog.getByLabel(label, { exact: true });
    const types = ['Words', 'Sum', 'Day', 'Hour', 'Moment', 'Mail', 'Site'].map((label) =>
      field(label).getAttribute('type'),
    );
    expect(await Promise.all(types)).toEqual(['text', 'text', 'text', 'text', 'text', 'email', 'url']);
    await field('Words').fill('Hello');
    await field('Sum').fill('1,234.5');
    // Days as the window's language has them, in its order; what they look like is said before.
    expect(await field('Moment').getAttribute('placeholder')).toBe('31/12/2026 14:30');
    await field('Day').fill('9/5/2031');
    await field('Hour').fill('2:30 pm');
    await field('Moment').fill('9/5/2031 14:30');
    await field('Paid').check();
    await field('Size').click();
    await page.getByRole('option', { name: 'large' }).click();
    await field('Mail').fill('office@example.org');
    await field('Site').fill('https://example.org/');
    await field('Town').fill('Lyon');
    await page.getByRole('option', { name: 'Lyon · France' }).click();
    await field('Person').fill('Anna');
    await field('Paper').fill('contract.pdf');
    await dialog.getByText('The file itself is not kept here.').waitFor();
    await dialog.getByText(/^In the time of this computer/).waitFor();
    await field('Place: Latitude').fill('146.05');
    await field('Letter').fill('Dear all,\nwe move.');
    // Half a place, or one that is nowhere, is said and keeps the row from being added.
    await dialog.getByRole('alert').getByText('A place needs both numbers').waitFor();
    await field('Place: Latitude').fill('46.05');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.getByRole('alert').waitFor();
    await field('Place: Longitude').fill('14.5');
    await field('green').check();
    await field('red').check();
    await field('Tags, value 1').fill('new');
    await page.keyboard.press('Tab');
    await dialog.getByRole('button', { name: 'Add a value' }).click();
    await field('Tags, value 2').fill('big');
    await field('Tags, value 2').press('Tab');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('gridcell', { name: 'Hello' }).waitFor();
    const [{ Moment = '', Town = '', ...stored } = {}] = await rowsOf(desk, moduleID);
    expect(stored).toEqual({
      recordID: expect.any(String) as string,
      Words: 'Hello',
      Sum: '1234.5',
      Day: '2031-05-09',
      Hour: '14:30:00',
      Paid: '1',
      Size: 'large',
      Mail: 'office@example.org',
      Site: 'https://example.org/',
      Person: 'Anna',
      Paper: 'contract.pdf',
      Place: '{"coordinates":[46.05,14.5]}',
      Tags: 'new|big',
      Colours: 'red|green',
      Letter: 'Dear all,\nwe move.',
    });
    expect(Number.isNaN(Date.parse(Moment))).toBe(false);
    const [, lyon] = await rowsOf(desk, towns);
    expect(Town).toBe(lyon?.recordID);
    // People see what it says, not numbers.
    const rows = desk.page.getByRole('grid', { name: 'Kinds' });
    for (const [column, text] of [
      [1, '1,234.50'],
      [2, 'Lyon'],
      [3, '9 May 2031'],
      [6, 'Yes'],
    ] as const) {
      await rows.locator(`[data-index="0"] [data-column="${column}"]`).getByText(text).waitFor();
    }
    // An editor that was only looked at writes nothing: the seconds' fraction is not in its input.
    const [{ recordID = '' } = {}] = await rowsOf(desk, moduleID);
    const exact = '2031-05-09T12:30:00.25Z';
    await desk.app('PATCH', `/app/lists/${moduleID}/rows/${recordID}`, { values: { Moment: [exact] } });
    // A click alone changes no value.
    await rows.locator('[data-index="0"] [data-column="6"]').dblclick();
    await page.getByRole('complementary', { name: 'Details' }).getByRole('button', { name: 'Close' }).click();
    await rows.locator('[data-index="0"] [data-column="6"]').getByText('Yes').waitFor();
    await rows.locator('[data-index="0"] [data-column="5"]').dblclick();
    const moment = rows.getByRole('textbox', { name: /Moment/ });
    await moment.press('Enter');
    await moment.waitFor({ state: 'detached' });
    expect((await rowsOf(desk, moduleID))[0]?.Moment).toBe(exact);

    await desk.press('Details');
    const details = page.getByRole('complementary', { name: 'Details' });
    await details.getByText('Made in this office.').waitFor();
    await details.getByLabel('Place: Latitude').waitFor();
    const town = details.getByLabel('Town', { exact: true });
    await expect.poll(() => town.inputValue()).toBe('Lyon');
    // What was typed and not chosen does not stay as if it were.
    await town.fill('Nowhere');
    await details.getByText('No row found.').or(page.getByText('No row found.')).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => town.inputValue()).toBe('Lyon');
    await town.click();
    await page.getByRole('option', { name: 'Riga · Latvia' }).click();
    const [riga] = await rowsOf(desk, towns);
    await expect.poll(async () => (await rowsOf(desk, moduleID))[0]?.Town).toBe(riga?.recordID);
    await expect.poll(() => town.inputValue()).toBe('Riga');
    const place = rows.locator('[data-index="0"] [data-column="2"]');
    await place.getByText('Riga', { exact: true }).waitFor();

    // By the keyboard alone, quicker than the node answers: the first letters, down, Enter.
    await page.keyboard.press('ArrowDown');
    await page.getByRole('option', { name: 'Riga · Latvia' }).waitFor();
    await town.fill('ly');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await place.getByText('Lyon', { exact: true }).waitFor();

    // A person is a name, and those that are in use are offered.
    await details.locator('datalist option[value=Anna]').waitFor({ state: 'attached' });
  });

  it(
    'rows of other lists are found by what they are called, and said to be in the bin or gone',
    { tags: 'nightly-windows' },
    async () => {
      const { page } = desk;
      const rows = page.getByRole('grid', { name: 'Kinds' });
      const place = rows.locator('[data-index="0"] [data-column="2"]');
      const search = page.getByPlaceholder('Search in all columns');
      await search.fill('Riga');
      await desk.sees('No row matches.');
      await search.fill('Lyon');
      await place.getByText('Lyon', { exact: true }).waitFor();
      const [{ recordID: lyon = '' } = {}] = (await rowsOf(desk, towns)).filter(
        ({ Town }) => Town === 'Lyon',
      );
      await desk.app('PATCH', `/app/lists/${towns}/rows/${lyon}`, { values: { Town: ['Lyon Sud'] } });
      await place.getByText('Lyon Sud', { exact: true }).waitFor();
      await desk.app('DELETE', `/app/lists/${towns}/rows/${lyon}`);
      await place.getByText('Lyon Sud (in the bin)', { exact: true }).waitFor();
      await desk.app('DELETE', `/app/lists/${towns}`);
      await search.fill('');
      await page.reload();
      await place.getByText('This row is gone', { exact: true }).waitFor();
    },
  );

  it('a list is deleted with its numbers said before, and restored from the bin', async () => {
    const { page } = desk;
    const prices = await desk.csv('Prices', 'Code,Price\nA1,3.20\nA2,4.10\n');
    await desk.go(`#/lists/${prices}`);
    await page.getByRole('gridcell', { name: 'A2' }).waitFor();
    await desk.press('More');
    await page.getByRole('menuitem', { name: 'Delete list …' }).click();
    await desk.sees(/^It goes to the bin with its 2 rows\. You can restore it for \d+ days\.$/);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete list' }).click();
    await desk.sees('“Prices” is in the bin with its 2 rows.');
    await desk.press(/^Bin \(\d+ lists?\)$/);
    await desk.sees(/^2 rows · deleted /);
    await desk.press('Restore Prices');
    await desk.sees('“Prices” is restored.');
    await page.keyboard.press('Escape');
    await desk.go(`#/lists/${prices}`);
    await page.getByRole('gridcell', { name: 'A2' }).waitFor();
    expect(await rowsOf(desk, prices)).toHaveLength(2);
  });

  it('nothing went wrong on the page meanwhile', () => {
    expect(desk.errors).toEqual([]);
  });
});
