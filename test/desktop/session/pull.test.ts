import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ListSummary } from '../../../server/contract/app/lists.ts';
import { launchDesktop, type DesktopApp } from '../desktop-app.ts';
import { startOriginApart, until } from '../origin-office.ts';
import { notOnDesktop, picture, run, titled } from './whole-desktop.ts';

const ROWS = 100_000;

/** How long the page waited for each of its frames, in milliseconds, until it is told to stop. */
async function watchFrames(of: DesktopApp): Promise<() => Promise<number[]>> {
  await of.page.evaluate(() => {
    const watched = { frames: [] as number[], last: performance.now(), on: true };
    Object.assign(window, { watched });
    const frame = (at: number): void => {
      watched.frames.push(at - watched.last);
      watched.last = at;
      if (watched.on) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  return () =>
    of.page.evaluate(() => {
      const { watched } = window as unknown as { watched: { frames: number[]; on: boolean } };
      watched.on = false;
      return watched.frames.slice(1);
    });
}

const at = (sorted: readonly number[], share: number): number =>
  Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10;

describe.skipIf(notOnDesktop !== undefined)(titled(`a pull of ${ROWS} rows on a desktop`), () => {
  it('quits within two seconds in the middle of it, loses nothing, and leaves the window smooth', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'footbridge-pull-'));
    const origin = await startOriginApart(join(folder, 'origin'), ROWS);
    const launch = (): Promise<DesktopApp> =>
      launchDesktop({ dataDir: join(folder, 'data'), args: ['--allow-loopback-partners'] });
    let desktop = await launch();
    try {
      await desktop.ask('/app/settings', { method: 'PATCH', body: '{"office":"Pull","firstRunDone":true}' });
      const { moduleID } = await origin.shareWith((path, init) => desktop.ask(path, init));
      const received = async (): Promise<number> =>
        (await desktop.ask<ListSummary[]>('/app/lists')).find((list) => list.moduleID === moduleID)?.rows ??
        0;
      const before = await until(async () => (await received()) > 5000 && (await received()));
      const took = await desktop.quit();
      expect(before, 'the pull was to be under way still').toBeLessThan(ROWS);
      expect(took).toBeLessThan(6_000);

      desktop = await launch();
      const after = await received();
      console.log(`quit with ${before} rows: ${Math.round(took)} ms; ${after} rows after the next start`);
      expect(after).toBeGreaterThanOrEqual(before);
      await desktop.page.evaluate((list) => (location.hash = `#/lists/${list}`), moduleID);
      await desktop.page.getByRole('grid').waitFor({ timeout: 20_000 });
      const stop = await watchFrames(desktop);
      const began = performance.now();
      const from = after;
      const end = began + 90_000;
      // As somebody who looks through the list, and takes the window somewhere else, while the rows arrive.
      const [window] = (await run('xdotool', 'search', '--onlyvisible', '--name', 'Footbridge')).split('\n');
      await desktop.page.mouse.move(700, 500);
      for (let step = 0; (await received()) < ROWS && performance.now() < end; step++) {
        await desktop.page.mouse.wheel(0, step % 20 < 10 ? 400 : -400);
        if (step % 4 === 0) {
          const place = 40 + 4 * (step % 20);
          await run('xdotool', 'windowmove', window ?? '', String(place), String(place));
        }
        await new Promise((resolve) => setTimeout(resolve, 30));
      }
      const seconds = (performance.now() - began) / 1000;
      const frames = (await stop()).sort((a, b) => a - b);
      await picture('pull');
      expect(await received()).toBe(ROWS);
      console.log(
        `${ROWS - from} rows in ${seconds.toFixed(1)} s; frames: ${frames.length}, ${(frames.length / seconds).toFixed(1)} a second, ` +
          `half within ${at(frames, 0.5)} ms, 95 % ${at(frames, 0.95)}, 99 % ${at(frames, 0.99)}, longest ${at(frames, 0.99999)}`,
      );
      expect(at(frames, 0.5), 'frames a second, by half of them').toBeLessThan(34);
      expect(at(frames, 0.99999), 'the longest stall').toBeLessThan(1000);
    } finally {
      await desktop.remove();
      await origin.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    }
  }, 240_000);
});
