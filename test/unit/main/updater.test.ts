import { EventEmitter } from 'node:events';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { UpdateState } from '../../../server/contract/app/desktop.ts';
import { textsIn } from '../../../main/text/i18n.ts';
import { Updater, type UpdaterDeps } from '../../../main/updates/updater.ts';

/** The part of electron-updater's updater that is used, answering as told. */
interface Engine extends EventEmitter {
  autoDownload: boolean;
  autoInstallOnAppQuit: boolean;
  logger: unknown;
  checks: number;
  installed: boolean;
  find: () => unknown;
}
let engine: Engine;
let states: UpdateState['state'][];
let checkedAt: number[];
let loaded: number;
beforeEach(() => {
  [states, checkedAt, loaded] = [[], [], 0];
  engine = Object.assign(new EventEmitter(), {
    autoDownload: false,
    autoInstallOnAppQuit: false,
    logger: console,
    checks: 0,
    installed: false,
    find: (): unknown => ({ isUpdateAvailable: false, updateInfo: { version: '1.0.0' } }),
    checkForUpdates(): Promise<unknown> {
      engine.checks++;
      return Promise.resolve().then(() => engine.find());
    },
    quitAndInstall(): void {
      engine.installed = true;
    },
  });
});
afterEach(() => vi.useRealTimers());

function updater(over: Partial<UpdaterDeps['situation']> = {}): Updater {
  return new Updater({
    situation: { packaged: true, platform: 'win32', hasFeed: true, signed: true, ...over },
    loadEngine() {
      loaded++;
      return Promise.resolve(engine as unknown as Awaited<ReturnType<UpdaterDeps['loadEngine']>>);
    },
    lastCheckedAt: () => checkedAt.at(-1),
    checkedAt: (when) => checkedAt.push(when),
    now: Date.now,
    log: pino({ level: 'silent' }),
    texts: () => textsIn('en'),
    onChange: ({ state }) => states.push(state),
  });
}
const found = (downloadPromise: Promise<unknown> = Promise.resolve()): object => ({
  isUpdateAvailable: true,
  updateInfo: { version: '2.0.0' },
  downloadPromise,
});

it('does not even load where updates are not allowed, and says why', async () => {
  for (const lacking of [{ packaged: false }, { hasFeed: false }, { signed: false }]) {
    const made = updater(lacking);
    made.enable(true);
    expect(await made.check()).toMatchObject({
      state: 'off',
      message: expect.stringMatching(/\./) as string,
    });
    expect(made.install()).toBe(false);
  }
  expect(loaded).toBe(0);
});

it('finds, loads and installs an update, restarting only when asked', async () => {
  engine.find = () => found();
  const made = updater();
  made.enable(false);
  expect(await made.check()).toMatchObject({ state: 'downloading', version: '2.0.0' });
  expect(made.install()).toBe(false);
  engine.emit('update-downloaded', { version: '2.0.0' });
  expect(made.state()).toMatchObject({ state: 'ready', version: '2.0.0' });
  expect(await made.check()).toMatchObject({ state: 'ready' });
  expect(engine.installed).toBe(false);
  expect(made.install()).toBe(true);
  expect(engine.installed).toBe(true);
  expect(states).toEqual(['checking', 'downloading', 'ready']);
});

it('says so when there is none', async () => {
  expect(await updater().check()).toMatchObject({ state: 'none' });
});

it('is quiet without a network, also while loading', async () => {
  engine.find = () => Promise.reject(new Error('net::ERR_INTERNET_DISCONNECTED'));
  const made = updater();
  expect(await made.check()).toMatchObject({ state: 'failed' });
  engine.emit('error', new Error('nobody listens to an error'));
  engine.find = () => found(Promise.reject(new Error('cut off')));
  await made.check();
  await vi.waitFor(() => expect(made.state()).toMatchObject({ state: 'failed' }));
});

it('looks by itself a minute after the start and then daily, only while it is switched on', async () => {
  vi.useFakeTimers();
  const made = updater();
  made.enable(true);
  await vi.advanceTimersByTimeAsync(59_000);
  expect(engine.checks).toBe(0);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(engine.checks).toBe(1);
  await vi.advanceTimersByTimeAsync(23 * 3_600_000);
  expect(engine.checks).toBe(1);
  await vi.advanceTimersByTimeAsync(2 * 3_600_000);
  expect(engine.checks).toBe(2);
  made.enable(false);
  await vi.advanceTimersByTimeAsync(72 * 3_600_000);
  expect(engine.checks).toBe(2);
  made.enable(true);
  made.stop();
  await vi.advanceTimersByTimeAsync(72 * 3_600_000);
  expect(engine.checks).toBe(2);
});
