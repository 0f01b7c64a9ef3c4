import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seriousFindings } from '../support/reading/axe.ts';
import { launchBrowser, openWindow } from '../support/harness/browser.ts';
import { serveBuilt, type Served } from '../support/harness/program.ts';

describe('the window is usable by everyone', () => {
  let browser: Browser;
  let served: Served;
  let page: Page;
  let nodeID = '';
  let moduleID = '';

  const ask = <T>(path: string, body?: unknown, method = 'POST'): Promise<T> =>
    page.evaluate(
      async ([url, sent, how]) => {
        const session = (await (await fetch('/app/session')).json()) as { response: { csrfToken: string } };
        const answer = await fetch(url, {
          method: how,
          headers: { 'content-type': 'application/json', 'x-csrf-token': session.response.csrfToken },
          body: JSON.stringify(sent),
        });
        return ((await answer.json()) as { response: T }).response;
      },
      [path, body ?? {}, method] as const,
    );

  beforeAll(async () => {
    browser = await launchBrowser();
    served = await serveBuilt();
    page = await openWindow(browser, served.window);
    await page.getByLabel('What is your office called?').waitFor();
  });
  afterAll(async () => {
    await browser.close();
    await served.remove();
  });

  it('first run has no serious finding in light or dark', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      // Without motion: colours that are still fading would be measured half-way.
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      expect(await seriousFindings(page), colorScheme).toEqual([]);
    }
  });

  it('dialogs, menus and details have no serious finding, trap the focus and give it back', async () => {
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    ({ moduleID } = await ask<{ moduleID: string }>('/app/samples', { name: 'customers' }));
    ({ nodeID } = await ask<{ nodeID: string }>('/app/invites', { name: 'Berlin office' }));
    await ask('/app/settings', { office: 'Harbour Street', firstRunDone: true }, 'PATCH');
    await page.evaluate((to) => (location.hash = to), `#/lists/${moduleID}`);
    const add = page.getByRole('button', { name: 'Add a row' });
    await add.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    for (let i = 0; i < 40; i++) await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('[role=dialog]') !== null)).toBe(true);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => add.evaluate((button) => document.activeElement === button)).toBe(true);

    await page.getByRole('grid').focus();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('complementary', { name: 'Details' }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('grid');
  });

  it('a cell is edited, kept and undone by keyboard alone', async () => {
    await page.getByRole('grid').focus();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowRight');
    const cell = page.locator('[data-index="0"] [data-column="1"]');
    const before = (await cell.textContent())?.trim() ?? '';
    await page.keyboard.press('F2');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('By keyboard');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await cell.textContent())?.trim()).toBe('By keyboard');
    await page.keyboard.press('Control+Z');
    await expect.poll(async () => (await cell.textContent())?.trim()).toBe(before);
  });

  it('names and values with markup in them are shown as text', async () => {
    const evil = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';
    await ask('/app/settings', { office: evil }, 'PATCH');
    const list = await ask<{ moduleID: string }>('/app/lists', {
      name: evil,
      fields: [{ label: evil, name: 'Evil', kind: 'String', isMulti: false }],
    });
    await ask(`/app/lists/${list.moduleID}/rows`, { values: { Evil: [evil] } });
    await ask(`/app/partners/${nodeID}`, { name: evil }, 'PATCH');
    const places = [
      `#/lists/${list.moduleID}`,
      '#/lists',
      `#/partners/${nodeID}/share/${list.moduleID}`,
      '#/',
    ];
    for (const hash of places) {
      await page.evaluate((to) => (location.hash = to), hash);
      await page.getByText('<img src=x').first().waitFor();
      await page.waitForTimeout(200);
    }
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
    expect(await page.locator('main img').count()).toBe(0);
  });
});
