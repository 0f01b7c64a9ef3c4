import { readXlsx, writeXlsx, type CellValue } from 'hucre/xlsx';
import type { Browser, Locator, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, photograph, savedBytes } from '../support/harness/browser.ts';
import { dropCsv } from '../support/reading/drop.ts';
import { openDesk, type Desk } from '../support/harness/desk.ts';
import { rowsOf } from '../support/harness/node.ts';

const FIRST = `Code;Product;Price;In stock
A1;Tea;3.20;yes
A2;Coffee;soon;no
A3;Rye bread;2.10;yes
A4;too;many;cells;here
`;
const SECOND = `code,Product name,Price,Colour
A1,Green tea,3.20,green
A3,Rye bread,2.10,brown
A9,Jam,4.00,red
`;

/** Into a new list nothing is there already. */
const FOUND_BY = /^(Column that identifies a row|Find rows that are already there by)/;

/** Files on their way in and out, as a user brings them. */
describe('files of rows', () => {
  let browser: Browser;
  let desk: Desk;
  let list = '';

  beforeAll(async () => {
    browser = await launchBrowser();
    desk = await openDesk(browser, 'North Trading');
  });
  afterAll(async () => {
    await browser.close();
    await desk.close();
  });

  const field = (name: string | RegExp): Locator => desk.page.getByRole('combobox', { name });

  const drop = (name: string, text: string): Promise<void> => dropCsv(desk.page, name, text);

  it('a dropped file is shown before it goes in: columns, kinds, examples, lines that cannot', async () => {
    await desk.go('#/lists');
    await desk.page.getByRole('link', { name: 'Import a file' }).click();
    await drop('our_products.csv', FIRST);
    await desk.sees('our_products.csv');
    expect(await desk.page.getByLabel('Name of the list').inputValue()).toBe('our products');
    await desk.page.getByRole('row', { name: /^Product .*Tea.*Coffee/ }).waitFor();
    await expect.poll(() => field('Kind of “In stock”').innerText()).toBe('Yes or no');
    await desk.sees('1 line can’t be imported');
    await desk.sees(/Line 5: /);
  });

  it('kinds can be set; what does not fit is told with its line, the rest goes in', async () => {
    await desk.choose('Kind of “Price”', 'Number');
    // The kind, and as what its numbers are shown: two fields, which do not touch.
    const fields = desk.page.getByRole('row', { name: /^Price/ }).getByRole('combobox');
    await expect.poll(() => fields.count()).toBe(2);
    await desk.choose(/^How the numbers of “Price”/, 'As entered: 3.20');
    const [kind, format] = await Promise.all([fields.first().boundingBox(), fields.last().boundingBox()]);
    expect((format?.y ?? 0) - (kind?.y ?? 0) - (kind?.height ?? 0)).toBeGreaterThan(2);
    await desk.choose(FOUND_BY, 'Code');
    await desk.press('Import 3 rows');
    await desk.sees('2 rows added');
    await desk.sees('2 lines can’t be imported');
    await desk.sees(/Line 3: .*Price.*soon/);
    await desk.sees(/Line 5: /);
    await desk.page.getByRole('link', { name: 'Open the list' }).click();
    await desk.page.getByRole('gridcell', { name: 'Rye bread' }).waitFor();
    [list = ''] = /\d{10,}/.exec(desk.page.url()) ?? [];
    const rows = await rowsOf(desk, list);
    expect(rows.map((row) => Object.values(row).slice(1))).toEqual([
      ['A1', 'Tea', '3.20', '1'],
      ['A3', 'Rye bread', '2.10', '1'],
    ]);
  });

  it('another file goes into the same list: columns matched, rows found by the key', async () => {
    await desk.page.getByRole('link', { name: 'Import a file' }).click();
    await desk.page.locator('input[type=file]').setInputFiles({
      name: 'news.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(SECOND),
    });
    await desk.sees('news.csv');
    // Found by name whatever its case; the others say where they go, or nowhere.
    await expect.poll(() => field('Where “code” goes').innerText()).toBe('Code');
    await expect.poll(() => field('Where “Colour” goes').innerText()).toBe('nowhere');
    await desk.sees('2 columns aren’t imported: Product name and Colour');
    await desk.choose('Where “Product name” goes', 'Product');
    await desk.sees('1 column isn’t imported: Colour');
    await desk.sees('add 1 row · change 1 row · leave 1 row as it is');
    await desk.press('Import 3 rows');
    await desk.sees('1 row added · 1 row updated · 1 row unchanged');
    const rows = await rowsOf(desk, list);
    expect(rows.map(({ Product, In_stock }) => [Product, In_stock])).toEqual([
      ['Green tea', '1'],
      ['Rye bread', '1'],
      ['Jam', undefined],
    ]);
  });

  it('a file of another office: letters and separator can be set right', async () => {
    await desk.press('Import another file');
    const bytes = Buffer.from('Name|Town\nK\u00f6hler|Z\u00fcrich\n', 'latin1');
    await desk.page.locator('input[type=file]').setInputFiles({
      name: 'old.csv',
      mimeType: 'text/csv',
      buffer: bytes,
    });
    await desk.choose('Put the rows into', 'A new list');
    await desk.page.getByText('Do letters, columns, numbers or dates look wrong?').click();
    await expect.poll(() => field('Columns are separated by').innerText()).toBe('Bar |');
    await desk.choose('Character set', 'WINDOWS-1252');
    await desk.page.getByRole('cell', { name: 'Köhler' }).waitFor();
    await desk.choose('Put the rows into', 'A new list');
    await desk.press('Import 1 row');
    await desk.page.getByRole('link', { name: 'Open the list' }).click();
    await desk.page.getByRole('gridcell', { name: 'Köhler' }).waitFor();
  });

  it('numbers and days that can be read in two ways are read as the user says', async () => {
    await desk.go('#/lists/import');
    await drop('ambiguous.csv', 'Name,Sum,Day\nKettle,"1,234",3/4/2024\n');
    await desk.choose('Put the rows into', 'A new list');
    await desk.page.getByText('Do letters, columns, numbers or dates look wrong?').click();
    await desk.choose(/^Decimal sign$/, 'a comma: 1234,50');
    await desk.page.getByRole('row', { name: /^Sum .*1,234 → 1\.234/ }).waitFor();
    await desk.choose('Order of dates', 'day, month, year: 31.1.2026');
    await desk.page.getByRole('row', { name: /^Day .*3\/4\/2024 → 3 Apr 2024/ }).waitFor();
    await desk.choose('Put the rows into', 'A new list');
    await desk.press('Import 1 row');
    await desk.page.getByRole('link', { name: 'Open the list' }).click();
    await desk.page.getByRole('gridcell', { name: '3 Apr 2024' }).waitFor();
    await desk.page.getByRole('gridcell', { name: '1.234' }).waitFor();
  });

  it(
    'what is chosen while the file is read anew stays, however long that takes',
    { tags: 'nightly-windows' },
    async () => {
      await desk.go('#/lists');
      await desk.page.getByRole('link', { name: 'Import a file' }).click();
      await drop('slow.csv', 'Name,Sum,Day\nKettle,"1,234",3/4/2024\n');
      await desk.page.getByText('Do letters, columns, numbers or dates look wrong?').click();
      const asked = new Promise<Route>((resolve) => {
        void desk.page.route('**/app/import/preview*', resolve, { times: 1 });
      });
      await desk.choose(/^Decimal sign$/, 'a comma: 1234,50');
      const reading = await asked;
      await desk.page.getByLabel('Name of the list').fill('Kettles');
      await desk.choose('Kind of “Name”', 'Web address');
      await field('Order of dates').click();
      const option = desk.page.getByRole('option', { name: 'day, month, year: 31.1.2026' });
      await option.waitFor();
      const answered = desk.page.waitForResponse('**/app/import/preview*');
      await reading.continue();
      await (await answered).finished();
      await desk.page.evaluate(() => new Promise(requestAnimationFrame));
      await option.click();
      await expect.poll(() => field('Order of dates').innerText()).toBe('day, month, year: 31.1.2026');
      expect(await desk.page.getByLabel('Name of the list').inputValue()).toBe('Kettles');
      expect(await field('Kind of “Name”').innerText()).toBe('Web address');
      expect(await field(/^Decimal sign$/).innerText()).toBe('a comma: 1234,50');
      await desk.press('Cancel');
    },
  );

  it(
    'rows are found by several columns together: proposed where none does alone, and to be chosen otherwise',
    { tags: 'nightly-windows' },
    async () => {
      const key = FOUND_BY;
      await desk.go('#/lists');
      await desk.page.getByRole('link', { name: 'Import a file' }).click();
      await drop('order_lines.csv', 'Order,Product,Pieces,Unit\n1,tea,4,box\n1,jam,4,jar\n2,tea,6,box\n');
      await expect.poll(() => field(key).innerText()).toBe('Order');
      await expect.poll(() => field('Another column').first().innerText()).toBe('Product');
      await desk.choose('Another column', 'No other column');
      await expect.poll(() => field('Another column').count()).toBe(1);
      await desk.choose('Another column', 'Product');
      await desk.press('Import 3 rows');
      await desk.sees('3 rows added');
      await desk.press('Import another file');
      await drop('order_lines.csv', 'Order,Product,Pieces,Unit\n1,tea,4,box\n1,jam,5,jar\n2,jam,1,jar\n');
      await desk.choose('Put the rows into', 'order lines');
      await expect.poll(() => field('Another column').first().innerText()).toBe('Product');
      await desk.sees('add 1 row · change 1 row · leave 1 row as it is');
      await desk.press('Cancel');
    },
  );

  it('an empty file is refused with what to do', async () => {
    await desk.go('#/lists/import');
    await drop('nothing.csv', '');
    await desk.sees('This file is empty. Choose one with column names and data.');
    await desk.page.getByText('Drop a spreadsheet (xlsx, ods) or CSV file here').waitFor();
  });

  it('a list is saved as a file that can be brought in again', async () => {
    await desk.go(`#/lists/${list}`);
    const saving = desk.page.waitForEvent('download');
    await desk.press('Export');
    await desk.page.getByRole('menuitem', { name: 'As CSV' }).click();
    const file = await saving;
    expect(file.suggestedFilename()).toBe('our products.csv');
    const text = (await savedBytes(file)).toString();
    expect(text).toContain('Green tea');
    await desk.go(`#/lists/import?into=${list}`);
    await drop('again.csv', text);
    await desk.press('Import 3 rows');
    await desk.sees('0 rows added · 0 rows updated · 3 rows unchanged');
  });

  it(
    'lines become rows of their own where that is chosen, also in a list whose rows were found by a column',
    { tags: 'nightly-windows' },
    async () => {
      await desk.go(`#/lists/${list}`);
      const before = (await rowsOf(desk, list)).length;
      await desk.page.getByRole('link', { name: 'Import a file' }).click();
      await drop('more.csv', 'Code,Product\nA1,Chai\nA3,Crispbread\n');
      const found = field(FOUND_BY);
      await expect.poll(() => found.innerText()).toBe('Code');
      await desk.choose(FOUND_BY, 'None: add every line as a new row');
      await desk.press('Import 2 rows');
      await desk.sees('2 rows added · 0 rows updated');
      expect(await rowsOf(desk, list)).toHaveLength(before + 2);

      await desk.page.getByRole('button', { name: 'Import another file' }).click();
      await drop('names.csv', 'Product\nHoney\n');
      await expect.poll(() => found.innerText()).toBe('None: add every line as a new row');
      await desk.press('Import 1 row');
      await desk.sees('1 row added · 0 rows updated');
    },
  );

  it('a sheet of a workbook goes in as it is, is named where it changed rows, and comes out as a workbook', async () => {
    const rows: CellValue[][] = [
      ['Deliveries of the autumn'],
      [],
      ['Number', 'Firm', 'Weight', 'Day', 'Harbour'],
      [101, 'Bäckerei Groß', 12.5, new Date('2026-10-31T00:00:00Z'), 'Gdynia'],
      [102, '=Łódź & Co', 1234.75, new Date('2026-11-02T00:00:00Z')],
    ];
    const sheets = [
      { name: 'Notes', rows: [['Call the harbour']] },
      {
        ...{ name: 'Deliveries', rows, columns: [{}, {}, { numFmt: '0%' }, {}] },
        merges: [{ startRow: 3, startCol: 4, endRow: 4, endCol: 4 }],
      },
    ];
    const bring = async (name: string): Promise<void> => {
      const input = desk.page.locator('input[type="file"]');
      await input.setInputFiles({ name, mimeType: '', buffer: Buffer.from(await writeXlsx({ sheets })) });
      await desk.choose('Sheet', 'Deliveries');
      // It is read anew, and everything below it with it.
      await desk.sees('Column names come from line 3');
    };
    await desk.go('#/lists/import');
    await bring('autumn.xlsx');
    await desk.sees('1 cell is merged over several lines: each line gets its value.');
    await expect.poll(() => field('How the numbers of “Weight” are shown').innerText()).toBe('Percent: 12%');
    await expect.poll(() => field('Kind of “Day”').innerText()).toBe('Date only');
    await desk.choose(FOUND_BY, 'Number');
    await desk.press('Import 2 rows');
    await desk.sees('2 rows added');

    rows[4] = [102, 'Łódź & Co', 1300, new Date('2026-11-02T00:00:00Z')];
    await desk.press('Import another file');
    await bring('corrected.xlsx');
    await desk.choose('Put the rows into', 'autumn');
    await desk.press('Import 2 rows');
    await desk.sees('0 rows added · 1 row updated · 1 row unchanged');
    await desk.page.getByRole('link', { name: 'Open the list' }).click();
    await desk.page.getByRole('gridcell', { name: 'Łódź & Co' }).click();
    await desk.press('Details');
    const past = desk.page.getByRole('complementary', { name: 'Details' }).getByRole('listitem');
    expect(await past.first().innerText()).toMatch(/From the file corrected\.xlsx[^]*=Łódź & Co[^]*123,475%/);
    expect(await past.last().innerText()).toMatch(/From the file autumn\.xlsx/);

    const saving = desk.page.waitForEvent('download');
    await desk.press('Export');
    await desk.page.getByRole('menuitem', { name: 'As a spreadsheet (xlsx)' }).click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toBe('autumn.xlsx');
    const [sheet] = (await readXlsx(await savedBytes(saved))).sheets;
    expect(sheet?.rows).toEqual([rows[2], rows[3], [...rows[4], 'Gdynia']]);
  });

  it(
    'shows percent and currencies as the sheet did, and leaves out the line that adds up the others unless told otherwise',
    { tags: 'nightly-windows' },
    async () => {
      const rows: CellValue[][] = [
        ['Bestellung', 'Artikel', 'Rabatt', 'Preis'],
        ['B-1', 'Äpfel', 0.125, 1234.5],
        ['B-1', 'Öl', 0.07, 8.25],
        ['B-2', 'Öl', 0.125, 8.25],
        ['Summe', null, null, 1251],
      ];
      const columns = [{}, {}, { numFmt: '0.0%' }, { numFmt: '#,##0.00\\ [$€-407]' }];
      await desk.go('#/lists');
      await desk.go('#/lists/import');
      const input = desk.page.locator('input[type="file"]');
      const buffer = Buffer.from(await writeXlsx({ sheets: [{ name: 'S', rows, columns }] }));
      await input.setInputFiles({ name: 'orders.xlsx', mimeType: '', buffer });
      const out = desk.page.getByLabel('Leave out a line that looks like a total or a footer: Line 5: Summe');
      expect(await out.isChecked()).toBe(true);
      await expect.poll(() => field(FOUND_BY).innerText()).toBe('Bestellung');
      await desk.sees('Import 3 rows');
      await out.uncheck();
      await desk.sees('Import 4 rows');
      await out.check();
      await expect
        .poll(() => field('How the numbers of “Rabatt” are shown').innerText())
        .toBe('Percent: 12.0%');
      // A workbook keeps 0.125 and 1234.5; what its user knows are 12.5% and an amount.
      for (const text of ['12.5% · 7.0% · 12.5%', '€1,234.50 · €8.25 · €8.25'])
        await desk.page.getByRole('cell', { name: text }).waitFor();
      await desk.choose('How the numbers of “Rabatt” are shown', 'Percent: 12%');
      await desk.page
        .getByLabel('How the numbers of “Preis” are shown: sign or code of the currency')
        .fill('EUR');
      await desk.press('Import 3 rows');
      await desk.page.getByRole('link', { name: 'Open the list' }).click();
      for (const text of ['12.5%', '7%', 'EUR 1,234.50', 'EUR 8.25']) await desk.sees(text);
      const cell = desk.page.getByRole('gridcell', { name: '7%', exact: true });
      await cell.dblclick();
      await desk.page.keyboard.type('9');
      await desk.page.keyboard.press('Enter');
      await desk.sees('9%');
    },
  );

  it(
    'a file of which no line can go in is not offered to be imported',
    { tags: 'nightly-windows' },
    async () => {
      const rows = [
        ['Bestellung', 'Artikel', 'Preis'],
        ['B-1', 'Äpfel', 1234.5],
      ];
      const columns = [{}, {}, { numFmt: '[$$-409]#,##0.00' }];
      await desk.page.getByRole('link', { name: 'Import a file' }).click();
      const buffer = Buffer.from(await writeXlsx({ sheets: [{ name: 'S', rows, columns }] }));
      await desk.page
        .locator('input[type="file"]')
        .setInputFiles({ name: 'dollars.xlsx', mimeType: '', buffer });
      await desk.page.getByRole('cell', { name: '$1,234.50' }).waitFor();
      await desk.sees('1 line can’t be imported');
      const run = (name: string): Locator => desk.page.getByRole('button', { name });
      await expect.poll(() => run('Import 0 rows').isDisabled()).toBe(true);
      await desk.choose('Where “Preis” goes', 'nowhere');
      // What is to go nowhere is not read, though a column of the list is called the same.
      await desk.sees('leave 1 row as it is');
      await expect.poll(() => run('Import 1 row').isDisabled()).toBe(false);
    },
  );

  it(
    'nothing is said to be imported before it is known, nor where nothing was',
    { tags: 'nightly-windows' },
    async () => {
      const asked: Route[] = [];
      await desk.page.route('**/import/trial?**', (route) => void asked.push(route));
      await desk.go('#/lists');
      await desk.page.getByRole('link', { name: 'Import a file' }).click();
      await drop('prices.csv', 'Bestellung,Artikel\nC-1,Mehl\n');
      await desk.choose('Put the rows into', 'orders');
      const waits = desk.page.getByRole('button', { name: 'Checking …' });
      await expect.poll(() => asked.length).toBe(1);
      expect(await waits.isDisabled()).toBe(true);
      await asked[0]?.continue();
      await desk.page.unrouteAll({ behavior: 'wait' });
      await desk.press('Import 1 row');
      await desk.page.getByRole('heading', { name: 'Imported' }).waitFor();
      await desk.press('Import another file');
      await drop('prices.csv', 'Bestellung,Artikel\nC-1,Mehl\n');
      await desk.choose('Put the rows into', 'orders');
      await expect.poll(() => field(FOUND_BY).first().innerText()).toBe('Bestellung');
      await desk.press('Import 1 row');
      await desk.page.getByRole('heading', { name: 'Nothing new in this file' }).waitFor();
      expect(await desk.page.getByRole('heading', { name: 'Imported' }).count()).toBe(0);
    },
  );

  it(
    'what is the matter with many lines is told once, and line by line for whoever asks',
    { tags: 'nightly-windows' },
    async () => {
      const rows = [
        ['Bestellung', 'Artikel', 'Preis'],
        ...Array.from({ length: 30 }, (_, at) => [`D-${at}`, 'Äpfel', at + 0.5]),
      ];
      const columns = [{}, {}, { numFmt: '[$$-409]#,##0.00' }];
      await desk.press('Import another file');
      const buffer = Buffer.from(await writeXlsx({ sheets: [{ name: 'S', rows, columns }] }));
      await desk.page
        .locator('input[type="file"]')
        .setInputFiles({ name: 'dollars.xlsx', mimeType: '', buffer });
      await desk.choose('Put the rows into', 'orders');
      await desk.sees('30 lines can’t be imported');
      await desk.sees(
        /^30 lines \(2, 3, 4, 5, 6 …\), such as line 2: Preis: “0.5 \$” stands in another unit/,
      );
      const last = desk.page.getByText(/^Line 31: Preis: “29.5 \$”/);
      expect(await last.isVisible()).toBe(false);
      await desk.page.getByText('Show each line').click();
      await expect.poll(() => last.isVisible()).toBe(true);
    },
  );

  it(
    'is not said to be imported where no line went in, or nothing was news',
    { tags: 'nightly-windows' },
    async () => {
      await desk.go('#/lists');
      await desk.go('#/lists/import');
      const first = 'Code;Price\nA1;3.20\nA3;2.10\n';
      await drop('prices.csv', first);
      await expect.poll(() => field(FOUND_BY).innerText()).toBe('Code');
      await desk.press('Import 2 rows');
      await desk.page.getByRole('heading', { name: 'Imported' }).waitFor();
      // What the file would do was found out before somebody changed the list.
      const found = {
        ...{ moduleID: list, created: 2, updated: 0, unchanged: 0, sums: [], notes: [] },
        ...{ rejected: [], rejectedLines: 0, reasons: [], doubts: [], ignored: [], emptied: [] },
      };
      await desk.page.route('**/app/import/trial?*', (route) => route.fulfill({ json: { response: found } }));
      const importAgain = async (csv: string): Promise<void> => {
        await desk.press('Import another file');
        await drop('prices.csv', csv);
        await desk.choose('Put the rows into', /^prices/);
        await desk.press('Import 2 rows');
      };
      await importAgain(first);
      await desk.page.getByRole('heading', { name: 'Nothing new in this file' }).waitFor();
      await importAgain('Code;Price\nA1;soon\nA3;later\n');
      await desk.page.getByRole('heading', { name: 'No rows imported' }).waitFor();
      await desk.page.unrouteAll({ behavior: 'wait' });
    },
  );

  it(
    'proposes to leave out sums among the rows, each by its line, and does as the user says of each',
    { tags: 'nightly-windows' },
    async () => {
      const csv =
        'Region;Kunde;Umsatz\nNord;Aral;5\nNord;BP;7\nNord gesamt;;12\nSüd;Shell;9\nSüd gesamt;;9\nSumme netto;;21\n';
      await desk.go('#/lists');
      await desk.go('#/lists/import');
      await drop('regions.csv', csv);
      const all = desk.page.getByLabel(
        /^Leave out 3 lines that look like totals or footers: Line 4: Nord gesamt, Line 6: Süd gesamt.* Line 7: Summe netto/,
      );
      expect(await all.isChecked()).toBe(true);
      await desk.sees('Import 3 rows');
      await desk.page.getByText('Choose among them').click();
      await desk.page.getByLabel('Line 6: Süd gesamt', { exact: true }).uncheck();
      await desk.press('Import 4 rows');
      await desk.sees('4 rows added');
      await desk.page.getByRole('link', { name: 'Open the list' }).click();
      await desk.page.getByRole('gridcell', { name: 'Süd gesamt' }).waitFor();
    },
  );

  it(
    'a new list never goes into one that is called so, which has other columns',
    { tags: 'nightly-windows' },
    async () => {
      await desk.go('#/lists');
      await desk.go('#/lists/import');
      await drop('prices.csv', 'Code;Price;Remark;Since\nA1;9.90;new;2026-05-04\n');
      await desk.press('Import 1 row');
      await desk.sees('There is a list “prices” in this workspace already. Choose another name.');
      await desk.page.getByLabel('Name of the list').fill('prices of May');
      await desk.press('Import 1 row');
      await desk.sees('1 row added');
      await desk.page.getByRole('link', { name: 'Open the list' }).click();
      await desk.page.getByRole('gridcell', { name: 'new', exact: true }).waitFor();
      // Its columns are called as in the list where the next file goes into it.
      await desk.page.getByRole('link', { name: 'Import a file' }).click();
      await drop('prices.csv', 'Code;Since\nA1;2026-05-05\n');
      await field('Where “Since” goes').click();
      await desk.page.getByRole('option', { name: 'Since Date only' }).click();
      await desk.press('Cancel');
    },
  );

  it('asks about a guess, shows the rows as the user answers, and undoes the import', async () => {
    await desk.go('#/lists');
    await desk.go('#/lists/import');
    await drop('drivers.csv', 'Anna,Ulm\nBert,Bonn\nCarl,Kiel\n');
    await desk.page.getByRole('region', { name: 'Check these guesses' }).waitFor();
    const names = 'Where are the column names?';
    await desk.sees('Import 2 rows');
    await desk.choose(names, 'There are none: the first row is data');
    await desk.page.getByRole('row', { name: /^Column 1 .*Anna · Bert · Carl/ }).waitFor();
    await desk.sees('Import 3 rows');
    // An answered question stays, so that the answer can be changed.
    await desk.choose(names, /^Line 1: /);
    await desk.page.getByRole('row', { name: /^Anna .*Bert · Carl/ }).waitFor();
    await desk.choose(names, 'There are none: the first row is data');
    await desk.press('Import 3 rows');
    await desk.sees('3 rows added');
    const [drivers] = (await desk.app<{ moduleID: string; name: string }[]>('GET', '/app/lists')).filter(
      ({ name }) => name === 'drivers',
    );
    expect(await rowsOf(desk, drivers?.moduleID ?? '')).toHaveLength(3);
    await desk.press('Undo import');
    // Where it said what came in, it says that it is undone.
    const heading = desk.page.getByRole('heading', { name: 'Import undone' });
    await heading.waitFor();
    expect(await heading.evaluate((element) => element === document.activeElement)).toBe(true);
    await desk.sees('3 rows are as they were before.');
    expect(await desk.page.getByText('3 rows added').count()).toBe(0);
    expect(await rowsOf(desk, drivers?.moduleID ?? '')).toHaveLength(0);
    expect(await desk.page.getByRole('button', { name: /^Undo import/ }).count()).toBe(0);
  });

  it('reads the letters as the user answers', { tags: 'nightly-windows' }, async () => {
    await desk.press('Import another file');
    const [towns, broken] = [
      Buffer.from('Name;Town\nJürgen;Köln\nAnne;Würzburg\n'),
      Buffer.from('Sch\xf6n;Bonn\n', 'latin1'),
    ];
    const buffer = Buffer.concat([towns, broken]);
    await desk.page
      .locator('input[type=file]')
      .setInputFiles({ name: 'kunden.csv', mimeType: 'text/csv', buffer });
    const letters = 'Do the letters look right as …';
    await desk.choose(letters, /Western/);
    await desk.page.getByRole('cell', { name: /Schön/ }).waitFor();
    await desk.choose(letters, /UTF-8|Unicode/);
    await desk.page.getByRole('cell', { name: /Jürgen/ }).waitFor();
    await desk.press('Cancel');
  });

  it('undoes itself only: the import before stays, and is not offered in its place', async () => {
    const prices = await desk.csv('Preisliste', 'Artikel;Preis\nV15;12,50\nV20;14,00\n');
    await desk.go(`#/lists/${prices}`);
    await desk.page.getByRole('link', { name: 'Import a file' }).click();
    await drop('lager.csv', 'Artikel;Preis\nR15;2,10\n');
    await desk.press('Import 1 row');
    await desk.press('Undo import');
    await desk.sees('1 row is as it was before.');
    await desk.page.waitForTimeout(500);
    expect(await desk.page.getByRole('button', { name: /^Undo import/ }).count()).toBe(0);
    expect(await rowsOf(desk, prices)).toHaveLength(2);
  });

  it('says that a file is in the list already if it is sent again without an answer', async () => {
    const prices = await desk.csv('Verloren', 'Artikel;Preis\nV15;12,50\n');
    await desk.go(`#/lists/${prices}`);
    await desk.page.getByRole('link', { name: 'Import a file' }).click();
    await drop('lager.csv', 'Artikel;Preis\nR18;2,10\nR19;2,20\n');
    await desk.choose(FOUND_BY, 'None: add every line as a new row');
    const lost = async (route: Route): Promise<void> => {
      await route.fetch();
      await route.abort('connectionreset');
    };
    await desk.page.route('**/app/import?*', lost, { times: 1 });
    await desk.press('Import 2 rows');
    await desk.sees('Footbridge does not answer. Your last change may not be saved; try again in a moment.');
    await desk.press('Import 2 rows');
    await desk.sees('This file is already in “Verloren”: 2 rows added or updated.');
    expect(await rowsOf(desk, prices)).toHaveLength(3);
  });

  it('undone says how many rows keep changes made since, and how many stay as new', async () => {
    const prices = await desk.csv('Preise', 'Artikel;Preis\nV15;12,50\nV20;14,00\n');
    await desk.go(`#/lists/${prices}`);
    await desk.page.getByRole('link', { name: 'Import a file' }).click();
    await drop('lager.csv', 'Artikel;Preis\nR16;2,20\nR17;2,30\n');
    await desk.press('Import 2 rows');
    await desk.page.getByRole('button', { name: 'Undo import' }).waitFor();
    const row = (await rowsOf(desk, prices)).find(({ Artikel }) => Artikel === 'R17');
    await desk.app('PATCH', `/app/lists/${prices}/rows/${String(row?.recordID)}`, {
      values: { Preis: ['9'] },
    });
    await desk.press('Undo import');
    await desk.sees('1 row is as it was before. 1 row was changed since and stays.');
    const known = await desk.csv('Lager', 'Artikel;Preis;Ort\nV15;12,50;Ulm\nV20;14,00;Bonn\n');
    await desk.go(`#/lists/${known}`);
    await desk.page.getByRole('link', { name: 'Import a file' }).click();
    await drop('neu.csv', 'Artikel;Preis\nV15;13,50\nV20;15,00\n');
    await desk.choose(FOUND_BY, 'Artikel');
    await desk.press('Import 2 rows');
    await desk.page.getByRole('button', { name: 'Undo import' }).waitFor();
    const [first] = await rowsOf(desk, known);
    await desk.app('PATCH', `/app/lists/${known}/rows/${String(first?.recordID)}`, {
      values: { Ort: ['Köln'] },
    });
    await desk.press('Undo import');
    await desk.sees('1 row is as it was before. Other changes made to 1 row since stay.');
    await photograph(desk.page, 'import-undone-edited');
  });

  it('says at its field that another list has the name, for an import, a new list and a rename', async () => {
    const { page } = desk;
    const taken = 'There is a list “Preisliste” in this workspace already. Choose another name.';
    const name = page.getByRole('textbox', { name: 'Name of the list' });
    const refused = async (press: string | RegExp): Promise<void> => {
      await name.fill('Preisliste');
      await desk.press(press);
      await expect.poll(() => name.getAttribute('aria-invalid')).toBe('true');
      expect(await name.evaluate((field) => field === document.activeElement)).toBe(true);
      expect(await page.getByRole('alert').filter({ hasText: taken }).count()).toBe(1);
      expect(await page.getByRole('region', { name: 'Messages' }).getByText(taken).count()).toBe(0);
      await name.fill('Preisliste 2');
      expect(await name.getAttribute('aria-invalid')).toBeNull();
    };
    await desk.go('#/lists');
    await desk.go('#/lists/import');
    await drop('neue preise.csv', 'Artikel;Preis\nV15;12,50\n');
    await refused('Import 1 row');
    await desk.go('#/lists');
    await desk.press('New list');
    await page.getByRole('textbox', { name: 'Column 1: Name' }).fill('Artikel');
    await refused('Make the list');
    await page.keyboard.press('Escape');
    await desk.press('Discard');
    await desk.go(`#/lists/${await desk.csv('Alte Preise', 'Artikel\nV15\n')}`);
    await desk.press('More');
    await page.getByRole('menuitem', { name: 'Name and columns' }).click();
    await refused(/^Save$/);
    await page.keyboard.press('Escape');
  });

  it('says of a step that is too large to undo that it is, before and after', async () => {
    const { page } = desk;
    const csv = (letter: string): string =>
      ['No;Text', ...Array.from({ length: 90 }, (_, at) => `${String(at)};${letter.repeat(95_000)}`)].join(
        '\n',
      );
    const texts = (await desk.app<{ moduleID: string }>('POST', '/app/import?list=Texte&key=No', csv('a')))
      .moduleID;
    await desk.go(`#/lists/import?into=${texts}`);
    await drop('texte.csv', csv('b'));
    await desk.sees('This change is too large to undo.');
    await desk.press('Import 90 rows');
    await desk.sees('Too large to undo: import of texte.csv, 90 rows');
    expect(await page.getByRole('button', { name: /^Undo/ }).count()).toBe(0);
    // The rows would take long to draw: another list stands for it.
    const other = await desk.csv('Kurze Texte', 'No\n1\n');
    const step = { stepID: '1', kind: 'import', rows: 90, file: 'texte.csv', isTooLarge: true };
    const steps = { undo: { ...step, at: '2026-11-29T08:00:00.000Z' }, others: {} };
    await page.route(`**/app/lists/${other}/steps`, (route) => route.fulfill({ json: { response: steps } }));
    await desk.go(`#/lists/${other}`);
    const undo = page.getByRole('button', { name: 'Too large to undo: import of texte.csv, 90 rows' });
    await undo.waitFor();
    expect(await undo.getAttribute('aria-disabled')).toBe('true');
    await page.unrouteAll({ behavior: 'wait' });
    await desk.go('#/lists');
  });

  it('keeps filled cells that the file leaves blank, unless the user lets them be emptied', async () => {
    const { page } = desk;
    const contacts = await desk.csv(
      'Contacts',
      'No,Company,Phone,Town\n7,Seiler & Co,0431 55,Kiel\n8,Deichbau,04931 7,Norden\n',
    );
    const blank = 'No,Company,Phone,Town\n7,Seiler & Co,,\n8,Deichbau KG,,Norden\n';
    const held = async (): Promise<unknown[]> =>
      (await rowsOf(desk, contacts)).map(({ Company, Phone, Town }) => [Company, Phone, Town]);
    const keep = page.getByLabel('Keep 3 filled cells that the file leaves blank: Phone and Town');
    const open = async (): Promise<void> => {
      await desk.go('#/lists');
      await desk.go('#/lists/import');
      await drop('contacts.csv', blank);
      await desk.choose('Put the rows into', /^Contacts/);
      await expect.poll(() => field(FOUND_BY).innerText()).toBe('No');
      await keep.waitFor();
    };
    await open();
    expect(await keep.isChecked()).toBe(true);
    await desk.sees('add 0 rows · change 1 row · leave 1 row as it is');
    await photograph(page, 'import-blanks-kept');
    await desk.press('Import 2 rows');
    await desk.sees('1 row updated · 1 row unchanged');
    expect(await held()).toEqual([
      ['Seiler & Co', '0431 55', 'Kiel'],
      ['Deichbau KG', '04931 7', 'Norden'],
    ]);
    await open();
    await keep.uncheck();
    await desk.sees('3 cells that hold something become empty: Phone and Town');
    await desk.sees('add 0 rows · change 2 rows · leave 0 rows as they are');
    await photograph(page, 'import-blanks-emptied');
    await desk.press('Import 2 rows');
    await desk.sees('2 rows updated');
    expect(await held()).toEqual([
      ['Seiler & Co', undefined, undefined],
      ['Deichbau KG', undefined, 'Norden'],
    ]);
  });

  it('shows an amount once that the file writes as the language does', async () => {
    const speak = async (language: 'de' | 'en'): Promise<void> => {
      await desk.app('PATCH', '/app/settings', { language });
      await desk.page.reload();
    };
    await desk.go('#/lists/import');
    await speak('de');
    // In German, the field to drop it on has another name.
    const buffer = Buffer.from('Nr;Umsatz\n1;4.225,52 €\n2;6.814,20 €\n');
    const upload = { name: 'umsatz.csv', mimeType: 'text/csv', buffer };
    await desk.page.locator('input[type=file]').first().setInputFiles(upload);
    const row = desk.page.getByRole('row', { name: /^Umsatz/ });
    await row.getByText('6.814,20').waitFor();
    expect(await row.innerText()).not.toContain('→');
    await desk.go('#/lists');
    await speak('en');
  });

  it('keeps a long line of column names within its field', async () => {
    const { page } = desk;
    await desk.go('#/lists');
    await desk.go('#/lists/import');
    const names = Array.from({ length: 12 }, (_, at) => `Column of the file ${String(at)}`);
    await drop('wide.csv', `${names.join(';')}\n${names.map(() => '1').join(';')}\n`);
    await page.getByText('Do letters, columns, numbers or dates look wrong?').click();
    const [wide, other] = await Promise.all(
      ['Column names are in', 'Decimal sign'].map((name) => field(name).boundingBox()),
    );
    expect(wide?.width).toBe(other?.width);
  });

  it('nothing went wrong on the page meanwhile', () => {
    expect(desk.errors.filter((error) => !/status of (409|422)|ERR_CONNECTION_RESET/.test(error))).toEqual(
      [],
    );
  });
});
