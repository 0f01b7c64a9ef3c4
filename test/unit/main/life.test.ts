import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ListenError } from '../../../server/http/listeners/listen.ts';
import { asStoreError } from '../../../server/store/files/disk-steps.ts';
import { StoreError } from '../../../server/store/store.ts';
import { afterCrash } from '../../../main/shell/crash-policy.ts';
import { crashFileName, crashReport, writeReport } from '../../../main/shell/crash-report.ts';
import { applyLoginItem } from '../../../main/shell/login-item.ts';
import { packageInfo } from '../../../main/updates/updater.ts';
import { openShellState } from '../../../main/shell/shell-state.ts';
import { startFailure as explain, type Failure } from '../../../main/window/dialogs.ts';
import { translationFor } from '../../../main/text/i18n.ts';
import { runPhases } from '../../../main/shell/startup.ts';
import { saysYes, trayIsShown } from '../../../main/tray/tray.ts';
import { electronDouble } from './electron-double.ts';

const startFailure = (error: unknown): Failure => explain(error, translationFor('en', 'en-GB'));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footbridge-life-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('runs start phases in order and nothing after one that fails', async () => {
  const ran: string[] = [];
  const phase = (name: string, error?: Error): { name: string; run: () => void } => ({
    name,
    run() {
      ran.push(name);
      if (error) throw error;
    },
  });
  const broken = phase('two', new Error('broken'));
  expect(await runPhases([phase('one'), broken, phase('three')], () => false)).toEqual({
    end: 'failed',
    during: broken,
    error: new Error('broken'),
  });
  expect(ran).toEqual(['one', 'two']);
  expect(await runPhases([phase('four')], () => false)).toEqual({ end: 'started' });
});

it('stops starting when the user quits meanwhile', async () => {
  let quit = false;
  const first = { name: 'first', run: () => void (quit = true) };
  const second = { name: 'second', run: () => expect.unreachable() };
  expect(await runPhases([first, second], () => quit)).toEqual({ end: 'cancelled', during: second });
});

it('restarts three times in ten minutes, forgets older crashes and those of a clock put back', () => {
  let crashes: readonly number[] = [];
  const crash = (at: number): string => {
    const decision = afterCrash(crashes, at);
    crashes = decision.crashes;
    return decision.action;
  };
  expect([0, 1000, 2000, 3000].map(crash)).toEqual(['restart', 'restart', 'restart', 'give-up']);
  expect(crash(3000 + 10 * 60_000 + 1)).toBe('restart');
  crashes = [9e12, 9e12, 9e12];
  expect(crash(1000)).toBe('restart');
});

it('writes reports that name no secret and no user (A6)', () => {
  const secret = 'Z'.repeat(32);
  const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-DEF_123';
  const cause = new Error(`Authorization: Bearer ${jwt}`);
  const error = new Error(`GET https://1:${secret}@host/federation in /home/greta/data`, { cause });
  const place = {
    version: '1',
    platform: 'linux',
    release: '6',
    arch: 'x64',
    electron: '45',
    uptimeSeconds: 1.4,
  };
  const text = crashReport(error, 'sync', new Date(0), { ...place, home: '/home/greta' });
  expect(text).toMatch(/Footbridge 1 stopped unexpectedly\nAt: 1970-01-01T00:00:00.000Z\nDuring: sync/);
  expect(text).toMatch(/Caused by: Error: Authorization/);
  expect(text).toContain('~/data');
  for (const hidden of [secret, jwt, 'greta']) expect(text).not.toContain(hidden);
  expect(crashReport({ odd: 'throw' }, 'x', new Date(0), { ...place, home: '' })).toContain("odd: 'throw'");
});

it('keeps the last ten reports', async () => {
  await writeReport(folder, new Error('first'), 'test');
  for (let i = 0; i < 12; i++)
    await writeFile(join(folder, 'reports', crashFileName(new Date(i * 1000))), 'old');
  const file = await writeReport(folder, new Error('last'), 'test');
  expect(await readFile(file!, 'utf8')).toContain('last');
  expect(await readdir(join(folder, 'reports'))).toHaveLength(10);
  expect(await writeReport(join(file!, 'not a folder'), 'e', 'd')).toBeUndefined();
});

