import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { _electron, type ElectronApplication, type Page } from 'playwright-core';
import { findElectron } from '../../main/shell/electron-binary.ts';

export const ROOT = resolve(import.meta.dirname, '..', '..');

/** The folder that Electron is given: the sources with their build, or another build of them (test/desktop/old). */
export const APP = process.env.FOOTBRIDGE_DESKTOP_APP ?? ROOT;

/** Why the real desktop app cannot be driven here; undefined where it can. */
function whyNot(): string | undefined {
  if (findElectron(ROOT) === undefined)
    return 'there is no Electron (node node_modules/electron/install.js fetches it; ELECTRON_OVERRIDE_DIST_PATH names one)';
  if (process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY)
    return 'there is no display (xvfb-run gives one)';
  if (process.getuid?.() === 0) return 'Electron does not run sandboxed as root, and is not tested without';
  if (!existsSync(join(APP, 'dist', 'main', 'preload.cjs'))) return 'there is no build (npm run build)';
  return undefined;
}

/** Set: the suite is skipped, and says so loudly; a forge that provides Electron makes it a failure. */
export const notRun = whyNot();
if (notRun !== undefined) {
  console.error(`\n*** THE DESKTOP SUITE DID NOT RUN: ${notRun}. ***\n`);
  if (process.env.FOOTBRIDGE_DESKTOP_REQUIRED)
    throw new Error(`The desktop suite has to run here, but ${notRun}.`);
}

/** A picture of the page, where FOOTBRIDGE_PICTURES names a folder for them. */
export async function pagePicture({ page }: Pick<DesktopApp, 'page'>, name: string): Promise<void> {
  const folder = process.env.FOOTBRIDGE_PICTURES;
  if (folder) await page.screenshot({ path: join(folder, `page-${name}.png`) });
}

/** The process of its node. */
export async function nodePid({ app }: Pick<DesktopApp, 'app'>): Promise<number> {
  const pid = await app.evaluate(
    ({ app: electronApp }) => electronApp.getAppMetrics().find(({ name }) => name === 'node')?.pid,
  );
  if (pid === undefined) throw new Error('The node has no process of its own.');
  return pid;
}

/** Kills the process of its node, as the system does when memory is short. */
export async function killNode(desktop: Pick<DesktopApp, 'app'>): Promise<void> {
  process.kill(await nodePid(desktop), 'SIGKILL');
}

/** A running desktop app on a data folder of its own. */
export interface DesktopApp {
  readonly app: ElectronApplication;
  readonly page: Page;
  readonly dataDir: string;
  readonly args: readonly string[];
  /** Starts the program once more with these arguments on the same data; resolves to its exit code. */
  again(...args: string[]): Promise<number | null>;
  /** Asks the node through the page, as the window does. */
  ask<T>(path: string, init?: { method?: string; body?: string; type?: string }): Promise<T>;
  /** Quits as its menu does; resolves to the milliseconds it took. */
  quit(): Promise<number>;
  /** Ends it if it still runs, and removes its data. */
  remove(): Promise<void>;
}

export async function launchDesktop(
  options: { dataDir?: string; args?: readonly string[] } = {},
): Promise<DesktopApp> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'footbridge-desktop-')));
  const own = options.args ?? [];
  const args = [APP, '--data', dataDir, '--port', '0', '--window-port', '0', ...own];
  const program = findElectron(ROOT) ?? '';
  const app = await _electron.launch({
    executablePath: program,
    args,
    chromiumSandbox: true,
    timeout: 60_000,
  });
  const page = await app.firstWindow();
  await page.waitForLoadState('domcontentloaded');

  return {
    app,
    page,
    dataDir,
    args,
    async again(...more) {
      const { spawn } = await import('node:child_process');
      const child = spawn(program, [APP, '--data', dataDir, ...more], { stdio: 'ignore' });
      return new Promise((done, failed) => {
        child.on('error', failed);
        child.on('exit', done);
      });
    },
    ask<T>(path: string, init: { method?: string; body?: string; type?: string } = {}): Promise<T> {
      return page.evaluate(
        async ([to, { method, body, type }]) => {
          const session = await fetch('/app/session');
          const { csrfToken } = ((await session.json()) as { response: { csrfToken: string } }).response;
          const answer = await fetch(to, {
            method: method ?? 'GET',
            headers: { 'x-csrf-token': csrfToken, 'content-type': type ?? 'application/json' },
            ...(body === undefined ? {} : { body }),
          });
          const text = await answer.text();
          if (!answer.ok) throw new Error(`${to} answered ${answer.status}: ${text}`);
          return (JSON.parse(text) as { response: unknown }).response;
        },
        [path, init] as const,
      ) as Promise<T>;
    },
    async quit() {
      const began = performance.now();
      const closed = app.waitForEvent('close', { timeout: 10_000 });
      await app.evaluate(({ app: electronApp }) => electronApp.quit());
      await closed;
      return performance.now() - began;
    },
    async remove() {
      await app.close().catch(() => undefined);
      if (options.dataDir === undefined)
        await rm(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}
