import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seriousFindings } from '../support/reading/axe.ts';
import { launchBrowser, photograph } from '../support/harness/browser.ts';
import { openDesk, type Desk } from '../support/harness/desk.ts';

const STOPS = ['The bridge shows the state', 'Your partners', 'Your lists', 'Does it work?', 'Help'];

describe('the look around', { tags: 'nightly-windows' }, () => {
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

  const tour = (): Locator => desk.page.getByRole('dialog', { name: 'A look around' });
  const heading = (name: string): Promise<void> => tour().getByRole('heading', { name }).waitFor();

  it('is offered once the first steps are done, and goes from real thing to real thing by keyboard alone', async () => {
    await desk.page.getByLabel('What is your office called?').fill('Harbour Office');
    for (const button of ['Continue', 'Later']) await desk.press(button);
    await desk.sees('New here?');
    await desk.page.getByRole('button', { name: 'Show me' }).focus();
    await desk.page.keyboard.press('Enter');
    for (const stop of STOPS) {
      await heading(stop);
      expect(await seriousFindings(desk.page)).toEqual([]);
      await photograph(desk.page, `tour-${STOPS.indexOf(stop)}`);
      const [words, window] = [await tour().boundingBox(), desk.page.viewportSize()];
      expect((words?.x ?? 0) + (words?.width ?? 0)).toBeLessThanOrEqual(window?.width ?? 0);
      await desk.page.keyboard.press('Enter');
    }
    await tour().waitFor({ state: 'detached' });
    expect(await desk.page.getByText('New here?').count()).toBe(0);
  });

  it('leaves out what is not in sight, ends with Esc, and is found again in the help', async () => {
    await desk.page.setViewportSize({ width: 390, height: 844 });
    await desk.page.keyboard.press('F1');
    await desk.press('A look around');
    await desk.press('Show me');
    await tour().getByText('1 of 4').waitFor();
    await desk.page.keyboard.press('Escape');
    await tour().waitFor({ state: 'detached' });
    expect(desk.errors).toEqual([]);
  });
});
