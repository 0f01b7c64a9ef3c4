import { fork, type ChildProcess } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { seeded } from '../support/data/seeded.ts';
import { serveBuilt, userTokenOf, type Served } from '../support/harness/program.ts';
import { mutatedFile, type MutatedFile } from '../support/reading/mutated-files.ts';

/**
 * `npm run fuzz:files -- [--minutes 60] [--seed 1]`: previews and imports mutated workbooks and CSV files at a built node and
 * prints a line of JSON for each finding: a crash, an answer of 500 or above, a call of more than a minute, a probe that
 * waited more than 100 ms longer than that of a node that does nothing, four times, or more than 500 MB. Files of findings
 * are kept under test-output/fuzz. Exit code 1 where anything was found.
 */
const PROBE = fileURLToPath(new URL('../support/reading/fuzz-probe.mjs', import.meta.url));
const KEPT = join('test-output', 'fuzz');
const MAX_STALL_MS = 100;
const MAX_CALL_MS = 60_000;
const MAX_MIB = 500;
/** Probes of both processes are compared within this time of each other. */
const NEAR_MS = 1000;
/** A stall counts where it comes again so often. */
const RETRIES = 3;

const probed = z.object({ at: z.number(), ms: z.number(), status: z.number() });
type Probed = z.infer<typeof probed>;

const argument = (name: string, usual: number): number => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? usual : Number(process.argv[at + 1]);
};
const write = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

/** Calls an address every 20 ms from a process of its own. */
class Probe {
  readonly all: Probed[] = [];
  readonly #child: ChildProcess;

  constructor(address: string, authorization: string) {
    this.#child = fork(PROBE, [address, authorization], { execArgv: [] });
    this.#child.on('message', (message) => this.all.push(probed.parse(message)));
  }

  /** The longest call that overlaps with this time. */
  longestIn(from: number, to: number): number {
    const those = this.all.filter(({ at, ms }) => at >= from && at - ms <= to);
    return Math.max(0, ...those.map(({ ms }) => ms));
  }

  forgetBefore(time: number): void {
    const first = this.all.findIndex(({ at }) => at >= time);
    this.all.splice(0, first < 0 ? this.all.length : first);
  }

  end(): void {
    this.#child.kill();
  }
}

interface Tried {
  readonly served: Served;
  readonly token: string;
  readonly probe: Probe;
}

async function start(): Promise<Tried> {
  const served = await serveBuilt();
  const token = `Bearer ${userTokenOf(served)}`;
  const probe = new Probe(new URL('/app/settings', served.window).href, token);
  const tried = { served, token, probe };
  await send(tried, 'PATCH', '/app/settings', JSON.stringify({ firstRunDone: true }), 'application/json');
  return tried;
}

const send = (
  { served, token }: Omit<Tried, 'probe'>,
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
  #control: Tried | undefined;
  #tried: Tried | undefined;
  #hasEnded = false;
  findings = 0;
  tried = 0;
  cameIn = 0;
  peakMiB = 0;
  longestStallMs = 0;

  /** A node, and one that does nothing, to know what the machine's load alone costs a call. */
  async #node(): Promise<Tried> {
    this.#control ??= await start();
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
    const faults = await this.#once(file, name);
    // What is the load's fault does not come again and again.
    let [stallMs, left] = [faults.stallMs, RETRIES];
    while (stallMs > MAX_STALL_MS && left-- > 0 && !this.#hasEnded)
      stallMs = Math.min(stallMs, (await this.#once(file, `${name}-${left}`)).stallMs);
    this.longestStallMs = Math.max(this.longestStallMs, stallMs);
    const all = [...faults.others, ...(stallMs > MAX_STALL_MS ? [{ fault: 'stall', ms: stallMs }] : [])];
    for (const fault of all) write({ ...fault, file: name, kind: file.what, load: loadavg()[0] });
    this.findings += all.length;
    if (all.length > 0) await writeFile(join(KEPT, `${name}.${file.what}`), file.bytes);
    if (this.#hasEnded) await this.#restart();
  }

  async #once(
    file: MutatedFile,
    name: string,
  ): Promise<{ readonly others: object[]; readonly stallMs: number }> {
    await this.#node();
    const from = Date.now();
    const usedBefore = await this.#usedMs();
    const others = await this.#calls(file, name).catch((error: unknown) => [
      {
        fault: this.#hasEnded ? 'crash' : 'no answer',
        error: String(error),
        cause: String(error instanceof Error ? error.cause : ''),
      },
    ]);
    // Where the main thread worked for less, it waited for a processor.
    const workedMs = (await this.#usedMs()) - usedBefore;
    const stallMs = Math.round(Math.min(workedMs, await this.#stalledFor(from, Date.now())));
    return { others: [...others, ...(await this.#memory())], stallMs };
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

  /** Processor time of the node's main thread; Linux only. */
  async #usedMs(): Promise<number> {
    const pid = this.#tried?.served.pid ?? 0;
    const used = await readFile(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').catch(() => '');
    return used === '' ? 0 : Number(used.split(' ')[0]) / 1e6;
  }

  /** How much longer a probe waited than the control's did at that time. */
  async #stalledFor(from: number, to: number): Promise<number> {
    // The last probes are still under way.
    await new Promise((resolve) => setTimeout(resolve, 40));
    const longest = this.#tried?.probe.longestIn(from, to) ?? 0;
    const control = this.#control?.probe.longestIn(from - NEAR_MS, to + NEAR_MS) ?? 0;
    this.#tried?.probe.forgetBefore(to);
    this.#control?.probe.forgetBefore(to - NEAR_MS);
    return Math.round(longest - control);
  }

  /** The most that the node ever had; Linux only. */
  async #memory(): Promise<object[]> {
    const pid = this.#tried?.served.pid ?? 0;
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    const mib = Number(/VmHWM:\s*(\d+)/.exec(status)?.[1] ?? 0) / 1024;
    const isMore = mib > MAX_MIB && mib > this.peakMiB;
    this.peakMiB = Math.max(this.peakMiB, mib);
    return isMore ? [{ fault: 'memory', mib: Math.round(mib) }] : [];
  }

  async #restart(): Promise<void> {
    await stop(this.#tried);
    this.#tried = undefined;
  }

  async end(): Promise<void> {
    await stop(this.#control);
    await this.#restart();
  }
}

async function stop(tried: Tried | undefined): Promise<void> {
  tried?.probe.end();
  await tried?.served.remove();
}

await mkdir(KEPT, { recursive: true });
const fuzzing = new Fuzzing();
const until = Date.now() + argument('minutes', 60) * 60_000;
const seed = argument('seed', 1);
const told = (): void => {
  const { tried, cameIn, findings, peakMiB, longestStallMs } = fuzzing;
  write({
    at: new Date().toISOString(),
    seed,
    tried,
    cameIn,
    findings,
    peakMiB: Math.round(peakMiB),
    longestStallMs,
  });
};
const progress = setInterval(told, 60_000);
for (let at = 0; Date.now() < until; at++)
  await fuzzing.tryOut(mutatedFile(seeded(seed * 1_000_003 + at)), `fuzz-${seed}-${at}`);
clearInterval(progress);
told();
await fuzzing.end();
process.exitCode = fuzzing.findings > 0 ? 1 : 0;
