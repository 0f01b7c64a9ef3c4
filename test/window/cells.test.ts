import { setTimeout } from 'node:timers/promises';
import type { Browser, Locator, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { launchBrowser, shoot } from '../support/harness/browser.ts';
import { openDesk, type Desk } from '../support/harness/desk.ts';
import { rowsOf } from '../support/harness/node.ts';

const CUSTOMERS = `Name,Town,Since,Credit,Active
Fjellheim Båt AS,Bergen,2019-03-14,12500.50,yes
Gärtnerei Öhl,Köln,2021-11-02,830,yes
=HYPERLINK("x"),Porto,2020-01-20,99.9,no
Łódź Metal,Łódź,2024-06-30,410,yes
`;

/** What Excel puts on the clipboard, in a German office. */
const FROM_EXCEL = `<html xmlns:x="urn:schemas-microsoft-com:office:excel"><body><table>
<tr><td>Bäckerei  Jäger<br>Filiale Süd</td><td>Ulm</td><td>03.05.2026</td><td x:num="1234.5">1.234,50 €</td><td>ja</td></tr>
<tr><td>O’Hara &amp; Sons</td><td>Cork</td><td>31.12.2025</td><td x:num="77">77,00 €</td><td>nein</td></tr>
</table></body></html>`;

describe('cells of a list, many at a time', () => {
  let browser: Browser;
  let desk: Desk;
  let list = '';
  let grid: Locator;

  beforeAll(async () => {
    browser = await launchBrowser();
    desk = await openDesk(browser, 'North Trading');
    await desk.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  });
  afterAll(async () => {
    await browser.close();
    await desk.close();
  });
  let lists = 0;
  beforeEach(async () => {
    const name = `Customers ${String(++lists)}`;
    list = await desk.csv(name, CUSTOMERS);
    await desk.go(`#/lists/${list}`);
    grid = desk.page.getByRole('grid', { name });
    await cell(0, 0).getByText('Fjellheim').waitFor();
  });

  const cell = (row: number, column: number): Locator =>
    grid.locator(`[data-index="${String(row)}"] [data-column="${String(column)}"]`);
  const press = (...keys: string[]): Promise<void> =>
    keys.reduce((before, key) => before.then(() => desk.page.keyboard.press(key)), Promise.resolve());
  const stored = async (): Promise<Partial<Record<string, string>>[]> =>
    (await rowsOf(desk, list)).map((row) => ({ ...row, recordID: undefined }));
  const column = async (name: string): Promise<(string | undefined)[]> =>
    (await stored()).map((values) => values[name]);
  const names = (): Promise<(string | undefined)[]> => column('Name');
  const paste = (data: Record<string, string>): Promise<void> =>
    grid.evaluate((element, given) => {
      const clipboardData = new DataTransfer();
      for (const [type, text] of Object.entries(given)) clipboardData.setData(type, text);
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, data);
  const clipboard = (): Promise<Record<string, string>> =>
    desk.page.evaluate(async () => {
      const [item] = await navigator.clipboard.read();
      const entries = (item?.types ?? []).map(async (type): Promise<[string, string]> => [
        type,
        (await item?.getType(type).then((blob) => blob.text())) ?? '',
      ]);
      return Object.fromEntries(await Promise.all(entries));
    });

  it('are copied as spreadsheets read them, and no formula of a partner goes with them', async () => {
    const said: string[] = [];
    desk.page.on('console', (message) => said.push(message.text()));
    await cell(1, 0).click();
    await press('Shift+ArrowDown', 'Shift+ArrowRight', 'Shift+ArrowRight', 'Shift+ArrowRight', 'Control+c');
    await desk.sees('8 cells copied.');
    const copied = await clipboard();
    const lines = (copied['text/plain'] ?? '').split('\r\n');
    expect(lines).toEqual([
      'Gärtnerei Öhl\tKöln\t2021-11-02\t830',
      `"'=HYPERLINK(""x"")"\tPorto\t2020-01-20\t99.9`,
    ]);
    expect(copied['text/html']).toContain('mso-number-format');
    // Of each cell the browser would say that the page may give nothing a style.
    expect(said).toEqual([]);
  });

  it('go from one place of a list to another, below the last row as new ones, and come back with one key', async () => {
    const before = await stored();
    await cell(0, 0).click();
    await press('Shift+ArrowDown', 'Shift+End', 'Control+c');
    await cell(3, 0).click();
    await press('Control+v');
    await desk.sees('1 row changed. 1 row added.');
    await expect
      .poll(names)
      .toEqual(['Fjellheim Båt AS', 'Gärtnerei Öhl', '=HYPERLINK("x")', 'Fjellheim Båt AS', 'Gärtnerei Öhl']);
    const now = await stored();
    expect(now[3]).toEqual(before[0]);
    expect(now[4]).toEqual(before[1]);
    await desk.page.getByRole('button', { name: /^Undo: 1 row changed(,| and) 1 row added$/ }).waitFor();
    await press('Control+z');
    await expect.poll(stored).toEqual(before);
  });

  it('are cut: copied and emptied, and come back with one key', async () => {
    const before = await column('Town');
    await cell(0, 1).click();
    await press('Shift+ArrowDown', 'Control+x');
    await desk.sees('2 cells copied.');
    await expect.poll(() => column('Town')).toEqual([undefined, undefined, 'Porto', 'Łódź']);
    expect((await clipboard())['text/plain']).toBe('Bergen\r\nKöln');
    await desk.page.getByRole('button', { name: 'Undo: 2 rows changed' }).waitFor();
    await press('Control+z');
    await expect.poll(() => column('Town')).toEqual(before);
  });

  it('are copied and pasted where the focus is, whatever text was marked before', async () => {
    await desk.page.getByRole('heading', { level: 1 }).dblclick();
    await cell(1, 0).click();
    await press('Control+c');
    await desk.sees('1 cell copied.');
    await cell(0, 0).click();
    await press('Control+v');
    await desk.sees('1 row changed.');
    await expect.poll(names).toContain('Gärtnerei Öhl');
    expect(await names()).not.toContain('Fjellheim Båt AS');
  });

  it(
    'come in as a spreadsheet program has them on its clipboard: days, amounts, breaks',
    { tags: 'nightly-windows' },
    async () => {
      await cell(3, 0).click();
      await press('ArrowDown');
      await paste({ 'text/html': FROM_EXCEL, 'text/plain': 'not this' });
      await desk.sees('2 rows added.');
      expect((await stored()).slice(4)).toEqual([
        {
          Name: 'Bäckerei Jäger\nFiliale Süd',
          Town: 'Ulm',
          Since: '2026-05-03',
          Credit: '1234.5',
          Active: '1',
        },
        { Name: 'O’Hara & Sons', Town: 'Cork', Since: '2025-12-31', Credit: '77', Active: '' },
      ]);
    },
  );

  it('say which of their codes and times the columns change', async () => {
    const row = '<tr><td>Bo</td><td>Cork</td><td>2026-04-05 14:30</td><td x:num="1067">01067</td></tr>';
    const before = await stored();
    await cell(before.length - 1, 0).click();
    await press('ArrowDown');
    await paste({ 'text/html': `<table>${row}</table>` });
    await desk.sees('values such as these change: Credit (01067)');
    await desk.sees('times are left out: Since (2026-04-05 14:30)');
    await press('Control+z');
    await expect.poll(stored).toEqual(before);
    const named = '<td data-sheets-value=\'{"1":3,"3":1234}\'>1.234</td>';
    await cell(0, 3).click();
    await paste({ 'text/html': `<table><tr>${named}</tr></table>` });
    await expect.poll(() => column('Credit')).toContain('1234');
    await press('Control+z');
    await expect.poll(stored).toEqual(before);
    await paste({ 'text/plain': '1.234' });
    await desk.sees('the language of the window writes them: Credit (1.234 = 1.234)');
    await press('Control+z');
    await expect.poll(stored).toEqual(before);
  });

  it('keep the lines of their paragraphs, the amounts of Excel in another language, and the table of a mail', async () => {
    await cell(0, 0).click();
    const excel = '<style>table {mso-displayed-decimal-separator:"\\,";}</style>';
    const lines = '<p>Kern GmbH</p><div>Hauptstr. 1<br></div><ul><li>Ulm</li></ul>';
    const table = `<table><tr><td>${lines}</td><td>01067</td><td>2020-01-01</td><td>1.234</td></tr></table>`;
    await paste({ 'text/html': `${excel}<table><tr><td><p>Hello</p>${table}</td></tr></table>` });
    await expect
      .poll(async () => (await stored())[0])
      .toMatchObject({ Name: 'Kern GmbH\nHauptstr. 1\nUlm', Town: '01067', Credit: '1234' });
  });

  it('that do not fit are told before anything changes, and the rest goes in if one wants it', async () => {
    const before = await stored();
    await cell(0, 2).click();
    const text = '2022-02-02\t12\tyes\tno column\n2022-02-31\tmuch\tyes\tno column';
    await paste({ 'text/plain': text });
    await desk.sees('Some of it does not fit');
    await desk.sees('2 cells stay as they are:');
    await desk.sees(/^Line 2: Since: “2022-02-31”/);
    await desk.sees('1 column has no place to the right and is left out.');
    await press('Escape');
    expect(await stored()).toEqual(before);
    await paste({ 'text/plain': text });
    await desk.press('Put in what fits');
    await expect.poll(() => column('Credit')).toEqual(['12', '830', '99.9', '410']);
    expect(await column('Since')).toEqual(['2022-02-02', '2021-11-02', '2020-01-20', '2024-06-30']);
    expect(await column('Active')).toEqual(before.map(({ Active }, at) => (at === 1 ? '1' : Active)));
  });

  it(
    'that a program counts as numbers and shows as days or words do not become numbers',
    { tags: 'nightly-windows' },
    async () => {
      await cell(0, 3).click();
      const cells = [
        ['46023', '01.01.2026'],
        ['1', 'WAHR'],
        ['12.5', '12,50'],
      ] as const;
      const table = cells.map(([sdval, text]) => `<tr><td sdval="${sdval}">${text}</td></tr>`).join('');
      await paste({ 'text/html': `<table>${table}</table>` });
      await desk.sees('2 cells stay as they are:');
      await desk.sees(/^2 lines \(1, 2\), such as line 1: Credit: “01\.01\.2026” is no number/);
      await desk.press('Put in what fits');
      await expect.poll(() => column('Credit')).toEqual(['12500.50', '830', '12.5', '410']);
    },
  );

  it('that could not be undone are asked about before anything changes', async () => {
    const { page } = desk;
    const before = await stored();
    // Enough text for it would take long to draw; the unit tests have it.
    await page.route(`**/app/lists/${list}/cells`, async (route) => {
      const { undoable, trial } = z
        .object({ undoable: z.boolean().default(false), trial: z.boolean().default(false) })
        .parse(route.request().postDataJSON());
      const error = { code: 'undo.too-large', message: 'It is too large.' };
      if (undoable) return route.fulfill({ status: 409, json: { error } });
      const response = await route.fetch();
      const { response: answer } = z
        .object({ response: z.record(z.string(), z.unknown()) })
        .parse(await response.json());
      await route.fulfill({
        response,
        json: { response: trial ? { ...answer, stepSize: 16_000_001 } : answer },
      });
    });
    await cell(0, 1).click();
    await press('Shift+ArrowDown', 'Shift+ArrowDown', 'Delete');
    await desk.sees('This can’t be undone');
    await desk.sees('3 rows will be changed.');
    await shoot(page, 'too-large');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await stored()).toEqual(before);
    await press('Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Change anyway' }).click();
    await desk.sees('3 rows changed.');
    expect(await column('Town')).toEqual([undefined, undefined, undefined, 'Łódź']);
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('of many rows are asked about if they do not fit, and what was typed stays', async () => {
    const { page } = desk;
    const before = await stored();
    await cell(0, 0).click();
    await press('Control+a');
    await desk.press('Change …');
    const dialog = page.getByRole('dialog', { name: /^Change \d+ rows$/ });
    await dialog.getByLabel('Column').click();
    await page.getByRole('option', { name: 'Credit' }).click();
    await dialog.getByRole('textbox').fill('viel');
    await dialog.getByRole('button', { name: /^Change \d+ rows$/ }).click();
    await desk.sees('4 cells stay as they are:');
    await page.getByRole('dialog').last().getByRole('button', { name: 'Cancel' }).click();
    expect(await dialog.getByRole('textbox').inputValue()).toBe('viel');
    expect(await stored()).toEqual(before);
    await press('Escape');
    await desk.press('Discard');
  });

  it('of many rows are asked about before what was typed is dropped by Escape', async () => {
    await cell(0, 0).click();
    await press('Control+a');
    await desk.press('Change …');
    const dialog = desk.page.getByRole('dialog', { name: /^Change \d+ rows$/ });
    await dialog.getByRole('textbox').fill('viel');
    await press('Escape');
    await desk.press('Keep editing');
    expect(await dialog.getByRole('textbox').inputValue()).toBe('viel');
    expect(await dialog.getByRole('textbox').evaluate((field) => field === document.activeElement)).toBe(
      true,
    );
    await press('Escape');
    await desk.press('Discard');
  });

  it('that are pasted leave the cursor where the user has gone meanwhile', async () => {
    const asked = new Promise<Route>((resolve) => {
      void desk.page.route(`**/app/lists/${list}/cells`, resolve, { times: 1 });
    });
    await cell(0, 0).click();
    await paste({ 'text/plain': 'P1\nP2' });
    const route = await asked;
    await cell(3, 1).click();
    await route.continue();
    await desk.sees('2 rows changed.');
    await desk.page.keyboard.type('Ulm');
    await press('Enter');
    await expect.poll(async () => (await column('Town')).at(3)).toBe('Ulm');
    expect((await names()).slice(0, 2)).toEqual(['P1', 'P2']);
  });

  it('that do not fit are asked about once nobody types', async () => {
    const asked = new Promise<Route>((resolve) => {
      void desk.page.route(`**/app/lists/${list}/cells`, resolve, { times: 1 });
    });
    await cell(0, 3).click();
    await paste({ 'text/plain': '11\nmuch' });
    const route = await asked;
    await cell(3, 1).click();
    await desk.page.keyboard.type('Salz');
    await route.continue();
    await desk.page.keyboard.type('burg an der Salzach', { delay: 40 });
    await press('Tab');
    await desk.page.keyboard.type('2020-02-02', { delay: 40 });
    await press('Enter');
    await desk.sees('Some of it does not fit');
    await desk.press('Put in what fits');
    await expect.poll(async () => (await column('Credit')).at(0)).toBe('11');
    expect((await stored())[3]).toMatchObject({ Town: 'Salzburg an der Salzach', Since: '2020-02-02' });
  });

  describe('in a long list', () => {
    const TOWNS = Array.from({ length: 450 }, (_, at) => `Town ${String(at)}`);

    beforeEach(async () => {
      const name = `Towns ${String(lists)}`;
      list = await desk.csv(
        name,
        ['Name,Town', ...TOWNS.map((town, at) => `Row ${String(at)},${town}`)].join('\n'),
      );
      await desk.go(`#/lists/${list}`);
      grid = desk.page.getByRole('grid', { name });
      await cell(0, 0).getByText('Row 0').waitFor();
    });
    afterEach(() => desk.page.unrouteAll({ behavior: 'wait' }));

    /** Rows come late from now on. */
    async function delayRows(): Promise<void> {
      await desk.page.route(`**/app/lists/${list}/rows?*`, async (route) => {
        await setTimeout(400);
        await route.continue();
      });
    }

    it('are undone at once after they were emptied, filled down, pasted into or cut, and nothing older is', async () => {
      await cell(0, 0).click();
      await desk.page.keyboard.type('Typed');
      await press('Enter');
      await expect.poll(async () => (await names()).at(0)).toBe('Typed');
      await delayRows();
      for (const keys of ['Delete', 'Control+d', 'Control+x']) {
        await cell(1, 1).click();
        await press('Control+Shift+ArrowDown', keys, 'Control+z', 'Control+Home');
        await desk.sees(/^Undone: 44[89] rows changed/);
        expect(await column('Town'), keys).toEqual(TOWNS);
        expect((await names()).at(0), keys).toBe('Typed');
        await desk.page.reload();
        await cell(0, 0).getByText('Typed').waitFor();
      }
    });

    it('are all ticked before they are deleted', async () => {
      await delayRows();
      await cell(1, 0).click();
      await press('Control+a', 'Delete', 'Control+z');
      await desk.sees('Undone: 450 rows deleted');
      expect((await names()).slice(0, 2)).toEqual(['Row 0', 'Row 1']);
    });

    it('are edited on where they are when they are scrolled away', async () => {
      await cell(2, 0).click();
      await desk.page.keyboard.type('New');
      await grid.evaluate((element) => element.scrollTo(0, 12_000));
      await cell(380, 0).waitFor();
      await desk.page.keyboard.type(' name');
      await press('Tab');
      await desk.page.keyboard.type('Graz');
      await press('Enter');
      await expect.poll(async () => (await stored()).at(2)).toMatchObject({ Name: 'New name', Town: 'Graz' });
    });

    it('take all letters that are typed before their row is loaded', async () => {
      await delayRows();
      await cell(0, 0).click();
      await press('Control+ArrowDown');
      await desk.page.keyboard.type('Lisbon', { delay: 120 });
      await press('Enter');
      await expect.poll(async () => (await names()).at(449)).toBe('Lisbon');
    });
  });

  it('are filled down, and emptied', async () => {
    await cell(0, 1).click();
    await press('Shift+ArrowDown', 'Shift+ArrowDown', 'Control+d');
    await expect.poll(() => column('Town')).toEqual(['Bergen', 'Bergen', 'Bergen', 'Łódź']);
    await press('Delete');
    await expect.poll(() => column('Town')).toEqual([undefined, undefined, undefined, 'Łódź']);
  });

  it('of one column are changed in all ticked rows', { tags: 'nightly-windows' }, async () => {
    await cell(0, 0).click();
    await press('Space', 'ArrowDown', 'ArrowDown', 'Shift+Space');
    await desk.press('Change …');
    await desk.choose(/^Column$/, 'Town');
    await desk.page.getByRole('dialog').getByRole('textbox').fill('Oslo');
    await desk.press('Change 3 rows');
    await expect.poll(() => column('Town')).toEqual(['Oslo', 'Oslo', 'Oslo', 'Łódź']);
  });

  it('behind the last row become a new row, one after the other as one writes', async () => {
    await cell(3, 0).click();
    await press('ArrowDown');
    for (const name of ['Rossi & Figli', 'Nové Město']) {
      await desk.page.keyboard.type(name);
      await press('Enter');
    }
    await expect
      .poll(names)
      .toEqual([
        'Fjellheim Båt AS',
        'Gärtnerei Öhl',
        '=HYPERLINK("x")',
        'Łódź Metal',
        'Rossi & Figli',
        'Nové Město',
      ]);
    await press('Control+z', 'Control+z');
    await expect.poll(async () => (await names()).length).toBe(4);
  });

  it(
    'that are merged over lines are pasted into each of these lines, and of columns into the first',
    { tags: 'nightly-windows' },
    async () => {
      await cell(0, 0).click();
      const merged =
        '<table><tr><td rowspan="2">Zweigstelle</td><td colspan="2">Ulm</td></tr><tr><td>Wien</td></tr></table>';
      await paste({ 'text/html': merged, 'text/plain': 'not this' });
      await expect
        .poll(async () => (await stored()).slice(0, 2))
        .toMatchObject([
          { Name: 'Zweigstelle', Town: 'Ulm' },
          { Name: 'Zweigstelle', Town: 'Wien' },
        ]);
    },
  );

  it(
    'are no more than a list could take, however many places a few of them say that they span',
    { tags: 'nightly-windows' },
    async () => {
      await cell(0, 0).click();
      const spanning = '<td rowspan="500" colspan="500">x</td>'.repeat(40);
      await paste({ 'text/html': `<table><tr>${spanning}</tr><tr><td>y</td></tr></table>` });
      await desk.sees('995 columns have no place to the right and are left out.');
      await press('Escape');
    },
  );

  it('are written on into a new row that the node has not answered yet, and no letter is lost', async () => {
    await cell(3, 0).click();
    await press('ArrowDown');
    const asked = new Promise<Route>((resolve) => {
      void desk.page.route(`**/app/lists/${list}/rows`, resolve, { times: 1 });
    });
    await desk.page.keyboard.type('Rossi & Figli');
    await press('Tab');
    await desk.page.keyboard.type('Graz');
    await press('Tab', 'ArrowRight');
    await desk.page.keyboard.type('77');
    await press('Enter');
    await (await asked).continue();
    await expect
      .poll(async () => (await stored()).slice(4))
      .toEqual([{ Name: 'Rossi & Figli', Town: 'Graz', Credit: '77' }]);
  });

  it('take characters that are typed with AltGr or Option, also as the first one, and no commands for them', async () => {
    for (const [row, key, ctrlKey] of [
      [0, 'Ł', true],
      [1, '@', false],
      [2, 'x', true],
    ] as const) {
      await cell(row, 0).click();
      await grid.evaluate(
        (element, given) => {
          const typed = { ...given, altKey: true, bubbles: true, cancelable: true };
          element.dispatchEvent(new KeyboardEvent('keydown', typed));
        },
        { key, ctrlKey },
      );
      await desk.page.keyboard.type('odz');
      await press('Enter');
    }
    await expect.poll(names).toEqual(['Łodz', '@odz', 'odz', 'Łódź Metal']);
  });

  it('of yes/no take y and n, and no other letter', async () => {
    await cell(0, 4).click();
    await desk.page.keyboard.type('no');
    await press('ArrowDown');
    await desk.page.keyboard.type('x');
    await press('ArrowDown');
    await desk.page.keyboard.type('yes');
    await press('ArrowDown', 'ArrowDown');
    await desk.page.keyboard.type('n');
    await press('ArrowUp', 'Enter');
    await expect.poll(() => column('Active')).toEqual([undefined, '1', '1', undefined]);
  });

  it('that open the details take what is typed in each row', async () => {
    const { page } = desk;
    const name = `Places ${String(++lists)}`;
    const fields = [{ label: 'Tags', name: 'Tags', kind: 'String', isMulti: true }];
    list = (await desk.app<{ moduleID: string }>('POST', '/app/lists', { name, fields })).moduleID;
    for (const tag of ['one', 'two'])
      await desk.app('POST', `/app/lists/${list}/rows`, { values: { Tags: [tag] } });
    await desk.go(`#/lists/${list}`);
    grid = page.getByRole('grid', { name });
    for (const row of [1, 0]) {
      await cell(row, 0).click();
      await press('Enter');
      await page.keyboard.type(' more');
      await press('Tab');
    }
    await expect.poll(() => column('Tags')).toEqual(['one more', 'two more']);
  });

  it('hold days as the language writes them, typed or taken from the calendar', async () => {
    await desk.app('PATCH', '/app/settings', { language: 'de' });
    await desk.page.reload();
    await cell(0, 2).getByText('14.03.2019').waitFor();
    await cell(0, 2).click();
    await desk.page.keyboard.type('9.5.31');
    await press('Enter');
    await expect.poll(() => column('Since')).toContain('2031-05-09');
    await cell(1, 2).dblclick();
    const editor = grid.getByRole('textbox');
    expect(await editor.inputValue()).toBe('02.11.2021');
    await grid.getByRole('button', { name: 'Datum auswählen' }).click();
    await shoot(desk.page, 'calendar');
    await grid.locator('input[type=date]').fill('2024-02-29');
    expect(await editor.inputValue()).toBe('29.02.2024');
    // The calendar closes, and then the editor.
    await press('Escape', 'Escape');
    await editor.waitFor({ state: 'detached' });
    expect(await column('Since')).toContain('2021-11-02');
    await cell(1, 2).dblclick();
    await grid.getByRole('button', { name: 'Datum auswählen' }).click();
    await grid.locator('input[type=date]').fill('2024-02-29');
    await press('Escape');
    await editor.press('Enter');
    await expect.poll(() => column('Since')).toContain('2024-02-29');
    await desk.press('Details');
    await shoot(desk.page, 'calendar-details');
    const since = desk.page.getByRole('complementary').getByLabel('Since', { exact: true });
    await since.fill('1.3.2024');
    await desk.page
      .getByRole('complementary')
      .locator('input[type=date]')
      .evaluate((picker) => {
        if (picker instanceof HTMLInputElement) picker.value = '2024-02-28';
        picker.dispatchEvent(new Event('input', { bubbles: true }));
      });
    expect(await since.inputValue()).toBe('28.02.2024');
    await since.press('Tab');
    await expect.poll(() => column('Since')).toContain('2024-02-28');
    // What is no day is said, and nothing changes.
    await since.fill('30.2.2024');
    await since.press('Tab');
    await desk.page
      .getByText(/ist kein Datum/)
      .first()
      .waitFor();
    expect(await column('Since')).toContain('2024-02-28');
  });

  it('are filtered in words of the language, with its quotation marks', async () => {
    const { page } = desk;
    await page.reload();
    await page.getByRole('columnheader', { name: 'Town' }).getByRole('button').first().click();
    await page.getByRole('menuitem', { name: 'Filtern …' }).click();
    await page.getByRole('dialog').getByLabel('Wert', { exact: true }).fill('Graz');
    await page.getByRole('button', { name: 'Diese Zeilen zeigen' }).click();
    await page.getByRole('button', { name: 'Filter entfernen: Town enthält „Graz“' }).click();
    await desk.app('PATCH', '/app/settings', { language: 'en' });
    await page.reload();
  });
});
