import { expect, it } from 'vitest';
import { defaultDataFolder } from '../../../main/shell/data-folder.ts';
import { electronProgram, failedToStart, planLaunch } from '../../../main/shell/launch-plan.ts';

const linux = { platform: 'linux', uid: 1000, args: [], env: { DISPLAY: ':0' } } as const;

it('runs the desktop app where there is a display, and says why where not', () => {
  expect(planLaunch(linux)).toEqual({ run: 'desktop' });
  expect(planLaunch({ ...linux, env: { WAYLAND_DISPLAY: 'wayland-0' } })).toEqual({ run: 'desktop' });
  expect(planLaunch({ ...linux, env: {} })).toEqual({ run: 'headless', why: 'There is no display here.' });
  expect(planLaunch({ ...linux, uid: 0 })).toMatchObject({ run: 'headless', why: /root/ });
  expect(planLaunch({ ...linux, args: ['--headless'] })).toEqual({ run: 'headless', why: '' });
  expect(planLaunch({ platform: 'win32', uid: undefined, args: [], env: {} })).toEqual({ run: 'desktop' });
  expect(planLaunch({ platform: 'darwin', uid: 501, args: [], env: {} })).toEqual({ run: 'desktop' });
});

it('tells an app that did not come up from one that the user ended', () => {
  expect(failedToStart(null, 'SIGTRAP', 300)).toBe(true);
  expect(failedToStart(127, null, 100)).toBe(true);
  expect(failedToStart(1, null, 5_000)).toBe(true);
  expect(failedToStart(0, null, 300)).toBe(false);
  expect(failedToStart(3, null, 300)).toBe(false);
  expect(failedToStart(null, 'SIGINT', 300)).toBe(false);
  expect(failedToStart(null, 'SIGSEGV', 60_000)).toBe(false);
});

it('finds Electron’s program where each system has it', () => {
  expect(electronProgram('linux', '/e')).toBe('/e/electron');
  expect(electronProgram('darwin', '/e')).toBe('/e/Electron.app/Contents/MacOS/Electron');
  expect(electronProgram('win32', 'C:\\e')).toBe('C:\\e\\electron.exe');
});

it('keeps data where each system keeps data, the same for app and headless node', () => {
  const of = (platform: NodeJS.Platform, home: string, env: Record<string, string> = {}): string =>
    defaultDataFolder({ platform, home, env });
  expect(of('linux', '/home/a')).toBe('/home/a/.local/share/footbridge');
  expect(of('linux', '/home/a', { XDG_DATA_HOME: '/data' })).toBe('/data/footbridge');
  expect(of('linux', '/home/a', { XDG_DATA_HOME: 'relative' })).toBe('/home/a/.local/share/footbridge');
  expect(of('darwin', '/Users/a')).toBe('/Users/a/Library/Application Support/Footbridge/data');
  expect(of('win32', 'C:\\Users\\a', { LOCALAPPDATA: 'D:\\Local' })).toBe('D:\\Local\\Footbridge\\data');
  expect(of('win32', 'C:\\Users\\a')).toBe('C:\\Users\\a\\AppData\\Local\\Footbridge\\data');
  expect(of('linux', '/home/a', { FOOTBRIDGE_DATA: '/elsewhere' })).toBe('/elsewhere');
});
