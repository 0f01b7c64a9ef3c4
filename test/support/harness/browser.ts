import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import {
  chromium,
  type Browser,
  type BrowserServer,
  type Download,
  type Page,
  type Response,
} from 'playwright-core';
import { faultOf } from './answers.ts';

const SHOTS = fileURLToPath(new URL('../../../test-output/screenshots', import.meta.url));

const TAKES_PICTURES = process.env.FOOTBRIDGE_SCREENSHOTS !== undefined;

let running: Promise<BrowserServer> | undefined;

/**
 * Connects to the Chromium of this process, which its test files share. Closing the connection closes the windows that
 * were opened through it. Takes Debian's Chromium, or the one that FOOTBRIDGE_CHROMIUM names; it looks for nothing on the
 * network.
 */
export async function launchBrowser(): Promise<Browser> {
  running ??= startBrowser();
  return chromium.connect((await running).wsEndpoint());
}

async function startBrowser(): Promise<BrowserServer> {
  const server = await chromium.launchServer({
    host: '127.0.0.1',
    executablePath: process.env.FOOTBRIDGE_CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  // One that crashed is started again by the next test file.
  server.on('close', () => (running = undefined));
  return server;
}

/** Returns the bytes of a file that the window saved. */
export const savedBytes = async (download: Download): Promise<Buffer> =>
  buffer(await download.createReadStream());

/** A window of its own, with cookies of its own, opened by a one-time link. Fails on any error in its console. */
export async function openWindow(browser: Browser, link: string, errors: string[] = []): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 860 } });
  const page = await context.newPage();
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('response', (response) => void promised(response).then((fault) => fault && errors.push(fault)));
  await page.goto(link);
  return page;
}

/** What is wrong with an answer that the window got from its node, by the table of calls. */
async function promised(response: Response): Promise<string | undefined> {
  const isAnswer = response.ok() && response.headers()['content-type']?.startsWith('application/json');
  if (!isAnswer || !new URL(response.url()).pathname.startsWith('/app/')) return undefined;
  // The page may have gone on before the answer was read to its end.
  const body: unknown = await response.json().catch(() => undefined);
  return body === undefined ? undefined : faultOf(response.request().method(), response.url(), body);
}

/** How bright the ground of the page is, from 0 to 255. */
export function brightness(page: Page): Promise<number> {
  return page.evaluate(() => {
    const [red = 0, green = 0, blue = 0] =
      getComputedStyle(document.documentElement)
        .backgroundColor.match(/[\d.]+/g)
        ?.map(Number) ?? [];
    return (red + green + blue) / 3;
  });
}

/**
 * Keeps a picture of the page under test-output/screenshots, for people to look at: where somebody asked for pictures
 * by FOOTBRIDGE_SCREENSHOTS, as nothing is checked by them and each takes its time.
 */
export async function shoot(page: Page, name: string): Promise<void> {
  if (!TAKES_PICTURES) return;
  mkdirSync(SHOTS, { recursive: true });
  await page.screenshot({ path: join(SHOTS, `${name}.png`) });
}

/** {@link shoot} in light and in dark, without the messages of what was done just before. */
export async function photograph(page: Page, name: string): Promise<void> {
  if (!TAKES_PICTURES) return;
  const messages = page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Close' });
  while (await messages.count()) await messages.first().click();
  for (const colorScheme of ['light', 'dark'] as const) {
    // Colours that are still fading would be taken half-way.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.waitForTimeout(400);
    await shoot(page, `${name}-${colorScheme}`);
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
}
