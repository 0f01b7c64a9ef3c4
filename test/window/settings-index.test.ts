import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { seriousFindings } from '../support/reading/axe.ts';
import { launchBrowser } from '../support/harness/browser.ts';
import { openDesk, type Desk } from '../support/harness/desk.ts';

describe('the index of Settings', { tags: 'nightly-looks' }, () => {
  let browser: Browser;
  let desk: Desk;
  let page: Page;
  let index: Locator;

  beforeAll(async () => {
    browser = await launchBrowser();
    desk = await openDesk(browser, 'North Trading');
    page = desk.page;
    index = page.getByRole('navigation', { name: 'On this page' });
  });
  afterAll(async () => {
    await browser.close();
    await desk.close();
  });
  beforeEach(async () => {
    await page.setViewportSize({ width: 1280, height: 860 });
    await desk.go('#/');
    await desk.go('#/settings');
    await index.waitFor();
  });

  const heading = (name: string): Locator => page.getByRole('heading', { level: 2, name, exact: true });
  const isAt = (name: string): Promise<unknown> =>
    expect.poll(() => index.locator('[aria-current=true]').textContent(), { timeout: 15_000 }).toBe(name);
  const boxOf = async (
    locator: Locator,
  ): Promise<{ x: number; y: number; width: number; height: number }> => {
    const box = await locator.boundingBox();
    if (!box) throw new Error('not on the page');
    return box;
  };

  it('stands beside the settings, and names each section that there is, in their order', async () => {
    const named = await index.getByRole('link').allTextContents();
    const headings = await page.getByRole('main').getByRole('heading', { level: 2 }).allTextContents();
    expect(named).toEqual(headings);
    const [side, section] = [await boxOf(index), await boxOf(heading('This office'))];
    expect(side.x + side.width).toBeLessThan(section.x);
  });

  it('goes to a section by mouse and by key, and the keyboard goes along', async () => {
    await index.getByRole('link', { name: 'Your data' }).click();
    await isAt('Your data');
    await expect.poll(async () => (await boxOf(heading('Your data'))).y).toBeLessThan(200);
    expect(await heading('Your data').evaluate((each) => each === document.activeElement)).toBe(true);
    await page.keyboard.press('Tab');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent.trim()))
      .toBe('Save a backup');
    await index.getByRole('link', { name: 'Keyboard shortcuts' }).focus();
    await page.keyboard.press('Enter');
    await isAt('Keyboard shortcuts');
    // Too low for its heading to come up as far, and yet the one that was asked for.
    await index.getByRole('link', { name: 'About' }).click();
    await isAt('About');
    expect(await page.evaluate(() => location.hash)).toBe('#/settings');
  });

  it('begins at the section that an address names', async () => {
    await desk.go('#/settings/network');
    await isAt('Network');
    await expect.poll(async () => (await boxOf(heading('Network'))).y).toBeLessThan(200);
    await expect
      .poll(() => heading('Network').evaluate((each) => each === document.activeElement))
      .toBe(true);
  });

  it('follows what is scrolled to', async () => {
    await isAt('This office');
    const scrollTo = (top: number): Promise<void> =>
      page.locator('main').evaluate((main, to) => {
        main.scrollTop = to;
      }, top);
    await scrollTo((await boxOf(heading('Network'))).y);
    await isAt('Network');
    await scrollTo(100_000);
    await isAt('Keyboard shortcuts');
    await scrollTo(0);
    await isAt('This office');
  });

  it('is one line that opens where there is little room, and axe finds nothing either way', async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    const opens = index.getByRole('button', { name: /This office/ });
    await opens.waitFor();
    expect(await index.getByRole('link').count()).toBe(0);
    await opens.click();
    await index.getByRole('link', { name: 'Your data' }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect.poll(() => index.getByRole('link').count()).toBe(0);
    expect(await opens.evaluate((each) => each === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await index.getByRole('link', { name: 'Your data' }).click();
    await expect.poll(() => index.getByRole('link').count()).toBe(0);
    // Below the line that stays on top.
    const [line, data] = [await boxOf(index), await boxOf(heading('Your data'))];
    expect(data.y).toBeGreaterThanOrEqual(line.y + line.height - 1);
  });

  it('fields stand beside their names, and below them where there is little room', async () => {
    const name = page.getByText('Name of the office', { exact: true });
    const field = page.getByLabel('Name of the office', { exact: true });
    const [left, right] = [await boxOf(name), await boxOf(field)];
    expect(right.x).toBeGreaterThan(left.x + left.width - 1);
    expect(Math.abs(right.y + right.height / 2 - (left.y + left.height / 2))).toBeLessThan(right.height);
    await page.setViewportSize({ width: 390, height: 800 });
    await expect
      .poll(async () => (await boxOf(field)).y)
      .toBeGreaterThan((await boxOf(name)).y + left.height - 1);
  });
});
