import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DesktopApi } from '../../server/contract/app/desktop.ts';
import { seriousFindings } from '../support/reading/axe.ts';
import { launchBrowser, photograph } from '../support/harness/browser.ts';
import { openDesk, type Desk } from '../support/harness/desk.ts';
import { temporaryFolder } from '../support/harness/temporary-folder.ts';
import { dropCsv } from '../support/reading/drop.ts';

const CITIES = ['Ulm', 'Łódź', 'Æbeltoft', 'São Paulo', 'Würzburg'];
const pieces = (at: number): number => 2 + ((at * 5) % 7);
const line = (at: number, more = ''): string =>
  `K-${String(100 + at)};${CITIES[at % 5] ?? ''} ${String(at)}${more};${String(1 + (at % 28))}.${String(1 + (at % 12))}.2025;${String(pieces(at))}`;
const table = (lines: readonly string[]): string => `No;Name;Since;Pieces\n${lines.join('\n')}\n`;
/** What the pieces of so many lines come to. */
const sum = (many: number): number =>
  Array.from({ length: many }, (_, at) => pieces(at)).reduce((total, each) => total + each, 0);
const LINES = Array.from({ length: 60 }, (_, at) => line(at));

/** A list that follows a file on this computer, and a file that follows the list. */
describe('files of a list', () => {
  let browser: Browser;
  let desk: Desk;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let list = '';

  beforeAll(async () => {
    folder = await temporaryFolder();
    browser = await launchBrowser();
    desk = await openDesk(browser, 'North Trading');
    await desk.go('#/lists/import');
    await dropCsv(desk.page, 'customers.csv', table(LINES));
    await desk.press('Import 60 rows');
    await desk.page.getByRole('link', { name: 'Open the list' }).click();
    await desk.page.getByRole('gridcell', { name: 'Ulm 0', exact: true }).waitFor();
    [list = ''] = /\d{10,}/.exec(desk.page.url()) ?? [];
  });
  afterAll(async () => {
    await browser.close();
    await desk.close();
    await folder.remove();
  });

  const path = (): string => join(folder.path, 'Kunden.csv');
  const told = (text: string | RegExp): Promise<void> =>
    desk.page.getByText(text).first().waitFor({ timeout: 60_000 });

  it('says what a file would change before the list is kept as in it, then follows it', async () => {
    await writeFile(path(), table([line(0), line(1, ' neu'), ...LINES.slice(2), line(60)]));
    await desk.page.getByRole('button', { name: 'More' }).click();
    await desk.page.getByRole('menuitem', { name: 'Files on this computer …' }).click();
    await desk.page.getByRole('dialog', { name: 'Files of “customers”' }).waitFor();
    const first = desk.page.getByLabel('File or folder');
    await expect.poll(() => first.evaluate((field) => field === document.activeElement)).toBe(true);
    await first.fill(path());
    await desk.choose('Find rows that are already there by', 'No');
    await desk.press('Check the file');
    await told('add 1 row');
    await told('change 1 row');
    expect(await seriousFindings(desk.page)).toEqual([]);
    await photograph(desk.page, 'list-files-chosen');
    await desk.press('Follow this file');
    await told('1 row added');
    await desk.page.getByText('Rows are found by: No', { exact: true }).waitFor();
    const focused = (): Promise<string> =>
      desk.page.evaluate(() => document.activeElement?.textContent.trim() ?? '');
    await expect.poll(focused).toBe('Follow a file');
    await desk.page.keyboard.press('Escape');
    await desk.page.getByRole('gridcell', { name: 'Łódź 1 neu' }).waitFor();
    await writeFile(path(), table([line(0, ' anders'), ...LINES.slice(1), line(60)]));
    await desk.page.getByRole('gridcell', { name: 'Ulm 0 anders' }).waitFor({ timeout: 60_000 });
  });

  it(
    'proposes to leave out a line that adds up the others, and does as the user says',
    { tags: 'nightly-windows' },
    async () => {
      await writeFile(
        path(),
        `${table([line(0, ' anders'), ...LINES.slice(1), line(60)])}Summe;;;${String(sum(61))}\n`,
      );
      await desk.go(`#/lists/${list}?files`);
      await desk.press('Stop following');
      await desk.page.getByLabel('File or folder').fill(path());
      await desk.press('Check the file');
      const out = desk.page.getByLabel(
        'Leave out a line that looks like a total or a footer: Line 63: Summe',
      );
      await told('add 0 rows');
      await out.uncheck();
      await desk.press('Check the file');
      await told('add 1 row');
      await out.check();
      await desk.press('Check the file');
      await told('add 0 rows');
      await desk.press('Follow this file');
      await told(/0 rows added/);
      await desk.page.keyboard.press('Escape');
    },
  );

  it(
    'asks on Home before many rows go, and leads to where that is decided',
    { tags: 'nightly-windows' },
    async () => {
      await writeFile(path(), table([line(0, ' anders'), ...LINES.slice(1, 20)]));
      await desk.go('#/');
      await told('Rows of “customers” are no longer in its file');
      await desk.page.getByRole('link', { name: 'Look and decide' }).click();
      await told('41 rows are no longer in the file. Move them to the bin?');
      expect(await seriousFindings(desk.page)).toEqual([]);
      await photograph(desk.page, 'list-files-asks');
      await desk.press('Move 41 rows to the bin');
      await told(/· 41 rows to the bin/);
      await desk.page.getByText('Move them to the bin?').waitFor({ state: 'detached' });
      await desk.page.keyboard.press('Escape');
      await desk.page.getByRole('link', { name: /41/ }).waitFor();
    },
  );

  it('writes a copy after each change, and takes no other file’s place without a yes', async () => {
    const copy = join(folder.path, 'Copy.csv');
    await writeFile(copy, 'somebody’s notes');
    await desk.go(`#/lists/${list}?files`);
    await desk.page.getByLabel('File', { exact: true }).fill(copy);
    await desk.press('Write the copy');
    await told('This file already exists. Its contents will be lost.');
    expect(await readFile(copy, 'utf8')).toBe('somebody’s notes');
    await desk.press('Replace it');
    await told(/^Written /);
    expect(await readFile(copy, 'utf8')).toContain('Ulm 0 anders');
    await photograph(desk.page, 'list-files-copy');
    await writeFile(path(), table([line(0, ' zuletzt'), ...LINES.slice(1, 20)]));
    await expect.poll(() => readFile(copy, 'utf8'), { timeout: 60_000 }).toContain('Ulm 0 zuletzt');
    await desk.press('Stop following');
    await desk.press('Stop the copy');
    await desk.page.getByLabel('File or folder').waitFor();
    await desk.page.getByLabel('File', { exact: true }).waitFor();
  });

  it('says why a file cannot be taken, beside the field that it is about', async () => {
    const file = desk.page.getByLabel('File or folder');
    await file.fill(join(folder.path, 'none.csv'));
    await desk.choose('Find rows that are already there by', 'No');
    await desk.press('Check the file');
    await told('There is no file “none.csv” in this folder.');
    expect(await file.getAttribute('aria-invalid')).toBe('true');
    const described = (await file.getAttribute('aria-describedby')) ?? '';
    const problem = desk.page.locator(`#${described.split(' ').at(-1) ?? ''}`);
    expect(await problem.textContent()).toContain('“none.csv”');
    await photograph(desk.page, 'list-files-refused');
    await file.fill(join(folder.path, 'another.csv'));
    expect(await file.getAttribute('aria-invalid')).toBe(null);
    await desk.page.getByLabel('File', { exact: true }).fill(join(folder.path, 'copy.doc'));
    await desk.press('Write the copy');
    await told('A copy for the spreadsheet ends in .xlsx or .csv.');
  });

  it(
    'asks about a guess in doubt before it follows a file, and follows it as the user says',
    { tags: 'nightly-windows' },
    async () => {
      const doubtful = join(folder.path, 'Pieces.csv');
      await writeFile(doubtful, table(['K-100;Ulm 0 zuletzt;1.1.2025;1.275', ...LINES.slice(1, 20)]));
      await desk.page.getByLabel('File or folder').fill(doubtful);
      await desk.choose('Find rows that are already there by', 'No');
      await desk.press('Check the file');
      const question = desk.page.getByLabel('In Pieces, decimals follow … (for example 1.275)');
      await question.waitFor({ timeout: 60_000 });
      expect(await seriousFindings(desk.page)).toEqual([]);
      await photograph(desk.page, 'list-files-doubt');
      await desk.choose('In Pieces, decimals follow … (for example 1.275)', 'a point: 1234.50');
      await told('change 1 row');
      // The question stays, so that the answer can be changed.
      await question.waitFor();
      await desk.press('Follow this file');
      await told('1 row updated');
      await desk.page.keyboard.press('Escape');
      await desk.page.getByRole('gridcell', { name: '1.275', exact: true }).waitFor();
      await desk.go(`#/lists/${list}?files`);
      await desk.press('Stop following');
      await desk.page.getByLabel('File or folder').waitFor();
    },
  );

  it(
    'asks about a guess that is in doubt since the file changed, and takes nothing in before',
    { tags: 'nightly-windows' },
    async () => {
      const changing = join(folder.path, 'Stock.csv');
      await writeFile(changing, table(LINES.slice(0, 20)));
      await desk.page.getByLabel('File or folder').fill(changing);
      await desk.choose('Find rows that are already there by', 'No');
      await desk.press('Check the file');
      await desk.press('Follow this file');
      await told('0 rows to the bin');
      await writeFile(changing, table(['K-100;Ulm 0;1.1.2025;2.750', ...LINES.slice(1, 20)]));
      const question = 'In Pieces, decimals follow … (for example 2.750)';
      await desk.page.getByLabel(question).waitFor({ timeout: 60_000 });
      await told('“Stock.csv” can now be read in more than one way');
      expect(await seriousFindings(desk.page)).toEqual([]);
      await photograph(desk.page, 'list-files-new-doubt');
      await desk.choose(question, 'a point: 1234.50');
      await desk.press('Use these answers');
      await told('1 row updated');
      await desk.page.keyboard.press('Escape');
      await desk.page.getByRole('gridcell', { name: '2.750', exact: true }).waitFor();
      await desk.go(`#/lists/${list}?files`);
      await writeFile(changing, table([...LINES.slice(0, 20), `Summe;;;${String(sum(20))}`]));
      await told('“Summe” looks like a total or a footer. Such lines …');
      await told('are left out');
      await desk.press('Use these answers');
      await told('Left out, as it looks like a total or a footer');
      await desk.press('Stop following');
      await desk.page.getByLabel('File or folder').waitFor();
    },
  );

  it(
    'has files and places chosen in the system’s own dialogs where a desktop offers them, and only there',
    { tags: 'nightly-windows' },
    async () => {
      const choose = desk.page.getByRole('button', { name: /^Choose a/ });
      expect(await choose.count()).toBe(0);
      await desk.go(`#/lists/${list}`);
      await desk.page.evaluate(() => {
        const choosePath: DesktopApi['choosePath'] = (kind, name) =>
          Promise.resolve({ file: '/office/Chosen.xlsx', folder: '', copy: `/office/${name}.xlsx` }[kind]);
        Object.assign(window, { footbridge: { choosePath } });
      });
      await desk.go(`#/lists/${list}?files`);
      await desk.press('Choose a file…');
      const file = desk.page.getByLabel('File or folder');
      await expect.poll(() => file.inputValue()).toBe('/office/Chosen.xlsx');
      // Who closes the dialog has chosen nothing else.
      await desk.press('Choose a folder…');
      await desk.press('Choose a place…');
      const copy = desk.page.getByLabel('File', { exact: true });
      await expect.poll(() => copy.inputValue()).toBe('/office/customers.xlsx');
      expect(await file.inputValue()).toBe('/office/Chosen.xlsx');
      expect(await seriousFindings(desk.page)).toEqual([]);
      await photograph(desk.page, 'list-files-choose');
    },
  );
});
