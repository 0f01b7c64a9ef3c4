import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Overview } from '../../server/contract/app/overview.ts';
import type { ListSummary } from '../../server/contract/app/lists.ts';
import type { SettingsAnswer } from '../../server/contract/app/settings.ts';
import { soon } from '../support/harness/soon.ts';
import { startOriginApart, until } from './origin-office.ts';
import { launchStandIn, type StandInApp } from './stand-in-app.ts';

/* The desktop app on a stand-in for Electron; what it does with the real one is for app.test.ts. */

let folder: string;
let app: StandInApp;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footbridge-main-'));
});
afterEach(async () => {
  await app.quit();
  // The shell may be writing down where its window stood, which real Electron's end would cut off.
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
});

it('serves the window’s interface through its own protocol, with secrets in the keyring', async () => {
  app = await launchStandIn(folder);
  expect((await app.ask<Overview>('/app/overview')).partners).toEqual([]);
  const { secretProtection, dataDir } = await app.ask<SettingsAnswer>('/app/settings');
  expect(secretProtection).toBe('system');
  expect(dataDir).toBe(join(folder, 'data'));
  expect(app.double.of('app.setPath')).toEqual([['userData', join(folder, 'data', 'desktop')]]);
  expect(app.double.of('app.enableSandbox')).toHaveLength(1);
  const refused = await app.double.fetch('app://footbridge/app/sync', { method: 'POST' });
  expect(refused.status, 'without the header that only the window sends').toBe(403);
});

it('hears of a changed setting through the event stream, and follows it in the tray', async () => {
  app = await launchStandIn(folder);
  const stream = (await app.double.fetch('app://footbridge/app/events')).body!.getReader();
  await app.ask('/app/settings', { method: 'PATCH', body: '{"language":"de"}' });
  let heard = '';
  while (!heard.includes('event: settings')) heard += new TextDecoder().decode((await stream.read()).value);
  await stream.cancel();
  await soon(() => expect(app.double.trays[0]?.menu.map(({ label }) => label)).toContain('Jetzt abgleichen'));
});

it('starts the process of the node again when it is killed, says so, and goes on', async () => {
  app = await launchStandIn(folder);
  await app.ask('/app/settings', { method: 'PATCH', body: '{"office":"Goes on"}' });
  app.double.forked[0]?.child.kill('SIGKILL');
  await soon(() =>
    expect(app.double.boxes.map(({ message }) => message)).toEqual([
      'Footbridge had a problem and started again',
    ]),
  );
  expect((await app.ask<Overview>('/app/overview')).office).toBe('Goes on');
  expect(app.double.forked).toHaveLength(2);
  expect(await readdir(join(folder, 'data', 'reports'))).toHaveLength(1);
  await app.quit();
  expect(app.double.forked[1]?.child.killed, 'ended with the app').toBe(true);
});

it('ends within two seconds in the middle of a pull, loses nothing, and goes on after the next start (E5)', async () => {
  const rows = 20_000;
  // In a process of its own: the app resets the modules here, and an office would load its routes a second time.
  const origin = await startOriginApart(join(folder, 'origin'), rows);
  try {
    app = await launchStandIn(folder);
    const { moduleID } = await origin.shareWith(app.ask);
    const received = async (): Promise<number> =>
      (await app.ask<ListSummary[]>('/app/lists')).find((list) => list.moduleID === moduleID)?.rows ?? 0;
    const before = await until(async () => (await received()) || false);
    const took = await app.quit();
    console.log(`quit with ${before} of ${rows} rows received: ${Math.round(took)} ms`);
    expect(before, 'the pull was to be under way still').toBeLessThan(rows);
    // The two seconds are counted by a made-up clock in shell.test.ts; a busy machine may need more of the real ones.
    expect(took).toBeLessThan(6000);

    app = await launchStandIn(folder);
    expect(await received()).toBeGreaterThanOrEqual(before);
    await until(async () => (await received()) === rows);
    await soon(() => expect(app.double.notifications).toHaveLength(1));
    expect(app.double.notifications[0]?.options.title).toBe('Origin office');
  } finally {
    await origin.stop();
  }
}, 90_000);
