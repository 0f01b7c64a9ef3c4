import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { launchDesktop, nodePid, type DesktopApp } from '../desktop-app.ts';
import { notOnDesktop, picture, run, titled, traySeen, windowsSeen } from './whole-desktop.ts';

/** Titles of windows of which one is ours. */
const OURS: unknown = expect.arrayContaining([expect.stringContaining('Footbridge')]);

describe.skipIf(notOnDesktop !== undefined)(titled('the window on a desktop'), () => {
  let folder: string;
  let desktop: DesktopApp | undefined;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'footbridge-window-'));
  });
  afterEach(async () => {
    await desktop?.remove();
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  });

  interface Place {
    visible: boolean;
    focused: boolean;
    minimized: boolean;
    maximized: boolean;
    bounds: { x: number; y: number; width: number; height: number };
  }
  const place = (of: DesktopApp): Promise<Place> =>
    of.app.evaluate(({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows();
      return {
        visible: window?.isVisible() ?? false,
        focused: window?.isFocused() ?? false,
        minimized: window?.isMinimized() ?? false,
        maximized: window?.isMaximized() ?? false,
        bounds: window?.getNormalBounds() ?? { x: 0, y: 0, width: 0, height: 0 },
      };
    });
  const opened = async (): Promise<DesktopApp> => {
    desktop = await launchDesktop({ dataDir: join(folder, 'data') });
    const now = desktop;
    await expect.poll(async () => (await place(now)).visible, { timeout: 5000 }).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 500));
    return desktop;
  };

  it('opens where the user left it, however often', async () => {
    let now = await opened();
    await run('xdotool', 'getactivewindow', 'windowmove', '--sync', '60', '90', 'windowsize', '1000', '650');
    await new Promise((resolve) => setTimeout(resolve, 500));
    const { bounds } = await place(now);
    for (let start = 0; start < 3; start += 1) {
      await now.quit();
      now = await opened();
    }
    await picture('bounds');
    expect((await place(now)).bounds).toEqual(bounds);
  });

  it('opens maximized when it was left so, and knows its size of before', async () => {
    let now = await opened();
    const { bounds } = await place(now);
    await now.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.maximize());
    await expect.poll(async () => (await place(now)).maximized).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 500));
    await now.quit();
    now = await opened();
    const after = await place(now);
    await picture('maximized');
    expect(after.maximized).toBe(true);
    expect(after.bounds).toMatchObject({ width: bounds.width, height: bounds.height });
  });

  it('outlives a link that is too long, and says so', async () => {
    const now = await opened();
    const second = now.again(`footbridge://pair?invite=${'x'.repeat(40_000)}`);
    await expect.poll(windowsSeen, { timeout: 10_000 }).toContain('Footbridge');
    await picture('link-too-long');
    await run('xdotool', 'key', 'Return');
    // As after everything that the user was told.
    expect(await second).toBe(3);
    expect((await place(now)).visible).toBe(true);
  });

  it('runs in the end when it is started while it ends', async () => {
    const now = await opened();
    const first = now.app.process();
    const ended = new Promise((done) => first.once('exit', done));
    // It takes its whole time to end with a node that does not answer.
    process.kill(await nodePid(now), 'SIGSTOP');
    const quit = now.app.evaluate(({ app }) => app.quit());
    // It may be gone before it answers, and the second start may outlive it or be the one that runs.
    quit.catch(() => undefined);
    void now.again();
    await ended;
    await expect.poll(windowsSeen, { timeout: 30_000 }).toEqual(OURS);
    await (await traySeen())?.click('Quit Footbridge').catch(() => undefined);
    await expect.poll(windowsSeen, { timeout: 10_000 }).not.toEqual(OURS);
  });

  it('comes to the front, out of the task bar and over other windows, at a second start', async () => {
    const now = await opened();
    await now.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.minimize());
    await expect.poll(async () => (await place(now)).minimized).toBe(true);
    expect(await now.again('footbridge://open')).toBe(0);
    await expect.poll(() => place(now)).toMatchObject({ minimized: false, focused: true });
  });
});
