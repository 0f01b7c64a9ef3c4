import { join, resolve } from 'node:path';
import { expect, vi } from 'vitest';
import { electronDouble, type ElectronDouble } from '../unit/main/electron-double.ts';
import { askThrough, type Ask } from './origin-office.ts';

/** The whole desktop app, its real entry, node, store and listeners, with only Electron itself stood in for. */
export interface StandInApp {
  readonly double: ElectronDouble;
  /** Asks through the app's own protocol, as the page does. */
  readonly ask: Ask;
  /** Quits as its menu does; resolves to the milliseconds it took, 0 when it had ended before. */
  quit(): Promise<number>;
}

/** Runs the app's entry as Electron would, on the data in `folder`, with free ports. One at a time. */
export async function launchStandIn(folder: string, ...args: string[]): Promise<StandInApp> {
  const double = electronDouble();
  const { argv } = process;
  const data = ['--data', join(folder, 'data'), '--port', '0', '--window-port', '0'];
  process.argv = ['electron', resolve('.'), ...data, '--allow-loopback-partners', ...args];
  Object.assign(process, { resourcesPath: folder });
  vi.resetModules();
  vi.doMock('electron', () => Object.fromEntries(Object.entries(double.electron)));
  await import('../../main/main.ts');
  await vi.waitFor(() => expect(double.windows).toHaveLength(1), { timeout: 60_000 });

  return {
    double,
    ask: askThrough((path, init) => double.fetch(`app://footbridge${path}`, init)),
    async quit() {
      if (double.of('app ended').length > 0) return 0;
      const began = performance.now();
      double.electron.app.quit();
      await vi.waitFor(() => expect(double.of('app ended')).toHaveLength(1), {
        timeout: 15_000,
        interval: 10,
      });
      process.argv = argv;
      process.removeAllListeners('uncaughtException');
      process.removeAllListeners('unhandledRejection');
      return performance.now() - began;
    },
  };
}
