import type { Browser, Locator, Page } from 'playwright-core';
import { z } from 'zod';
import { sessionAnswer } from '../../../server/contract/app/overview.ts';
import { launchBrowser, openWindow } from './browser.ts';
import { callsThrough, type Spoken } from './calls.ts';
import { serveBuilt, type Served } from './program.ts';

/** An office as its user has it: the built app in a process of its own, and its window in a browser. */
export interface Desk extends Spoken {
  readonly served: Served;
  readonly page: Page;
  /** What the window's console complained about. */
  readonly errors: string[];
  /** Puts a CSV file into a list of that name; answers the list's id. */
  csv(list: string, text: string): Promise<string>;
  /** Goes to an address of the window, as a bookmark would. Discards what is unsaved there. */
  go(hash: string): Promise<void>;
  /** Presses the first button of that name. */
  press(name: string | RegExp): Promise<void>;
  /** Chooses from one of the window's own drop-down fields. */
  choose(field: string | RegExp, option: string | RegExp): Promise<void>;
  /** Text that is seen, wherever it stands first. */
  sees(text: string | RegExp): Promise<void>;
  close(): Promise<void>;
}

/** Long enough for a busy machine, short enough that a test that broke ends soon. */
const PATIENCE_MS = 30_000;

const LONG_CALL_MS = 120_000;

/**
 * Starts an office and opens its window. With a name its first steps are behind it; without one they are on the
 * screen. `app` speaks with the window's own session, to set the scene.
 */
export async function openDesk(
  browser: Browser,
  name?: string,
  options: Parameters<typeof serveBuilt>[0] = {},
): Promise<Desk> {
  const served = await serveBuilt(options);
  const errors: string[] = [];
  const page = await openWindow(browser, served.window, errors);
  page.setDefaultTimeout(PATIENCE_MS);
  const origin = new URL(page.url()).origin;
  let csrfToken: string | undefined;

  const app = callsThrough(async (path, { method, headers, body }) => {
    const { request } = page.context();
    csrfToken ??= z
      .object({ response: sessionAnswer })
      .parse(await (await request.get(`${origin}/app/session`)).json()).response.csrfToken;
    const answer = await request.fetch(origin + path, {
      method,
      headers: { 'x-csrf-token': csrfToken, ...headers },
      ...(body === undefined ? {} : { data: Buffer.from(body) }),
      timeout: LONG_CALL_MS,
    });
    return { status: answer.status(), text: () => answer.text() };
  });
  if (name !== undefined) {
    await app('PATCH', '/app/settings', { office: name, firstRunDone: true });
    await page.getByRole('navigation', { name: 'Places' }).waitFor();
  }

  const first = (locator: Locator): Locator => locator.filter({ visible: true }).first();
  return {
    served,
    page,
    errors,
    app,
    async csv(list, text) {
      const path = `/app/import?list=${encodeURIComponent(list)}`;
      return (await app<{ moduleID: string }>('POST', path, text)).moduleID;
    },
    async go(hash) {
      await page.evaluate(async (to) => {
        location.hash = to;
        await new Promise((done) => setTimeout(done));
        // A browser without a screen may draw no frame for minutes.
        await new Promise((done) => {
          requestAnimationFrame(() => requestAnimationFrame(done));
          setTimeout(done, 2000);
        });
        document.querySelector<HTMLElement>('.dialog.above .danger')?.click();
      }, hash);
    },
    // Not the question what a word means, which has the word in its name.
    press: (text) =>
      first(page.getByRole('button', { name: text }).and(page.locator(':not(.meaning-mark)'))).click(),
    async choose(field, option) {
      await first(page.getByLabel(field)).click();
      await first(page.getByRole('option', { name: option })).click();
    },
    async sees(text) {
      try {
        await first(page.getByText(text)).waitFor();
      } catch (cause) {
        const shown = (await page.locator('body').innerText()).replace(/\s+/g, ' ');
        throw new Error(`${String(text)} is not seen. On the screen: ${shown.slice(0, 2000)}`, { cause });
      }
    },
    async close() {
      // An answer that a test makes up may be on its way.
      if (!page.isClosed()) await page.unrouteAll({ behavior: 'ignoreErrors' });
      await page.context().close();
      await served.remove();
    },
  };
}

/** Desks of several offices in one browser. */
export interface Desks {
  readonly browser: Browser;
  readonly all: readonly [Desk, Desk];
  close(): Promise<void>;
}

/** Two offices that do not know each other yet, with their first steps behind them. */
export async function openDesks(one: string, other: string): Promise<Desks> {
  const browser = await launchBrowser();
  const all = await Promise.all([openDesk(browser, one), openDesk(browser, other)]);
  return {
    browser,
    all,
    async close() {
      for (const desk of all) await desk.close();
      await browser.close();
    },
  };
}
