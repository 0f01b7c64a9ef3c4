import { unzipSync, strFromU8 } from 'fflate';
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DesktopApi } from '../../server/contract/app/desktop.ts';
import { brightness, launchBrowser, savedBytes } from '../support/harness/browser.ts';
import { openDesk, type Desk } from '../support/harness/desk.ts';

/** Stands in for the desktop shell; runs in the page, before its own scripts. */
function pretendDesktop(): void {
  const idle = { state: 'idle' as const, message: 'Version 0.1.0 is the newest known.' };
  const desktop: DesktopApi = {
    info: () =>
      Promise.resolve({
        platform: 'linux',
        version: '0.1.0',
        trayShown: true,
        loginItem: { available: true, message: 'This made-up desktop starts apps at login.' },
        update: idle,
      }),
    openExternal: () => Promise.resolve(true),
    copyText: () => Promise.resolve(),
    showDataFolder: () => Promise.resolve(),
    checkForUpdates: () =>
      Promise.resolve({ state: 'ready', message: 'Version 9.0.0 is ready.', version: '9.0.0' }),
    installUpdate: () => {
      document.title = 'restarting';
      return Promise.resolve(true);
    },
    choosePath: () => Promise.resolve(''),
  };
  Object.assign(window, { footbridge: desktop });
}

/** Runs in the page: how bright its ground is in each frame that is painted, 255 where it has none. */
function noteFrames(): void {
  const seen: number[] = [];
  Object.assign(window, { framesSeen: seen });
  requestAnimationFrame(function frame() {
    const ground = getComputedStyle(document.documentElement).backgroundColor;
    const [red = 255, green = 255, blue = 255, alpha = 1] = ground.match(/[\d.]+/g)?.map(Number) ?? [];
    seen.push(alpha === 0 ? 255 : (red + green + blue) / 3);
    requestAnimationFrame(frame);
  });
}

