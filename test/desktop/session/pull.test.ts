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

/** How much later than it was to be each turn of the main process came, in milliseconds, until it is told to stop. */
async function watchMainLoop({ app }: DesktopApp): Promise<() => Promise<number[]>> {
  const everyMs = 10;
  await app.evaluate((_electron, every) => {
    const watched = { late: [] as number[], last: performance.now() };
    const timer = setInterval(() => {
      const now = performance.now();
      watched.late.push(Math.max(0, now - watched.last - every));
      watched.last = now;
    }, every);
    Object.assign(globalThis, { loopWatched: { late: watched.late, timer } });
  }, everyMs);
  return () =>
    app.evaluate(() => {
      const { loopWatched } = globalThis as unknown as {
        loopWatched: { late: number[]; timer: NodeJS.Timeout };
      };
      clearInterval(loopWatched.timer);
      return loopWatched.late;
    });
}

const at = (sorted: readonly number[], share: number): number =>
  Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10;
const spread = (sorted: readonly number[]): string =>
  `half within ${at(sorted, 0.5)} ms, 95 % ${at(sorted, 0.95)}, 99 % ${at(sorted, 0.99)}, longest ${at(sorted, 0.99999)}`;

/** Scrolls through the list and takes the window somewhere else, as somebody who looks around, until it is time. */
async function lookAround(of: DesktopApp, isOver: () => Promise<boolean>, what: string): Promise<number[]> {
  const [window] = (await run('xdotool', 'search', '--onlyvisible', '--name', 'Footbridge')).split('\n');
  await of.page.mouse.move(700, 500);
  const stops = [await watchFrames(of), await watchMainLoop(of)];
  const began = performance.now();
  for (let step = 0; !(await isOver()); step++) {
    await of.page.mouse.wheel(0, step % 20 < 10 ? 400 : -400);
    if (step % 4 === 0) {
      const place = 40 + 4 * (step % 20);
      await run('xdotool', 'windowmove', window ?? '', String(place), String(place));
    }
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  const seconds = (performance.now() - began) / 1000;
  const [frames = [], late = []] = await Promise.all(stops.map((stop) => stop()));
  for (const times of [frames, late]) times.sort((a, b) => a - b);
  const rate = (frames.length / seconds).toFixed(1);
  console.log(
    `${what}: ${seconds.toFixed(1)} s, ${rate} frames a second, ${spread(frames)}; main loop late by: ${spread(late)}`,
  );
  return frames;
}

describe.skipIf(notOnDesktop !== undefined)(titled(`a pull of ${ROWS} rows on a desktop`), () => {
  it('quits within two seconds in the middle of it, loses nothing, and leaves the window smooth', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'footbridge-pull-'));
    const origin = await startOriginApart(join(folder, 'origin'), ROWS, true);
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
      const inTime = (ms: number): (() => boolean) => {
        const end = performance.now() + ms;
        return () => performance.now() < end;
      };
      const patient = inTime(90_000);
      const frames = await lookAround(
        desktop,
        async () => !patient() || (await received()) === ROWS,
        `while ${ROWS - after} rows arrived`,
      );
      await picture('pull');
      expect(await received()).toBe(ROWS);
      const quiet = inTime(8000);
      await lookAround(desktop, async () => !quiet() || (await received()) < ROWS, 'and at rest after it');
      expect(at(frames, 0.5), 'frames a second, by half of them').toBeLessThan(34);
      expect(at(frames, 0.99999), 'the longest stall').toBeLessThan(1000);
    } finally {
      await desktop.remove();
      await origin.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    }
  }, 240_000);
});
