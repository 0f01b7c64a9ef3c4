import { afterAll, describe, expect, it } from 'vitest';
import { Refusal } from '../../../server/base/refusal.ts';
import { WORK_SIZES, WorkerPool, type WorkerLimits } from '../../../server/base/concurrency/worker-pool.ts';

/** A worker that does what it is told, also what no worker should. */
const SCRIPT = `
const { parentPort } = require('node:worker_threads');
const tasks = {
  echo: (value) => value,
  id: () => require('node:worker_threads').threadId,
  block: () => { for (;;); },
  backtrack: () => /^(a+)+$/.test('a'.repeat(60) + 'b'),
  later: (value) => new Promise((resolve) => setTimeout(() => resolve(value), 200)),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  fill: () => { const all = []; for (;;) all.push('x'.repeat(1000) + all.length); },
  exit: () => process.exit(1),
  refuse: () => { throw Object.assign(new Error('no'), { isRefusal: true }); },
};
parentPort.on('message', ({ name, argument }) => {
  const alive = setInterval(() => parentPort.postMessage({ alive: true }), 20);
  Promise.resolve().then(() => tasks[name](argument)).then(
    (result) => { clearInterval(alive); parentPort.postMessage({ result }); },
    (error) => {
      clearInterval(alive);
      const refusal = error.isRefusal ? { kind: 'impossible', code: 'sheet.broken', words: 'Broken.' } : undefined;
      parentPort.postMessage({ failed: { message: error.message, refusal } });
    },
  );
});`;

interface Tasks {
  echo(value: string): string;
  id(nothing: undefined): number;
  block(nothing: undefined): void;
  backtrack(nothing: undefined): boolean;
  later(value: string): Promise<string>;
  wait(ms: number): Promise<void>;
  fill(nothing: undefined): void;
  exit(nothing: undefined): void;
  refuse(nothing: undefined): void;
}

const poolOf = (limits: Partial<WorkerLimits> = {}): WorkerPool<Tasks> =>
  new WorkerPool<Tasks>(
    () => SCRIPT,
    { small: 32, first: 32, large: 32 },
    { stallMs: 20_000, callMs: 60_000, ...limits },
  );

it('small work and first looks never wait for large work', async () => {
  const pool = poolOf();
  const ending = new AbortController();
  const large = ['first', 'second'].map(() =>
    pool.withWorker((call) => call('wait', 60_000), { signal: ending.signal }),
  );
  const ended = Promise.allSettled(large);
  for (const size of ['small', 'first'] as const)
    expect(await pool.withWorker((call) => call('echo', 'two lines'), { size })).toBe('two lines');
  ending.abort();
  await ended;
});

describe('workers with limits', () => {
  const usual = poolOf();

  it.each([
    ['memory', 'fill', {}],
    ['time', 'block', { stallMs: 400 }],
    ['time', 'backtrack', { stallMs: 400 }],
    ['crash', 'exit', {}],
  ] as const)(
    'end with the reason %s where the work does %s, and the next work goes on',
    async (reason, what, limits) => {
      const pool = poolOf(limits);
      await expect(pool.withWorker((call) => call(what, undefined))).rejects.toMatchObject({ reason });
      expect(await pool.withWorker((call) => call('echo', 'still here'))).toBe('still here');
    },
  );

  it('let work go on that turns its event loop, until the time of one call is over', async () => {
    const pool = poolOf({ stallMs: 2000, callMs: 6000 });
    await pool.withWorker((call) => call('wait', 2500));
    await expect(pool.withWorker((call) => call('wait', 60_000))).rejects.toMatchObject({ reason: 'time' });
  });

  it('give a refusal as it was, and keep the thread for the next small work', async () => {
    const ids = async (): Promise<number[]> =>
      Promise.all(WORK_SIZES.map((size) => usual.withWorker((call) => call('id', undefined), { size })));
    const [small, ...others] = await ids();
    for (const size of WORK_SIZES)
      await expect(usual.withWorker((call) => call('refuse', undefined), { size })).rejects.toMatchObject({
        name: 'Refusal',
        code: 'sheet.broken',
      });
    const [again, ...further] = await ids();
    expect(again).toBe(small);
    expect(others.filter((id) => further.includes(id))).toEqual([]);
  });

  it('give no answer to work that did not ask for it, where other work ended without waiting', async () => {
    const pool = poolOf();
    const refused = pool.withWorker(async (call) => {
      await call('echo', 'started');
      call('later', 'of the file before').catch(() => undefined);
      await new Promise((resolve) => setImmediate(resolve));
      throw new Refusal('not-found', 'list.gone', 'The list is gone.');
    });
    await expect(refused).rejects.toMatchObject({ code: 'list.gone' });
    expect(await pool.withWorker((call) => call('later', 'of this file'))).toBe('of this file');
  });

  it('run one piece of work of a size at a time, whatever waits', async () => {
    const pool = poolOf();
    let [running, most] = [0, 0];
    await Promise.all(
      Array.from({ length: 20 }, () =>
        pool.withWorker(async (call) => {
          most = Math.max(most, ++running);
          await call('id', undefined);
          running--;
        }),
      ),
    );
    expect(most).toBe(1);
  });

  it('end at once where their signal does, while they wait and while they work', async () => {
    const pool = poolOf();
    const gone = new AbortController();
    const works = pool.withWorker((call) => call('block', undefined), { signal: gone.signal });
    const waits = pool.withWorker((call) => call('echo', 'never'), { signal: gone.signal });
    gone.abort(new Error('gone'));
    const reasons = (await Promise.allSettled([works, waits])).map((each) =>
      each.status === 'rejected' ? String(each.reason) : each.value,
    );
    expect(reasons).toEqual(['Error: gone', 'Error: gone']);
    expect(await pool.withWorker((call) => call('echo', 'next'))).toBe('next');
  });

  afterAll(async () => {
    await usual.withWorker((call) => call('exit', undefined)).catch(() => undefined);
  });
});