describe('Settings', () => {
  let browser: Browser;
  let desk: Desk;

  beforeAll(async () => {
    browser = await launchBrowser();
    desk = await openDesk(browser, 'North Trading');
    await desk.csv('Kept', 'Name\nAnna\n');
    await desk.go('#/settings');
  });
  afterAll(async () => {
    await browser.close();
    await desk.close();
  });

  const field = (label: string): Locator => desk.page.getByLabel(label, { exact: true });
  const stored = async (): Promise<Record<string, unknown>> =>
    (await desk.app<{ settings: Record<string, unknown> }>('GET', '/app/settings')).settings;
  /** Saves what a link gives. */
  async function save(name: string): Promise<{ name: string; bytes: Buffer }> {
    const saving = desk.page.waitForEvent('download');
    const link = desk.page.getByRole('link', { name });
    await link.or(desk.page.getByRole('button', { name })).click();
    const file = await saving;
    return { name: file.suggestedFilename(), bytes: await savedBytes(file) };
  }

  it('the office gets another name, seen at once', async () => {
    await field('Name of the office').fill('North & Sons');
    await desk.page.keyboard.press('Enter');
    await desk.page.getByRole('complementary').getByText('North & Sons').waitFor();
    await desk.sees('Saved.');
  });

  it('a port that cannot be is refused in plain words; a good one is kept', async () => {
    await desk.page.getByText('Address and port').click();
    await field('Port').fill('99999');
    await desk.page.keyboard.press('Enter');
    await expect.poll(() => field('Port').getAttribute('aria-invalid')).toBe('true');
    await field('Port').fill('7654');
    await desk.page.keyboard.press('Enter');
    await expect.poll(async () => (await stored()).port).toBe(7654);
    await expect.poll(() => field('Port').getAttribute('aria-invalid')).toBe('false');
  });

  it('whether partners reach this computer can be checked, with words for each finding', async () => {
    await desk.press('Check whether it can be reached');
    await desk.page.getByRole('status').getByRole('listitem').first().waitFor();
  });

  it('colours, language and interval take effect at once and stay', async () => {
    const { page } = desk;
    await desk.choose('Colours', 'Dark');
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
    expect(await brightness(page)).toBeLessThan(60);
    await desk.choose('Look for changes every', '5 minutes');
    await expect.poll(async () => (await stored()).syncIntervalSeconds).toBe(300);
    await desk.choose('Language', 'Deutsch');
    await page.getByRole('heading', { level: 1, name: 'Einstellungen' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Einstellungen' }).waitFor();
    expect(
      await page.evaluate(() => [document.documentElement.dataset.theme, document.documentElement.lang]),
    ).toEqual(['dark', 'de']);
    await desk.choose('Farben', 'Hell');
    await expect.poll(() => brightness(page)).toBeGreaterThan(200);
    await desk.choose('Sprache', 'English');
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  });

  it('says what is kept and how long, and keeps it as long as the user wants', async () => {
    const { page } = desk;
    await page
      .getByText(/^There (is|are) [\d,]+ (line|lines), .+\. Older ones are deleted a month at a time\.$/)
      .waitFor();
    await page.getByText(/^There (is|are) [\d,]+ (entry|entries), .+\. 10,000 are kept at most\.$/).waitFor();
    await page.getByText(/^There (is|are) [\d,]+ (row|rows) in the bins of your lists\./).waitFor();
    await desk.choose('Keep the sharing log for', '5 years');
    await desk.choose('Keep activity for', '90 days');
    await desk.choose('Keep deleted rows in the bin for', '1 year');
    await expect
      .poll(async () => {
        const { keepLedgerDays, keepHistoryDays, keepBinDays } = await stored();
        return [keepLedgerDays, keepHistoryDays, keepBinDays];
      })
      .toEqual([1825, 90, 365]);
  });

  it(
    'the right colours are there from the first frame, whatever the system has',
    { tags: 'nightly-looks' },
    async () => {
      const { page } = desk;
      await page.addInitScript(noteFrames);
      const frames = async (): Promise<number[]> => {
        await page.reload();
        await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
        return page.evaluate(() => (window as unknown as { framesSeen: number[] }).framesSeen);
      };
      for (const [theme, colorScheme] of [
        ['dark', 'light'],
        ['system', 'dark'],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        await desk.app('PATCH', '/app/settings', { theme });
        await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe(theme);
        const seen = await frames();
        expect(seen.length).toBeGreaterThan(0);
        expect(Math.max(...seen), theme).toBeLessThan(60);
      }
      await page.emulateMedia({ colorScheme: 'light' });
      await desk.app('PATCH', '/app/settings', { theme: 'light' });
    },
  );

  it('notifications are chosen by kind', async () => {
    await desk.page.getByLabel('rows arrived').uncheck();
    await desk.page.getByLabel('there is a problem').uncheck();
    await expect
      .poll(async () => (await stored()).notify)
      .toEqual({ arrived: false, needsYou: true, problems: false });
  });

  it(
    'the desktop app’s own settings are kept, and its shell is asked for updates',
    { tags: 'nightly-windows' },
    async () => {
      const { page } = desk;
      await page.addInitScript(pretendDesktop);
      await page.reload();
      const box = (label: string): Locator => page.getByLabel(label, { exact: true });
      await desk.sees('This made-up desktop starts apps at login.');
      for (const [label, key] of [
        ['Start when I log in', 'startAtLogin'],
        ['Keep running in the tray when the window is closed', 'closeToTray'],
        ['Look for new versions', 'checkForUpdates'],
      ] as const) {
        const before = (await stored())[key];
        await box(label).click();
        await expect.poll(async () => (await stored())[key]).toBe(!before);
        await expect.poll(() => box(label).isChecked()).toBe(!before);
      }
      await desk.sees('Version 0.1.0 is the newest known.');
      await desk.press('Look now');
      await desk.sees('Version 9.0.0 is ready.');
      await desk.press('Restart to update');
      await expect.poll(() => page.evaluate(() => document.title)).toBe('restarting');
    },
  );

  it('a backup is saved and brings back what was lost since', async () => {
    const { bytes } = await save('Save a backup');
    await desk.sees(/Last backup, automatic or saved: /);
    await desk.csv('Later', 'Name\nBoris\n');
    await desk.page.locator('input[type=file]').setInputFiles({
      name: 'my-backup.footbridge',
      mimeType: 'application/octet-stream',
      buffer: bytes,
    });
    const dialog = desk.page.getByRole('dialog', { name: 'Replace everything with the backup?' });
    await dialog
      .getByText('All lists, partners and settings become what they were in “my-backup.footbridge”.')
      .waitFor();
    await dialog.getByText('What you have now stays as a copy in the data folder').waitFor();
    await dialog.getByRole('button', { name: 'Restore a backup' }).click();
    await desk.sees('Restored. Footbridge starts again now.');
    await desk.go('#/lists');
    await desk.page.getByRole('link', { name: 'Kept' }).waitFor();
    await expect.poll(() => desk.page.getByRole('link', { name: 'Later' }).count()).toBe(0);
  });

  it('a support file is saved; it holds neither keys nor rows', async () => {
    await desk.go('#/settings');
    const { bytes } = await save('Save a support file');
    const files = unzipSync(bytes);
    expect(Object.keys(files).length).toBeGreaterThan(1);
    const all = Object.values(files)
      .map((file) => strFromU8(file))
      .join('\n');
    expect(all).not.toContain('Anna');
    const cookie = (await desk.page.context().cookies())[0]?.value ?? 'no cookie';
    expect(all).not.toContain(cookie);
  });

  it('says what is stored, where, and how it is removed; and what this is', async () => {
    await desk.page.getByText(desk.served.dataDir).waitFor();
    await desk.sees('All of it stays in this folder on this computer.');
    await desk.sees(/Disconnect your partners, quit Footbridge/);
    await desk.sees(/Footbridge \d+\.\d+\.\d+/);
    await desk.sees('Free software under the MIT licence.');
    expect((await save('Download sharing log (CSV)')).name).toMatch(/\.csv$/);
  });

  it('the first steps can be shown again, and left', async () => {
    await desk.page.getByRole('link', { name: 'Show the first steps again' }).click();
    await desk.page.getByRole('heading', { name: 'Welcome to Footbridge' }).waitFor();
    expect(await desk.page.getByLabel('What is your office called?').inputValue()).toBe('North & Sons');
    await desk.press('Continue');
    await desk.press('Back');
    expect(await desk.page.getByLabel('What is your office called?').inputValue()).toBe('North & Sons');
    await desk.page.getByRole('link', { name: 'Close the first steps' }).click();
    await desk.page.getByRole('heading', { level: 1, name: 'Next: connect an office' }).waitFor();
  });

  it('nothing went wrong on the page meanwhile', () => {
    // The port that was refused, and the restart after the backup.
    const expected = /status of (400|503)|ERR_|Failed to fetch|network error/i;
    expect(desk.errors.filter((error) => !expected.test(error))).toEqual([]);
  });
});
