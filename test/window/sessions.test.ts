import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser } from '../support/harness/browser.ts';
import { openDesk, type Desk } from '../support/harness/desk.ts';

let browser: Browser;
let desk: Desk;

beforeAll(async () => {
  browser = await launchBrowser();
  desk = await openDesk(browser, 'Harbour Chandlers');
  await desk.go('#/settings');
});
afterAll(async () => {
  await browser.close();
  await desk.close();
});

it('Settings list the windows that are let in, and sign one out', async () => {
  const section = desk.page.getByRole('region', { name: 'Signed-in windows' });
  await section.getByText('this window').waitFor();
  expect(await section.getByRole('listitem').count()).toBe(1);
  expect(await section.getByRole('button', { name: 'Sign out all others' }).count()).toBe(0);
  await section.getByRole('button', { name: 'Sign out' }).click();
  await section.waitFor({ state: 'detached' });
  await expect(desk.app('GET', '/app/settings')).rejects.toMatchObject({ status: 401 });
});
