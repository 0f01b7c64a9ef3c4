import { resolve } from 'node:path';
import { z } from 'zod';
import type { Lab, LabProgram } from './lab.ts';

const readyLine = z.object({ window: z.string() });
const CLI = resolve('dist/cli.js');

/** An office of the built program on a computer of a lab, spoken to as its window speaks to it. */
export class LabOffice {
  readonly #lab: Lab;
  readonly #place: string;
  readonly #dataDir: string;
  readonly #window: string;
  readonly #token: string;

  private constructor(lab: Lab, place: string, dataDir: string, window: string, token: string) {
    this.#lab = lab;
    this.#place = place;
    this.#dataDir = dataDir;
    this.#window = window;
    this.#token = token;
  }

  static async start(
    lab: Lab,
    place: string,
    dataDir: string,
    args: readonly string[] = [],
  ): Promise<LabOffice> {
    const serve = ['serve', '--data', dataDir, '--host', '0.0.0.0', '--label', place, '--json', ...args];
    const { window } = readyLine.parse(await lab.start(place, process.execPath, [CLI, ...serve]).next());
    const asked = lab.start(place, process.execPath, [CLI, 'token', '--data', dataDir]);
    return new LabOffice(lab, place, dataDir, window, await output(asked));
  }

  get dataDir(): string {
    return this.#dataDir;
  }

  /** Calls the window's interface. @throws Error with what it answers */
  async app(method: string, path: string, body?: unknown): Promise<unknown> {
    const answer = await this.#lab
      .start(this.#place, 'curl', [
        ...['-s', '-m', '60', '-X', method, '-H', `Authorization: Bearer ${this.#token}`, '-w', '\\n'],
        ...(body === undefined ? [] : ['-H', 'content-type: application/json', '-d', JSON.stringify(body)]),
        new URL(path, this.#window).href,
      ])
      .next();
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