it('explains each way the store can refuse, without a report, and the unforeseen with one', () => {
  const codes = ['full', 'io', 'damaged', 'locked', 'newer-version', 'closed', 'permission'] as const;
  const messages = codes.map((code) => startFailure(new StoreError(code, 'Found.')));
  expect(new Set(messages.map(({ message }) => message)).size).toBe(codes.length);
  expect(messages.every(({ report, detail }) => !report && detail.startsWith('Found.\n\n'))).toBe(true);
  const port = startFailure(
    new ListenError('Port 7420 is in use by another program. Choose one with --port.'),
  );
  expect(port.detail).toMatch(/^Port 7420 is in use by another program\.\n\n/);
  expect(port.detail).not.toContain('--port');
  expect(startFailure(new TypeError('x is not a function'))).toMatchObject({ report: true });
  expect(startFailure(new TypeError('x is not a function')).detail).not.toContain('function');
  const full = explain(
    asStoreError(Object.assign(new Error(), { code: 'ENOSPC' })),
    translationFor('de', 'en-GB'),
  );
  expect(full.detail).toMatch(/^Der Datenträger ist voll/);
});

it('remembers what it is told, and puts a damaged file aside instead of losing it', async () => {
  const state = await openShellState(folder, new Date());
  const bounds = { x: 1, y: 2, width: 3, height: 4, maximized: false };
  await Promise.all([state.change({ closeExplained: true }), state.change({ bounds })]);
  const again = await openShellState(folder, new Date());
  expect(again.current()).toEqual({ closeExplained: true, bounds });
  for (const damage of ['', '{', '[]', 'null', '{"bounds":{"x":"left"}}', '\u0000\u0000']) {
    await writeFile(join(folder, 'shell.json'), damage);
    const fresh = await openShellState(folder, new Date());
    expect(fresh.current(), damage).toEqual({ closeExplained: false });
    expect(await readFile(fresh.putAside!, 'utf8')).toBe(damage);
  }
});

it('goes on when the disk refuses what the shell wants to remember', async () => {
  await writeFile(join(folder, 'file'), '');
  const state = await openShellState(join(folder, 'file'), new Date());
  await state.change({ closeExplained: true });
  expect(state.current().closeExplained).toBe(true);
});

it('writes and removes the autostart entry of a Linux desktop', async () => {
  const situation = { platform: 'linux', packaged: true, execPath: '/opt/footbridge', home: folder } as const;
  const { electron } = electronDouble();
  const file = join(folder, '.config', 'autostart', 'footbridge.desktop');
  await applyLoginItem(electron, situation, true);
  expect(await readFile(file, 'utf8')).toMatch(/^\[Desktop Entry\]\n.*Exec="\/opt\/footbridge" --hidden\n/s);
  await applyLoginItem(electron, situation, false);
  await applyLoginItem(electron, situation, false);
  expect(await readdir(join(folder, '.config', 'autostart'))).toEqual([]);
  await applyLoginItem(electron, { ...situation, packaged: false }, true);
  expect(await readdir(join(folder, '.config', 'autostart'))).toEqual([]);
});

it('believes a copy signed only when its packer says so', async () => {
  expect(packageInfo(folder, folder)).toEqual({ hasFeed: false, signed: false });
  await writeFile(join(folder, 'package.json'), '{"signed":"true"}');
  await writeFile(join(folder, 'app-update.yml'), '');
  expect(packageInfo(folder, folder)).toEqual({ hasFeed: true, signed: false });
  await writeFile(join(folder, 'package.json'), '{"signed":true}');
  expect(packageInfo(folder, folder).signed).toBe(true);
});

it('takes only a clear yes of the desktop for a tray', async () => {
  expect(saysYes('method return time=1.2 sender=:1.4\n   variant       boolean true\n')).toBe(true);
  for (const no of [
    '',
    '   variant       boolean false\n',
    'Error org.freedesktop.DBus.Error.ServiceUnknown: true',
  ])
    expect(saysYes(no)).toBe(false);
  expect(await trayIsShown('win32')).toBe(true);
  expect(await trayIsShown('darwin')).toBe(true);
  type Run = NonNullable<Parameters<typeof trayIsShown>[1]>;
  const missing = ((_file: string, _args: unknown, _options: unknown, done: (error: Error) => void) =>
    done(new Error('ENOENT'))) as unknown as Run;
  expect(await trayIsShown('linux', missing)).toBe(false);
});
