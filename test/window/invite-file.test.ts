import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseInviteFile } from '../../main/shell/deep-link.ts';
import { launchBrowser } from '../support/harness/browser.ts';
import { openDesk, type Desk } from '../support/harness/desk.ts';
import { temporaryFolder } from '../support/harness/temporary-folder.ts';

describe('an invite as a file', () => {
  let browser: Browser;
  let north: Desk;
  let harbour: Desk;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;

  beforeAll(async () => {
    browser = await launchBrowser();
    [north, harbour] = await Promise.all([
      openDesk(browser, 'North: Trading'),
      openDesk(browser, 'Harbour Office'),
    ]);
    folder = await temporaryFolder();
  });
  afterAll(async () => {
    await browser.close();
    await north.close();
    await harbour.close();
    await folder.remove();
  });

  const choose = (file: string): Promise<void> =>
    harbour.page.getByLabel('Open a file …').setInputFiles(file);

  it('is saved beside the link, opens by a double click, and connects when it is opened in the window', async () => {
    await north.go('#/partners/add');
    await north.press('I invite them');
    await north.page.getByLabel('What do you call this partner?').fill('Harbour Office');
    await north.press('On this computer only');
    const saved = north.page.waitForEvent('download');
    await north.page.getByRole('link', { name: 'Save as a file' }).click();
    const download = await saved;
    expect(download.suggestedFilename()).toBe('Invite from North Trading.footbridge');
    const file = join(folder.path, download.suggestedFilename());
    await download.saveAs(file);
    const shown = await north.page.getByLabel('Invite for Harbour Office').inputValue();
    expect((await readFile(file, 'utf8')).trim()).toBe(shown);
    expect(parseInviteFile(await readFile(file, 'utf8')).kind).toBe('page');

    await harbour.go('#/partners/add?paste');
    await choose(file);
    await harbour.sees('This invite says it’s from North: Trading');
    await harbour.press('Yes, connect');
    await harbour.sees('Waiting for North: Trading to approve');
  });

  it('that is none is told, and nothing of it stays', async () => {
    await harbour.go('#/partners/add?paste');
    const large = join(folder.path, 'holiday.footbridge');
    await writeFile(large, 'a picture of the harbour\n'.repeat(2000));
    await choose(large);
    await harbour.sees('This file is no invite. Ask your partner for one, or paste what they sent.');
    expect(await harbour.page.getByLabel('Invite', { exact: true }).inputValue()).toBe('');
  });

  it('keeps the console quiet', () => {
    expect([...north.errors, ...harbour.errors]).toEqual([]);
  });
});
