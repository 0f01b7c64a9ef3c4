import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seriousFindings } from '../support/reading/axe.ts';
import { launchBrowser, photograph, shoot } from '../support/harness/browser.ts';
import { openDesk, type Desk } from '../support/harness/desk.ts';
import { startNode } from '../support/harness/node.ts';
import { runBuilt } from '../support/harness/program.ts';
import { temporaryFolder } from '../support/harness/temporary-folder.ts';

let browser: Browser;
let desk: Desk;
let stock = '';

beforeAll(async () => {
  browser = await launchBrowser();
  const { path: dataDir } = await temporaryFolder();
  const office = await startNode('Müller & Söhne', { dataDir });
  const lines = Array.from({ length: 303 }, (_, at) => `Kugelhahn DN ${at + 1},${at * 3}`);
  const csv = `Artikel,Bestand\n${lines.join('\n')}\n`;
  ({ moduleID: stock } = await office.app<{ moduleID: string }>('POST', '/app/import?list=Lager', csv));
  await office.stop();
  const folder = join(dataDir, 'store', `list-${stock}`);
  const [name = ''] = (await readdir(folder)).filter((each) => each.startsWith('journal-'));
  const bytes = await readFile(join(folder, name));
  await writeFile(join(folder, name), bytes.subarray(0, bytes.indexOf('Kugelhahn DN 201"') + 8));
  desk = await openDesk(browser, 'Müller & Söhne', { dataDir });
});
afterAll(async () => {
  await browser.close();
  await desk.close();
});

it(
  'offers the readable rows of a damaged list, and writes them into a new one',
  { tags: 'nightly-windows' },
  async () => {
    await desk.go('#/');
    await desk.sees('Its file with');
    await desk.page.getByRole('link', { name: 'Recover rows' }).click();
    const damaged = desk.page.getByRole('region', { name: 'This list’s file is damaged' });
    await damaged.getByText('Its file with').waitFor();
    await desk.sees(/200 rows can still be read\. \d+ saved changes are missing\. 1 line is damaged\./);
    expect(await seriousFindings(desk.page)).toEqual([]);
    await photograph(desk.page, 'list-salvage');
    await desk.page.setViewportSize({ width: 390, height: 780 });
    await shoot(desk.page, 'list-salvage-narrow');
    await desk.page.setViewportSize({ width: 1280, height: 860 });
    await desk.press('Recover into a new list');
    await desk.sees('200 rows are now in “Lager (recovered)”.');
    await desk.sees('Kugelhahn DN 1');
    await desk.page.getByRole('heading', { name: 'Lager (recovered)' }).waitFor();

    // The damaged list still says what it is, and can be deleted.
    await desk.go(`#/lists/${stock}`);
    await desk.sees('This list’s file is damaged');
    const { stdout } = await runBuilt(['doctor', '--data', desk.served.dataDir, '--salvage', 'Lager']);
    expect(stdout).toMatch(
      /200 rows written into the new list “Lager \(recovered\) \(2\)”: \d+ saved changes missing, 1 line damaged/,
    );
    expect(desk.errors).toEqual([]);
  },
);
