import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seriousFindings } from '../support/reading/axe.ts';
import { launchBrowser, photograph } from '../support/harness/browser.ts';
import { openDesk, type Desk } from '../support/harness/desk.ts';
import { readQr } from '../support/reading/qr.ts';

describe('an invite as a QR code', { tags: 'nightly-looks' }, () => {
  let browser: Browser;
  let desk: Desk;

  beforeAll(async () => {
    browser = await launchBrowser();
    desk = await openDesk(browser, 'Kancelaria Żółkiewski i Wspólnicy');
  });
  afterAll(async () => {
    await browser.close();
    await desk.close();
  });

  const code = (): Locator => desk.page.getByRole('img', { name: 'QR code of this invite' });

  it('says what the link says, in both themes, and 390 pixels wide', async () => {
    const { page } = desk;
    // As long as invites get in an office: elsewhere the fingerprint of a certificate takes as much.
    const publicUrl = `https://bridge.kancelaria-zolkiewski.example:7420/${'offices/'.repeat(10)}`;
    await desk.app('PATCH', '/app/settings', { publicUrl });
    await desk.go('#/partners/add');
    await desk.press('I invite them');
    await page.getByLabel('What do you call this partner?').fill('Berlin office');
    await desk.press('Make the invite');
    await code().waitFor();
    const invite = await page.getByLabel('Invite for Berlin office', { exact: true }).inputValue();
    expect(invite.length).toBeGreaterThan(250);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await readQr(code()), colorScheme).toBe(invite);
    }
    await page.emulateMedia({ colorScheme: null, forcedColors: 'active' });
    expect(await readQr(code()), 'forced colours').toBe(invite);
    await page.emulateMedia({ forcedColors: null });
    await page.setViewportSize({ width: 390, height: 900 });
    expect(await readQr(code()), 'narrow').toBe(invite);
    const wider = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    expect(wider).toBe(false);
    expect(await seriousFindings(page)).toEqual([]);
    await code().scrollIntoViewIfNeeded();
    await photograph(page, 'invite-qr-narrow');
    await page.setViewportSize({ width: 1280, height: 860 });
    await photograph(page, 'invite-qr');
    // Nothing was fetched from elsewhere, and the policy stood in nobody's way.
    expect(desk.errors).toEqual([]);
  });
});
