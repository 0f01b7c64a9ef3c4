import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { electronDouble } from '../unit/main/electron-double.ts';

let folder: string;
const { argv } = process;
beforeEach(async () => {
  vi.resetModules();
  folder = await mkdtemp(join(tmpdir(), 'footbridge-second-'));
});
afterEach(async () => {
  process.argv = argv;
  await rm(folder, { recursive: true, force: true });
});

it('hands a second start over without loading the app for it', async () => {
  const double = electronDouble();
  double.singleInstance = false;
  process.argv = ['electron', resolve('.'), '--data', join(folder, 'data'), 'footbridge://open'];
  vi.doMock('electron', () => Object.fromEntries(Object.entries(double.electron)));
  const loaded = vi.fn();
  vi.doMock('../../main/shell/start-shell.ts', () => {
    loaded();
    return { startShell: () => Promise.resolve() };
  });
  await import('../../main/main.ts');
  expect(double.of('app.requestSingleInstanceLock')).toEqual([
    [expect.objectContaining({ link: 'footbridge://open' })],
  ]);
  expect(double.of('app.quit')).toHaveLength(1);
  expect(loaded).not.toHaveBeenCalled();
});

it('asks no other start about a link that does not fit into what they tell each other, and says that it is too long', async () => {
  const double = electronDouble();
  process.argv = ['electron', resolve('.'), `footbridge://pair?invite=${'x'.repeat(20_000)}`];
  vi.doMock('electron', () => Object.fromEntries(Object.entries(double.electron)));
  await import('../../main/main.ts');
  await vi.waitFor(() => expect(double.of('app.exit')).toHaveLength(1), { timeout: 10_000 });
  expect(double.boxes).toMatchObject([
    { message: 'This link can’t be used', detail: 'It’s too long for an invite.' },
  ]);
  expect(double.of('app.requestSingleInstanceLock')).toEqual([]);
});

it('says that nothing can be written where no start is ever the only one, and ends', async () => {
  const double = electronDouble();
  double.singleInstance = false;
  // As it does where it cannot make the folder.
  double.electron.app.getPath = () => {
    throw new Error("Failed to get 'userData' path");
  };
  process.argv = ['electron', resolve('.')];
  vi.doMock('electron', () => Object.fromEntries(Object.entries(double.electron)));
  double.answers.push(1);
  await import('../../main/main.ts');
  await vi.waitFor(() => expect(double.of('app.exit')).toHaveLength(1), { timeout: 10_000 });
  expect(double.boxes).toMatchObject([{ message: 'Footbridge can’t use its data folder' }]);
  expect(double.of('app.quit')).toEqual([]);
});
