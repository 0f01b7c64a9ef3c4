import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startOrigin, until } from '../origin-office.ts';
import { notPacked, startPacked } from './packed-app.ts';
import { run, windowsSeen } from './whole-desktop.ts';

const SECONDS = Number(process.env.FOOTBRIDGE_REST_SECONDS ?? 0);
const notAsked = notPacked ?? (SECONDS > 0 ? undefined : 'FOOTBRIDGE_REST_SECONDS=600 asks for it');
const NAME = notAsked === undefined ? 'an app at rest' : `an app at rest (NOT RUN: ${notAsked})`;

/** A process and all that it started. */
async function family(pid: number): Promise<number[]> {
  const parents = new Map<number, number[]>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    parents.set(parent, [...(parents.get(parent) ?? []), Number(name)]);
  }
  const found = [pid];
  for (const each of found) found.push(...(parents.get(each) ?? []));
  return found;
}

/** What a process has taken so far: processor time, times that one of its threads slept, and memory that is its own share. */
async function taken(pid: number): Promise<{ cpuMs: number; sleeps: number; kiB: number }> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /, '').split(' ');
  // Clock ticks of 10 ms, as Linux counts them for everybody.
  const cpuMs = (Number(fields[11]) + Number(fields[12])) * 10;
  let sleeps = 0;
  for (const thread of await readdir(`/proc/${pid}/task`)) {
    const status = await readFile(`/proc/${pid}/task/${thread}/status`, 'utf8').catch(() => '');
    sleeps += Number(/^voluntary_ctxt_switches:\s*(\d+)/m.exec(status)?.[1] ?? 0);
  }
  const share = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  return { cpuMs, sleeps, kiB: Number(/^Pss:\s*(\d+)/m.exec(share)?.[1] ?? 0) };
}

/** What a process of the app is for, as Chromium calls it; the node is the only utility process that is Node's. */
async function kindOf(pid: number): Promise<string> {
  const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ');
  if (command.includes('--utility-sub-type=node.')) return 'node';
  return /--type=([\w-]+)/.exec(command)?.[1] ?? 'shell';
}

interface TakenByAll {
  cpuMs: number;
  sleeps: number;
  kiB: number;
  /** Of each kind of process, in MiB. */
  readonly parts: Record<string, number>;
}

async function takenByAll(pid: number): Promise<TakenByAll> {
  const sum: TakenByAll = { cpuMs: 0, sleeps: 0, kiB: 0, parts: {} };
  for (const each of await family(pid)) {
    const { cpuMs, sleeps, kiB } = await taken(each);
    const kind = await kindOf(each);
    sum.cpuMs += cpuMs;
    sum.sleeps += sleeps;
    sum.kiB += kiB;
    sum.parts[kind] = Math.round((sum.parts[kind] ?? 0) + kiB / 1024);
  }
  return sum;
}

describe.skipIf(notAsked !== undefined)(NAME, () => {
  it(
    'is hardly there: a packed app in the tray, with a partner that has sent its rows',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'footbridge-rest-'));
      const origin = await startOrigin(join(folder, 'origin'), 1000);
      const app = await startPacked(
        ...['--data', join(folder, 'data'), '--port', '0', '--window-port', '0', '--allow-loopback-partners'],
      );
      try {
        // Until its page has been read there is nothing to ask by.
        await expect.poll(() => app.evaluate('document.title'), { timeout: 20_000 }).toContain('Footbridge');
        await app.ask('/app/settings', { method: 'PATCH', body: '{"office":"Rest","firstRunDone":true}' });
        const { moduleID } = await origin.shareWith(app.ask);
        await until(async () => {
          const lists = await app.ask<{ moduleID: string; rows: number }[]>('/app/lists');
          return lists.find((list) => list.moduleID === moduleID)?.rows === 1000;
        });
        await run('xdotool', 'key', '--delay', '100', 'ctrl+w');
        await expect.poll(windowsSeen, { timeout: 5000 }).toContain('Footbridge');
        await run('xdotool', 'key', 'Return');
        await expect.poll(windowsSeen, { timeout: 5000 }).not.toContain('Footbridge');
        await new Promise((resolve) => setTimeout(resolve, 20_000));
        const pid = app.process.pid ?? 0;
        const before = await takenByAll(pid);
        await new Promise((resolve) => setTimeout(resolve, SECONDS * 1000));
        const after = await takenByAll(pid);
        const cpu = (after.cpuMs - before.cpuMs) / (SECONDS * 10);
        const wakes = (after.sleeps - before.sleeps) / SECONDS;
        console.log(
          `${SECONDS} s at rest: ${cpu.toFixed(2)} % of a core, ${wakes.toFixed(1)} wake-ups a second over all threads, ` +
            `${(before.kiB / 1024).toFixed(0)} MiB at first, ${(after.kiB / 1024).toFixed(0)} in the end: ${JSON.stringify(after.parts)}`,
        );
        expect(cpu, 'percent of a core').toBeLessThan(2);
        expect(Object.keys(after.parts), 'what was measured').toEqual(
          expect.arrayContaining(['shell', 'node', 'renderer']),
        );
      } finally {
        await app.stop();
        await origin.stop();
        await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
      }
    },
    (SECONDS + 180) * 1000,
  );
});
