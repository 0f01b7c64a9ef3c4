import { mkdir, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { WATCH, watched, type Watched } from '../bench/children.ts';
import { seeded } from '../support/data/seeded.ts';
import { serveBuilt, userTokenOf, type Served } from '../support/harness/program.ts';
import { mutatedFile, type MutatedFile } from '../support/reading/mutated-files.ts';

/**
 * `npm run fuzz:files -- [--minutes 60] [--seed 1]`: previews and imports mutated workbooks and CSV files at a built node and
 * prints a line of JSON for each finding: a crash, an answer of 500 or above, a call of more than a minute, a
 * turn of the main thread's event loop of more than 100 ms of processor time (Linux only), or more than 500 MB. Files of findings
 * are kept under test-output/fuzz. Exit code 1 where anything was found.
 */
const KEPT = join('test-output', 'fuzz');
const MAX_TURN_MS = 100;
const MAX_CALL_MS = 60_000;
const MAX_MIB = 500;
const argument = (name: string, usual: number): number => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? usual : Number(process.argv[at + 1]);
};
const write = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

interface Tried {
  readonly served: Served;
  readonly token: string;
  readonly watch: Watched;
}

async function start(): Promise<Tried> {
  const served = await serveBuilt({ nodeArgs: ['--import', WATCH] });
  const tried = { served, token: `Bearer ${userTokenOf(served)}`, watch: watched(served.process) };
  await send(tried, 'PATCH', '/app/settings', JSON.stringify({ firstRunDone: true }), 'application/json');
  return tried;
}

const send = (
  { served, token }: Pick<Tried, 'served' | 'token'>,
  method: string,
  path: string,
  body?: BodyInit,
  type = 'text/csv',
): Promise<Response> =>
  fetch(new URL(path, served.window), {
    method,
    headers: { authorization: token, ...(body === undefined ? {} : { 'content-type': type }) },
    ...(body === undefined ? {} : { body }),
    signal: AbortSignal.timeout(2 * MAX_CALL_MS),
  });

class Fuzzing {
  #tried: Tried | undefined;
  #hasEnded = false;
  findings = 0;
  tried = 0;
  cameIn = 0;
  peakMiB = 0;
  longestTurnMs = 0;

  async #node(): Promise<Tried> {
    if (this.#tried) return this.#tried;
    this.#tried = await start();
    this.#hasEnded = false;
    this.#tried.served.process.once('exit', () => (this.#hasEnded = true));
    return this.#tried;
  }

  async #send(method: string, path: string, body?: BodyInit): Promise<Response> {
    return send(await this.#node(), method, path, body);
  }

  async tryOut(file: MutatedFile, name: string): Promise<void> {
    this.tried++;
    const { watch } = await this.#node();
    await watch.turns();
    const faults = await this.#calls(file, name).catch((error: unknown) => [
      {
        fault: this.#hasEnded ? 'crash' : 'no answer',
        error: String(error),
        cause: String(error instanceof Error ? error.cause : ''),
      },
    ]);
    const all = this.#hasEnded ? faults : [...faults, ...(await this.#figures(watch))];
    for (const fault of all) write({ ...fault, file: name, kind: file.what, load: loadavg()[0] });
    this.findings += all.length;
    if (all.length > 0) await writeFile(join(KEPT, `${name}.${file.what}`), file.bytes);
    if (this.#hasEnded) await this.end();
  }

  async #figures(watch: Watched): Promise<object[]> {
    const { turnMs = 0, peakMiB } = await watch.end();
    const isMore = peakMiB > MAX_MIB && peakMiB > this.peakMiB;
    this.peakMiB = Math.max(this.peakMiB, peakMiB);
    this.longestTurnMs = Math.max(this.longestTurnMs, turnMs);
    return [
      ...(turnMs > MAX_TURN_MS ? [{ fault: 'stall', ms: turnMs }] : []),
      ...(isMore ? [{ fault: 'memory', mib: peakMiB }] : []),
    ];
  }

  async #calls(file: MutatedFile, name: string): Promise<object[]> {
    const faults: object[] = [];
    const call = async (path: string): Promise<Response> => {
      const started = performance.now();
      const answer = await this.#send('POST', path, Buffer.from(file.bytes));
      const ms = performance.now() - started;
      if (answer.status >= 500) faults.push({ fault: 'status', status: answer.status, path });
      if (ms > MAX_CALL_MS) faults.push({ fault: 'slow', ms, path });
      return answer;
    };
    const preview = await call('/app/import/preview');
    await preview.arrayBuffer();
    if (!preview.ok) return faults;
    const imported = await call(`/app/import?list=${name}`);
    const answer: unknown = await imported.json();
    if (!imported.ok) return faults;
    this.cameIn++;
    const { response } = z.object({ response: z.object({ moduleID: z.string() }) }).parse(answer);
    await this.#send('DELETE', `/app/lists/${response.moduleID}`);
    return faults;
  }

  async end(): Promise<void> {
    await this.#tried?.served.remove();
    this.#tried = undefined;
  }
}

await mkdir(KEPT, { recursive: true });
const fuzzing = new Fuzzing();
const until = Date.now() + argument('minutes', 60) * 60_000;
const seed = argument('seed', 1);
const told = (): void => {
  const { tried, cameIn, findings, peakMiB, longestTurnMs } = fuzzing;
  write({
    at: new Date().toISOString(),
    seed,
    tried,
    cameIn,
    findings,
    peakMiB: Math.round(peakMiB),
    longestTurnMs: Math.round(longestTurnMs),
  });
};
const progress = setInterval(told, 60_000);
for (let at = 0; Date.now() < until; at++)
  await fuzzing.tryOut(mutatedFile(seeded(seed * 1_000_003 + at)), `fuzz-${seed}-${at}`);
clearInterval(progress);
told();
await fuzzing.end();
process.exitCode = fuzzing.findings > 0 ? 1 : 0;
