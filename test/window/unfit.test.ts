import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seriousFindings } from '../support/reading/axe.ts';
import { launchBrowser, shoot } from '../support/harness/browser.ts';
import { openDesk, type Desk } from '../support/harness/desk.ts';
import { rowsOf } from '../support/harness/node.ts';

describe('a value that does not fit', () => {
  let browser: Browser;
  let desk: Desk;
  let list = '';
  let grid: Locator;

  beforeAll(async () => {
    browser = await launchBrowser();
    desk = await openDesk(browser, 'Müller & Söhne');
    const fields = [
      { label: 'Artikel', name: 'Artikel', kind: 'String', isMulti: false },
      { label: 'Bestand', name: 'Bestand', kind: 'Number', isMulti: false },
      { label: 'Aktiv', name: 'Aktiv', kind: 'Bool', isMulti: false },
    ];
    list = (await desk.app<{ moduleID: string }>('POST', '/app/lists', { name: 'Lager', fields })).moduleID;
    for (const [Artikel, Bestand] of [
      ['Kugelhahn DN 15', '12'],
      ['Kugelhahn DN 20', '7'],
      ['Muffe 1/2', '40'],
    ] as const)
      await desk.app('POST', `/app/lists/${list}/rows`, {
        values: { Artikel: [Artikel], Bestand: [Bestand] },
      });
    await desk.go(`#/lists/${list}`);
    grid = desk.page.getByRole('grid', { name: 'Lager' });
    await desk.sees('Muffe 1/2');
  });
  afterAll(async () => {
    await browser.close();
    await desk.close();
  });

  const cell = (row: number, column: number): Locator =>
    grid.locator(`[data-index="${row}"] [data-column="${column}"]`);
  const editor = (): Locator => grid.getByRole('textbox');
  const waiting = (): Locator => grid.locator('[role=gridcell][aria-invalid=true]');
  const type = (text: string): Promise<void> => desk.page.keyboard.type(text);
  const stock = async (): Promise<unknown[]> => (await rowsOf(desk, list)).map(({ Bestand }) => Bestand);

  it('stays in its cell with the reason until it is set right or left', async () => {
    const { page } = desk;
    await cell(0, 1).click();
    await type('zwölf');
    await page.keyboard.press('Enter');
    const reason = page.getByRole('alert').filter({ hasText: 'Bestand' });
    await reason.waitFor();
    await desk.press('Go to cell');
    await expect.poll(() => editor().inputValue()).toBe('zwölf');
    expect(await editor().getAttribute('aria-invalid')).toBe('true');
    expect(await cell(0, 1).getByRole('textbox').count()).toBe(1);
    expect(await stock()).toEqual(['12', '7', '40']);
    expect(await page.getByRole('region', { name: 'Messages' }).getByText('Bestand').count()).toBe(0);
    expect(await seriousFindings(page)).toEqual([]);
    await shoot(page, 'cell-unfit-light');
    await page.emulateMedia({ colorScheme: 'dark' });
    await shoot(page, 'cell-unfit-dark');
    await page.emulateMedia({ colorScheme: 'light' });

    // Looking elsewhere loses nothing.
    await page.getByRole('heading', { level: 1 }).click();
    await cell(0, 1).getByText('zwölf', { exact: true }).waitFor();
    await cell(0, 1).click();
    expect(await editor().inputValue()).toBe('zwölf');
    await editor().fill('13');
    await page.keyboard.press('Enter');
    await expect.poll(stock).toEqual(['13', '7', '40']);
    await reason.waitFor({ state: 'detached' });
  });

  it('waits while another cell is written, and goes with Esc', async () => {
    const { page } = desk;
    await cell(0, 1).click();
    await type('viele');
    await page.keyboard.press('Enter');
    await waiting().waitFor();
    await cell(2, 1).dblclick();
    await page.keyboard.press('Control+A');
    await type('41');
    await page.keyboard.press('Enter');
    await expect.poll(stock).toEqual(['13', '7', '41']);
    await cell(0, 1).click();
    expect(await editor().inputValue()).toBe('viele');
    await page.keyboard.press('Escape');
    await cell(0, 1).getByText('13').waitFor();
    expect(await editor().count()).toBe(0);
  });

  it('stays in the blank row, and becomes a row once it is right', async () => {
    const { page } = desk;
    await cell(3, 1).click();
    await type('ein paar');
    await page.keyboard.press('Enter');
    await desk.press('Go to cell');
    await expect.poll(() => editor().inputValue()).toBe('ein paar');
    await editor().fill('5');
    await page.keyboard.press('Enter');
    await expect.poll(stock).toEqual(['13', '7', '41', '5']);
  });

  it('follows its row where a search shows others, does not take the focus, and its reason goes along', async () => {
    const { page } = desk;
    const search = page.getByPlaceholder('Search in all columns');
    await cell(0, 1).click();
    await type('wenig');
    await page.keyboard.press('Enter');
    await waiting().waitFor();
    await search.fill('Muffe');
    await desk.sees('2 of 4 rows');
    await grid.locator('[data-index="1"]').getByText('Kugelhahn DN 15').waitFor();
    await cell(1, 1).getByText('wenig', { exact: true }).waitFor();
    expect(await search.evaluate((field) => field === document.activeElement)).toBe(true);
    await cell(1, 1).click();
    expect(await editor().inputValue()).toBe('wenig');
    const [below, reason] = await Promise.all([
      cell(1, 1).boundingBox(),
      page.getByRole('alert').filter({ hasText: 'Bestand' }).boundingBox(),
    ]);
    expect(Math.round((reason?.y ?? 0) - (below?.y ?? 0) - (below?.height ?? 0))).toBeLessThanOrEqual(1);
    await search.fill('');
    await cell(0, 1).getByText('wenig', { exact: true }).waitFor();
    await cell(0, 1).click();
    await editor().fill('14');
    await editor().press('Enter');
    await expect.poll(stock).toEqual(['14', '7', '41', '5']);
  });

  it('is not lost with the page: the browser asks before it goes, also over a value that was not checked yet', async () => {
    const { page } = desk;
    await cell(1, 1).click();
    await type('sieben');
    const asked = page.waitForEvent('dialog');
    await page.evaluate(() => void setTimeout(() => location.reload()));
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();
    await desk.press('Go to cell');
    await expect.poll(() => editor().inputValue()).toBe('sieben');
    await page.keyboard.press('Escape');
    await expect.poll(() => editor().count()).toBe(0);
  });

  it('is never made by a click alone: a double click leaves Yes/No as it is', async () => {
    const yes = async (): Promise<unknown[]> => (await rowsOf(desk, list)).map(({ Aktiv }) => Aktiv);
    const before = await yes();
    await cell(1, 2).dblclick();
    await desk.page.getByRole('complementary', { name: 'Details' }).waitFor();
    expect(await yes()).toEqual(before);
    expect(desk.errors.filter((error) => !error.includes('422'))).toEqual([]);
  });

  /** Types rows into the grid, cell by cell, and goes back to the first column after each. */
  const typeRows = async (rows: readonly (readonly string[])[]): Promise<void> => {
    const press = async (key: string): Promise<void> => {
      await desk.page.keyboard.press(key);
      // So long may a refusal take.
      await desk.page.waitForTimeout(60);
    };
    for (const row of rows) {
      for (const [index, text] of row.entries()) {
        await desk.page.keyboard.type(text, { delay: 20 });
        await press(index < row.length - 1 ? 'Tab' : 'Enter');
      }
      await press('Home');
    }
  };
  const shown = (row: number): Promise<(string | null)[]> =>
    Promise.all([0, 1, 2].map((column) => cell(row, column).locator('.text').textContent()));
  const numbers = ['Aa', 'Bb', 'Cc'].map((name) => ({ label: name, name, kind: 'Number', isMulti: false }));
  const abc = async (): Promise<string[]> =>
    (await rowsOf(desk, list)).map(({ Aa, Bb, Cc }) => [Aa, Bb, Cc].join());
  let made = 0;
  const openNumbers = async (): Promise<void> => {
    const name = `Numbers ${++made}`;
    const { moduleID } = await desk.app<{ moduleID: string }>('POST', '/app/lists', {
      name,
      fields: numbers,
    });
    list = moduleID;
    for (const Aa of ['1', '2', '3'])
      await desk.app('POST', `/app/lists/${list}/rows`, { values: { Aa: [Aa], Bb: ['9'], Cc: ['8'] } });
    await desk.go(`#/lists/${list}`);
    grid = desk.page.getByRole('grid', { name });
    await cell(2, 0).getByText('3').waitFor();
  };

  it('takes nothing that is typed on in other rows, and waits in its cell', async () => {
    const { page } = desk;
    await openNumbers();
    await cell(0, 0).click();
    await typeRows([
      ['four', '5', 'x'],
      ['14', 'y', '16'],
      ['24', '25', '26'],
    ]);
    await expect.poll(abc).toEqual(['1,5,8', '14,9,16', '24,25,26']);
    await expect.poll(() => waiting().count()).toBe(3);
    expect(await shown(0)).toEqual(['four', '5', 'x']);
    expect(await shown(1)).toEqual(['14', 'y', '16']);
    expect(await grid.evaluate((element) => element === document.activeElement)).toBe(true);
    const reason = page.getByRole('alert').filter({ hasText: '“four” is no number' });
    await reason.getByText('2 more values aren’t saved.').waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await shoot(page, `cells-unfit-${colorScheme}`);
    }
    expect(await seriousFindings(page)).toEqual([]);

    await page.getByRole('button', { name: 'Go to cell' }).click();
    expect(await editor().inputValue()).toBe('four');
    await type('4');
    await page.keyboard.press('Enter');
    await cell(0, 2).click();
    expect(await editor().inputValue()).toBe('x');
    await type('6');
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await expect.poll(abc).toEqual(['4,5,6', '14,9,16', '24,25,26']);
    await cell(0, 1).click();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await editor().inputValue()).toBe('y');
    await page.keyboard.press('Escape');
    await expect.poll(() => waiting().count()).toBe(0);
    expect(await shown(1)).toEqual(['14', '9', '16']);
  });

  it('of a new row waits there with all of the row, and opens no form over rows that are typed on', async () => {
    const { page } = desk;
    await openNumbers();
    await cell(3, 0).click();
    await typeRows([
      ['four', '5', '6'],
      ['14', 'y', '16'],
      ['z', '25', '26'],
      ['34', '35', '36'],
    ]);
    await expect.poll(async () => (await abc()).slice(3)).toEqual(['14,,16', '34,35,36']);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await expect.poll(() => waiting().count()).toBe(3);
    expect(await shown(5)).toEqual(['four', '5', '6']);
    expect(await shown(6)).toEqual(['z', '25', '26']);
    await cell(5, 0).click();
    expect(await editor().inputValue()).toBe('four');
    await type('4');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await abc()).slice(3)).toEqual(['14,,16', '34,35,36', '4,5,6']);

    // The form offers the other row where the list is left.
    await page.reload();
    await desk.press('Continue new row');
    const form = page.getByRole('dialog');
    expect(await form.getByRole('textbox', { name: 'Bb' }).inputValue()).toBe('25');
    await form.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Undo' }).click();
    await form.getByRole('textbox', { name: 'Aa' }).fill('24');
    await form.getByRole('button', { name: 'Add', exact: true }).click();
    await expect.poll(abc).toContain('24,25,26');
  });

  it('is replaced by what is filled into its cell', async () => {
    const { page } = desk;
    await openNumbers();
    await cell(1, 0).click();
    await type('l2');
    await page.keyboard.press('Enter');
    await expect.poll(() => waiting().count()).toBe(1);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Control+d');
    await expect.poll(() => waiting().count()).toBe(0);
    expect(await abc()).toEqual(['1,9,8', '1,9,8', '3,9,8']);
  });

  it('in a new row is reached by no key of typing on, and can’t be ticked with others', async () => {
    const { page } = desk;
    await openNumbers();
    await cell(3, 0).click();
    await type('five');
    await page.keyboard.press('Tab');
    await type('10');
    await page.keyboard.press('Tab');
    await expect.poll(() => waiting().count()).toBe(1);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Home');
    await type('6');
    await page.keyboard.press('Tab');
    await expect.poll(async () => (await abc()).at(-1)).toBe('6,,');
    expect(await waiting().count()).toBe(1);
    await expect.poll(() => grid.getByRole('checkbox', { name: /row 5/i }).count()).toBe(0);
  });

  it('leaves Ctrl+Left in the line for a new row', async () => {
    const { page } = desk;
    await openNumbers();
    await cell(3, 2).click();
    await page.keyboard.press('Control+ArrowLeft');
    await type('77');
    await page.keyboard.press('Enter');
    await expect.poll(abc).toEqual(['1,9,8', '2,9,8', '3,9,8', '77,,']);
  });
});
