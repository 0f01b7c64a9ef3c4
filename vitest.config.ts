import { existsSync, statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { createBuilder, type Plugin } from 'vite';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import nightly from './scripts/nightly.json' with { type: 'json' };

type Options = NonNullable<TestProjectInlineConfiguration['test']>;

const nodeProject = (name: string, testTimeout: number, options: Options = {}): object => ({
  extends: true,
  test: {
    name,
    environment: 'node',
    include: [`test/${name}/**/*.test.ts`],
    testTimeout,
    hookTimeout: 60_000,
    setupFiles: ['test/support/harness/without-lan.ts'],
    // Where a change is decided upon, one hiccup of the machine among thousands of tests refuses none; test.mjs names
    // each.
    retry: process.env.CI === undefined ? 0 : 1,
    ...options,
  },
});

/** Tests in this process that replace a module, or leave or find much in the memory. */
const ALONE = 'test/{unit,node,hostile}/**/*.alone.test.ts';
const MEMORY = '/dev/shm';
const LEAST_BYTES = 4 * 2 ** 30;

/**
 * Returns the settings of tests that look at what was written, and not at the disk: their folders are in memory where
 * Linux has room there. On a busy disk a thousand syncs took 11 s, and 0.8 s of a processor; in memory 0.9 s and 0.2 s.
 * At night the disk is used.
 */
function inMemory(): Options {
  if (process.env.FOOTBRIDGE_NIGHTLY !== undefined || !existsSync(MEMORY)) return {};
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize < LEAST_BYTES ? {} : { env: { TMPDIR: MEMORY } };
}
const IN_MEMORY = inMemory();
/** Files one after the other in the same processes, so that each module is loaded once and not for every file. */
const TOGETHER: Options = { exclude: [ALONE], isolate: false, ...IN_MEMORY };

/**
 * `unit` runs without network or browser; `node` runs real nodes on loopback; `hostile` sets lying partners on them;
 * `alone` are those of these three that want a process each; `crash` kills real processes; `network` puts offices
 * behind routers of their own, as root or in user namespaces; `window` drives the built
 * app in Chromium; `desktop` drives Electron.
 */
const PROJECTS = {
  window: nodeProject('window', 180_000, { isolate: false, ...IN_MEMORY }),
  crash: nodeProject('crash', 300_000),
  network: nodeProject('network', 300_000),
  hostile: nodeProject('hostile', 60_000, TOGETHER),
  node: nodeProject('node', 60_000, TOGETHER),
  desktop: nodeProject('desktop', 120_000),
  alone: nodeProject('alone', 60_000, { include: [ALONE], ...IN_MEMORY }),
  unit: nodeProject('unit', 60_000, TOGETHER),
};

/** Returns the code of the worker that reads foreign files, built of these sources as for the app, and written nowhere. */
async function buildReadingWorker(): Promise<string> {
  const builder = await createBuilder({
    configFile: join(import.meta.dirname, 'vite.config.ts'),
    logLevel: 'warn',
    environments: { worker: { build: { write: false } } },
  });
  const { worker } = builder.environments;
  if (!worker) throw new Error('vite.config.ts builds no reading worker.');
  const built = [await builder.build(worker)].flat();
  const chunk = built
    .flatMap((each) => ('output' in each ? each.output : []))
    .find(({ type }) => type === 'chunk');
  if (chunk?.type !== 'chunk') throw new Error('The build of the reading worker gave no code.');
  return chunk.code;
}
let readingWorker: Promise<string> | undefined;

/**
 * Gives tests a reading worker that is built once. Run from sources, each one sets up tsx in a further thread and loads
 * all modules by it: more than a second of a processor.
 */
const builtReadingWorker: Plugin = {
  name: 'built-reading-worker',
  enforce: 'pre',
  async load(id) {
    if (!id.endsWith('/server/lists/reading/worker-script.ts')) return undefined;
    return `export const workerScript = () => ${JSON.stringify(await (readingWorker ??= buildReadingWorker()))};`;
  },
};

/** Files that take long go first, so that no processor is left with one of them at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const order = Object.keys(PROJECTS);
    const place = ({ project }: TestSpecification): number => order.indexOf(project.name);
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}

export default defineConfig({
  plugins: [svelte(), builtReadingWorker],
  test: {
    // On a machine of two cores the runner would take one of them only; many tests wait for disks, clocks and answers.
    // Those of nodes wait for more than half of their time, so that four take less than two cores.
    maxWorkers: Math.max(6, availableParallelism() - 1),
    // The usual second is over where a busy machine holds a process up for that long; what comes ends the wait at once.
    expect: { poll: { timeout: 15_000 } },
    sequence: { sequencer: LongestFirst },
    // Tests with these tags are left for the nightly run, for the reason that each describes.
    tags: nightly,
    projects: Object.values(PROJECTS),
  },
});
