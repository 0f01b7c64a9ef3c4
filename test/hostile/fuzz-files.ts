import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { extname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { WATCH, watched, type Watched } from '../bench/children.ts';
import { OFFICE_FILES, officeFileBytes } from '../support/data/office-files.ts';
import { seeded } from '../support/data/seeded.ts';
import { serveBuilt, userTokenOf, type Served } from '../support/harness/program.ts';
import { mutatedFile, type MutatedFile, type SeedFile } from '../support/reading/mutated-files.ts';

/**
 * `npm run fuzz:files -- [--minutes 60] [--seed 1] [--seeds FOLDER …]`: previews mutated workbooks and CSV files at a built
 * node, imports them and compares them with the list that they made. It prints a line of JSON for each finding: a crash, an
 * answer of 500 or above, a call of more than a minute, a turn of the main thread's event loop of more than 100 ms (Linux
 * only; test/bench/figures.mjs leaves out the time in which other threads had the processors), or more than 500 MB in the
 * process and its threads. Files of findings are kept under test-output/fuzz. Exit code 1 where anything was found.
 */
const KEPT = join('test-output', 'fuzz');
const MAX_TURN_MS = 100;
const MAX_CALL_MS = 60_000;
const MAX_MIB = 500;
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', multiple: true, default: [] },
  },
});
/** How a file may be said to be read. */
const READINGS = [
  '',
  '',
  '',
  '&delimiter=%3B',
  '&delimiter=%0A',
  '&encoding=windows-1252',
  '&encoding=utf-16le',
];
const HEADINGS = ['', '', '', '&headerLine=0', '&headerLine=3', '&decimal=,', '&sums=in'];
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

interface Fault {
  readonly fault: string;
  readonly [detail: string]: unknown;
}

class Fuzzing {
  #tried: Tried | undefined;
  findings = 0;
  tried = 0;
  cameIn = 0;
  peakMiB = 0;
  longestTurnMs = 0;

  async #node(): Promise<Tried> {
    if (this.#tried) return this.#tried;
    this.#tried = await start();
    return this.#tried;
  }

  async #send(method: string, path: string, body?: BodyInit): Promise<Response> {
    return send(await this.#node(), method, path, body);
  }

  async tryOut(file: MutatedFile, name: string, reading: string): Promise<void> {
    this.tried++;
    const faults = await this.#watched(file, name, reading).catch((error: unknown) => [
      { fault: 'no answer', error: String(error), cause: String(error instanceof Error ? error.cause : '') },
    ]);
    // An answer that is cut off may arrive before the news of the end.
    if (faults.some(({ fault }) => fault === 'no answer')) await delay(2000);
    const { process } = (await this.#node()).served;
    const { exitCode, signalCode } = process;
    const hasEnded = exitCode !== null || signalCode !== null;
    const all = hasEnded ? [...faults, { fault: 'crash', exitCode, signalCode }] : faults;
    for (const fault of all) write({ ...fault, file: name, kind: file.what, reading, load: loadavg()[0] });
    this.findings += all.length;
    if (all.length > 0) await writeFile(join(KEPT, `${name}.${file.what}`), file.bytes);
    if (hasEnded) await this.end();
  }

  async #watched(file: MutatedFile, name: string, reading: string): Promise<Fault[]> {
    const { watch } = await this.#node();
    await watch.turns();
    const faults = await this.#calls(file, name, reading);
    return [...faults, ...(await this.#figures(watch))];
  }

  async #figures(watch: Watched): Promise<Fault[]> {
    const { turnMs = 0, peakMiB } = await watch.end();
    const isMore = peakMiB > MAX_MIB && peakMiB > this.peakMiB;
    this.peakMiB = Math.max(this.peakMiB, peakMiB);
    this.longestTurnMs = Math.max(this.longestTurnMs, turnMs);
    return [
      ...(turnMs > MAX_TURN_MS ? [{ fault: 'stall', ms: turnMs }] : []),
      ...(isMore ? [{ fault: 'memory', mib: peakMiB }] : []),
    ];
  }

  async #calls(file: MutatedFile, name: string, reading: string): Promise<Fault[]> {
    const faults: Fault[] = [];
    const call = async (path: string): Promise<unknown> => {
      const started = performance.now();
      const answer = await this.#send('POST', path, Buffer.from(file.bytes));
      const said: unknown = await answer.json();
      const ms = performance.now() - started;
      if (answer.status >= 500) faults.push({ fault: 'status', status: answer.status, path });
      if (ms > MAX_CALL_MS) faults.push({ fault: 'slow', ms, path });
      return answer.ok ? said : undefined;
    };
    const [, whole] = await Promise.all([
      call(`/app/import/preview?first=1${reading}`),
      call(`/app/import/preview?${reading}`),
    ]);
    if (whole === undefined) return faults;
    const imported = await call(`/app/import?list=${name}${reading}`);
    if (imported === undefined) return faults;
    this.cameIn++;
    const { response } = z.object({ response: z.object({ moduleID: z.string() }) }).parse(imported);
    await call(`/app/import/trial?moduleID=${response.moduleID}${reading}`);
    await this.#send('DELETE', `/app/lists/${response.moduleID}`);
    return faults;
  }

  async end(): Promise<void> {
    await this.#tried?.served.remove();
    this.#tried = undefined;
  }
}

const KINDS: Readonly<Record<string, SeedFile['kind']>> = { '.csv': 'csv', '.xlsx': 'xlsx', '.ods': 'ods' };

/** Returns the files of offices that tests are held by, and those of the folders that were named. */
async function readSeeds(): Promise<SeedFile[]> {
  const seeds = Object.values(OFFICE_FILES).map((file): SeedFile => ({
    kind: 'csv',
    bytes: officeFileBytes(file),
  }));
  for (const folder of values.seeds)
    for (const name of (await readdir(folder)).sort()) {
      const kind = KINDS[extname(name)];
      if (kind) seeds.push({ kind, bytes: await readFile(join(folder, name)) });
    }
  return seeds;
}

await mkdir(KEPT, { recursive: true });
const fuzzing = new Fuzzing();
const seeds = await readSeeds();
const until = Date.now() + Number(values.minutes) * 60_000;
const seed = Number(values.seed);
const report = (): void => {
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
const progress = setInterval(report, 60_000);
for (let at = 0; Date.now() < until; at++) {
  const luck = seeded(seed * 1_000_003 + at);
  const file = mutatedFile(luck, seeds);
  await fuzzing.tryOut(file, `fuzz-${seed}-${at}`, luck.pick(READINGS) + luck.pick(HEADINGS));
}
clearInterval(progress);
report();
await fuzzing.end();
process.exitCode = fuzzing.findings > 0 ? 1 : 0;
