import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { serveBuilt } from '../support/harness/program.ts';
import { bounded, middle, type Measured } from './measured.ts';

/** Nanoseconds of processor time that all threads of a process took. */
async function processorNs(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`);
  const texts = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8')),
  );
  return texts.reduce((sum, text) => sum + Number(text.split(' ')[0]), 0);
}

/** Starts new offices: the processor time until each is ready, and the memory of its process after `restMs`. */
export async function measureStart(rounds: number, restMs: number): Promise<Measured[]> {
  const runs: { readonly readyMs: number; readonly restMiB: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const served = await serveBuilt();
    try {
      const readyMs = (await processorNs(served.pid)) / 1e6;
      await wait(restMs);
      const [, kB] = /VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${served.pid}/status`, 'utf8')) ?? [];
      runs.push({ readyMs, restMiB: Number(kB) / 1024 });
    } finally {
      await served.remove();
    }
  }
  return [
    bounded(
      'CPU of a start of a new office until it is ready',
      middle(runs, ({ readyMs }) => readyMs),
      350,
    ),
    bounded(
      'memory of a new office at rest',
      middle(runs, ({ restMiB }) => restMiB),
      80,
      'MiB',
    ),
  ];
}
