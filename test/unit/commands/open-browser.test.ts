import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openBrowser, type Desktop } from '../../../server/commands/open-browser.ts';

const KEY = 'q7Zx_0-Lk3mVb9TfRw2YpNc8';
const LINK = `http://127.0.0.1:7421/?key=${KEY}`;

let folder: string;
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'footbridge-open-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

function fakeDesktop(platform: NodeJS.Platform): Desktop & { started: string[][]; timers: (() => void)[] } {
  const started: string[][] = [];
  const timers: (() => void)[] = [];
  return {
    platform,
    env: { DISPLAY: ':0' },
    started,
    timers,
    start: (command, args) => void started.push([command, ...args]),
    after: (_milliseconds, work) => void timers.push(work),
  };
}

describe('opening the window in a browser', () => {
  it.each([
    ['linux', 'xdg-open'],
    ['darwin', 'open'],
    ['win32', 'cmd'],
  ] as const)(
    'on %s gives %s no key, but a page for this user alone that leads there',
    (platform, program) => {
      const desktop = fakeDesktop(platform);
      openBrowser(LINK, folder, desktop);
      const [started = []] = desktop.started;
      expect(started[0]).toBe(program);
      expect(started.join(' ')).not.toContain(KEY);
      const page = fileURLToPath(started.at(-1) ?? '');
      expect(readFileSync(page, 'utf8')).toContain(`content="0; url=${LINK}"`);
      if (process.platform !== 'win32') expect(statSync(page).mode & 0o777).toBe(0o600);
    },
  );

  it('removes the page after a while, and at the end, whichever comes first', () => {
    const desktop = fakeDesktop('linux');
    const page = (): boolean => existsSync(join(folder, 'open-window.html'));
    const close = openBrowser(LINK, folder, desktop);
    expect(page()).toBe(true);
    desktop.timers[0]?.();
    expect(page()).toBe(false);
    close();
    openBrowser(LINK, folder, desktop)();
    expect(page()).toBe(false);
  });

  it('replaces a page that was left behind, whatever it says', async () => {
    await writeFile(join(folder, 'open-window.html'), 'of long ago', { mode: 0o644 });
    openBrowser(LINK, folder, fakeDesktop('linux'));
    expect(readFileSync(join(folder, 'open-window.html'), 'utf8')).toContain(KEY);
    if (process.platform !== 'win32')
      expect(statSync(join(folder, 'open-window.html')).mode & 0o777).toBe(0o600);
  });

  it('does nothing where there is no desktop', () => {
    const desktop = { ...fakeDesktop('linux'), env: {} };
    openBrowser(LINK, folder, desktop);
    expect(desktop.started).toEqual([]);
    expect(existsSync(join(folder, 'open-window.html'))).toBe(false);
  });
});
