import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser } from '../support/harness/browser.ts';
import { openDesk, type Desk } from '../support/harness/desk.ts';

let browser: Browser;
let desk: Desk;

beforeAll(async () => {
  browser = await launchBrowser();
  desk = await openDesk(browser);
});
afterAll(async () => {
  await browser.close();
  await desk.close();
});

it('a double click on “Continue” in the first steps skips nothing, wherever what comes next lies', async () => {
  const { page } = desk;
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await page.getByLabel('What is your office called?').fill('Harbour Office');
    const box = await page.getByRole('button', { name: 'Continue' }).boundingBox();
    const [x, y] = [(box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2];
    await page.mouse.click(x, y);
    await desk.sees('I invite them');
    // Nothing that leads away lies there, and the second press would not be taken for one that is meant.
    for (const name of ['Later', 'Back']) {
      const away = await page.getByRole('button', { name }).boundingBox();
      expect(
        away && x >= away.x && x <= away.x + away.width && y >= away.y && y <= away.y + away.height,
      ).toBe(false);
      await page.getByRole('button', { name }).dispatchEvent('click', { detail: 2 });
    }
    await page.waitForTimeout(300);
    await desk.sees('I invite them');
    await desk.press('Back');
    await page.getByLabel('What is your office called?').fill('Harbour Office');
    await page.getByRole('button', { name: 'Continue' }).dblclick();
    await desk.sees('I invite them');
    await page.waitForTimeout(300);
    await desk.sees('I invite them');
    expect(new URL(page.url()).hash).toMatch(/welcome|^$/);
    await desk.press('Back');
  }
  expect(desk.errors).toEqual([]);
});
