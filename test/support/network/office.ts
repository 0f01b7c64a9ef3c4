import { resolve } from 'node:path';
import { z } from 'zod';
import type { Lab, LabProgram } from './lab.ts';
import { until } from './until.ts';

const reachable = z.object({ reachable: z.boolean() });
const readyLine = z.object({ window: z.string() });
const CLI = resolve('dist/cli.js');
const REQUEST_MS = 60_000;

/** Runs on the office's computer: sends each request that it reads from a line, and prints the answer. */
const SENDER = `
require('node:readline').createInterface(process.stdin).on('line', (line) => {
  const { url, ...init } = JSON.parse(line);
  fetch(url, { ...init, signal: AbortSignal.timeout(${REQUEST_MS}) })
    .then((answer) => answer.json())
    .catch((error) => ({ error: error + ' ' + (error.cause ?? '') }))
    .then((answer) => console.log(JSON.stringify(answer)));
});`;

/** Reads paths again and again, and prints when and what was answered. */
const SAMPLER = `
const [base, authorization, everyMs, ...paths] = process.argv.slice(1);
const read = (path) => fetch(new URL(path, base), { headers: { authorization }, signal: AbortSignal.timeout(5_000) })
  .then((answer) => answer.json()).then(({ response }) => response);
setInterval(() => {
  const at = Date.now();
  Promise.all(paths.map(read))
    .then((answers) => ({ at, took: Date.now() - at, answers }), (error) => ({ at, error: String(error) }))
    .then((line) => console.log(JSON.stringify(line)));
}, Number(everyMs));`;

/** An office of the built program on a computer of a lab, spoken to as its window speaks to it. */
export class LabOffice {
  readonly #lab: Lab;
  readonly #place: string;
  readonly #args: readonly string[];
  readonly #sender: LabProgram;
  #program: LabProgram;
  #window: string;
  readonly #token: string;
  #sent: Promise<unknown> = Promise.resolve();

  private constructor(
    lab: Lab,
    place: string,
    args: readonly string[],
    program: LabProgram,
    window: string,
    token: string,
  ) {
    this.#lab = lab;
    this.#place = place;
    this.#args = args;
    this.#program = program;
    this.#window = window;
    this.#token = token;
    this.#sender = lab.start(place, process.execPath, ['-e', SENDER]);
  }

  /** Starts an office that is open to its network. */
  static async start(lab: Lab, place: string, dataDir: string): Promise<LabOffice> {
    const args = [CLI, 'serve', '--data', dataDir, '--label', place, '--json'];
    const program = lab.start(place, process.execPath, args);
    const { window } = readyLine.parse(await program.next());
    const token = await output(lab.start(place, process.execPath, [CLI, 'token', '--data', dataDir]));
    const office = new LabOffice(lab, place, args, program, window, token);
    await office.app('PATCH', '/app/settings', { network: true });
    // Its listener restarts.
    await until(
      'the listener is open',
      async () => reachable.parse(await office.app('GET', '/app/overview')).reachable,
    );
    return office;
  }

  /** Ends the program and starts it again on the same data. */
  async restart(): Promise<void> {
    await this.#program.stop();
    this.#program = this.#lab.start(this.#place, process.execPath, this.#args);
    this.#window = readyLine.parse(await this.#program.next()).window;
  }

  /** Calls the window's interface, one request after the other. @throws Error with what it answers */
  app(method: string, path: string, body?: unknown): Promise<unknown> {
    const json = body === undefined ? undefined : JSON.stringify(body);
    return this.#inTurn(method, path, 'application/json', json);
  }

  /** Reads these paths of the window's interface every so many milliseconds, beside all other calls. */
  sample(everyMs: number, ...paths: readonly string[]): LabProgram {
    const args = ['-e', SAMPLER, this.#window, `Bearer ${this.#token}`, String(everyMs), ...paths];
    return this.#lab.start(this.#place, process.execPath, args);
  }

  /** Imports a CSV file as a list of this name. */
  import(list: string, csv: string): Promise<unknown> {
    return this.#inTurn('POST', `/app/import?list=${encodeURIComponent(list)}`, 'text/csv', csv);
  }

  #inTurn(method: string, path: string, type: string, body?: string): Promise<unknown> {
    const answered = this.#sent.then(() => this.#send(method, path, type, body));
    this.#sent = answered.catch(() => undefined);
    return answered;
  }

  async #send(method: string, path: string, type: string, body?: string): Promise<unknown> {
    const request = {
      ...{ url: new URL(path, this.#window).href, method },
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': type },
      ...(body === undefined ? {} : { body }),
    };
    this.#sender.child.stdin?.write(`${JSON.stringify(request)}\n`);
    const answer = await this.#sender.next();
    if ('error' in answer) throw new Error(`${method} ${path}: ${JSON.stringify(answer.error)}`);
    return answer.response;
  }
}

/** What a program prints that is no JSON. */
async function output({ child }: LabProgram): Promise<string> {
  let text = '';
  child.stdout?.on('data', (part: Buffer) => (text += part.toString()));
  await new Promise((ended) => child.once('close', ended));
  return text.trim();
}
