import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { PAGES, text } from '../support/reading/pages.ts';
import { rawRequest } from '../support/harness/http.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);
const program = join(root, 'dist/cli.js');
const scripts = Object.keys(
  (JSON.parse(text('package.json')) as { scripts: Record<string, string> }).scripts,
);

/** Every command of the program that a page shows, as its words. A comment ends it, as do quotes around it. */
const commands = PAGES.flatMap((page) =>
  [
    ...text(page).matchAll(
      /(?:cli\.js|(?<=[`"\s])footbridge) ((?:serve|window|relay|token|import|export|watch|copy|backup|restore|move|doctor|demo|bench|tidy)\b[^`"\n#|]*)/g,
    ),
  ].map(([, command = '']) => ({ page, words: command.trim().split(/\s+/) })),
);

describe('what the pages say to run', () => {
  it.each(PAGES)('%s: each script of npm is there, and each file that a command names', (page) => {
    const named = [...text(page).matchAll(/npm run (?:--silent )?([a-z][a-z:-]*)/g)].map(([, name]) => name);
    expect(named.filter((name) => !scripts.includes(name ?? ''))).toEqual([]);
    const files = [...text(page).matchAll(/(?:vitest run|npx tsx)[^\n`#]*?\b((?:test|scripts)\/[\w./-]+)/g)];
    expect(files.filter(([, file = '']) => !existsSync(join(root, file)))).toEqual([]);
  });
});

/** A line of a page's shell blocks, with the lines that go on. */
const lines = PAGES.flatMap((page) =>
  [...text(page).matchAll(/```(?:sh|bat)\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
    block
      .replace(/\\\n\s*/g, '')
      .split('\n')
      .filter((line) => line.trim() !== '' && page !== 'docs/curl.md')
      .map((line) => ({ page, line })),
  ),
);

/** Commands that go on until Ctrl+C, and what they print once they are ready. */
const LASTING: readonly (readonly [RegExp, RegExp])[] = [
  [/^npm start/, /http:\/\/127\.0\.0\.1:\d+/],
  [/^npm run demo -- --stay/, /Ctrl\+C/],
  [/^node dist\/cli\.js serve/, /http:\/\/127\.0\.0\.1:\d+/],
  [/^node dist\/cli\.js relay/, /relay/],
];
/** Commands that no test runs as they stand, and why. */
const NOT_RUN: readonly (readonly [RegExp, string])[] = [
  [/^npm test|^npm run nightly/, 'runs this test itself'],
  [/^npm run (?:mutations|soak|fuzz:files|networks)/, 'takes up to hours, and is run by hand'],
  [/^(?:FOOTBRIDGE_\w+=\S+ )+npx vitest run/, 'repeats tests of the nightly run more often'],
  [/npm run desktop:old|^apt-get install/, 'needs packages of a desktop'],
  [/^export FOOTBRIDGE_|^footbridge /, 'needs a database; test/node/office-in-database.test.ts has one'],
  [/^sudo (?:mkdir|cp|node)/, 'is below, with other folders'],
  [/^sudo systemctl|^ssh /, 'needs a service manager, or another computer'],
  [/^schtasks|^icacls/, 'needs Windows'],
];
const isOf = (list: readonly (readonly [RegExp, unknown])[], line: string): boolean =>
  list.some(([pattern]) => pattern.test(line));

describe('what the pages have for a shell', () => {
  it('has a reason for each line that is not run, and no reason too many', () => {
    const one = lines.filter(({ line }) => isOf(LASTING, line) && isOf(NOT_RUN, line));
    expect(one).toEqual([]);
    for (const [pattern, reason] of [...NOT_RUN, ...LASTING])
      expect(
        lines.some(({ line }) => pattern.test(line)),
        String(reason),
      ).toBe(true);
  });

  // The packages are fetched, and a lasting command takes the usual ports.
  it('runs from a fresh clone, line by line', { tags: 'nightly-waits', timeout: 1_200_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'footbridge-clone-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const clone = join(folder, 'footbridge');
    await run('git', ['clone', '--quiet', root, clone]);
    const { failed, done } = await runLines(lines, clone, folder);
    expect(failed).toEqual([]);
    expect(done.size).toBeGreaterThan(5);
  });

  it('is named with its page where it does not work, or does not go on', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'footbridge-planted-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const planted = [
      'node --version',
      'node scripts/nowhere.mjs',
      'node dist/cli.js serve --data /tmp/office',
    ];
    const { failed } = await runLines(
      planted.map((line) => ({ page: 'README.md', line })),
      folder,
      folder,
    );
    expect(failed.map((text) => text.split('\n').slice(0, 2))).toEqual(
      planted
        .slice(1)
        .map((line) => [`README.md: ${line}`, expect.stringMatching(/^ended with -?1: /) as string]),
    );
  });
});

/** Runs what is to be run of these lines in the clone, with `folder` in place of `/tmp` and of the home. */
async function runLines(
  given: typeof lines,
  clone: string,
  folder: string,
): Promise<{ failed: string[]; done: Set<string> }> {
  const env = { ...process.env, HOME: folder, TMPDIR: folder, DISPLAY: '', npm_config_loglevel: 'error' };
  const failed: string[] = [];
  const done = new Set<string>();
  for (const { page, line } of given) {
    const command = line.replace(/\s+#.*$/, '').replaceAll('/tmp/', `${folder}/`);
    if (isOf(NOT_RUN, line) || done.has(command)) continue;
    done.add(command);
    const ready = LASTING.find(([pattern]) => pattern.test(line))?.[1];
    const { code, output } = await runLine(command, { cwd: clone, env }, ready);
    if (code !== 0) failed.push(`${page}: ${line}\nended with ${code}: ${output.slice(-1000)}`);
  }
  return { failed, done };
}

/** Longer than packages take on a busy machine; what goes on is killed, and the line has failed. */
const LINE_MS = 240_000;

/** Runs a line in a shell to its end, or until it prints that it is ready, and then as Ctrl+C would end it. */
async function runLine(
  command: string,
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
  ready: RegExp | undefined,
): Promise<{ code: number; output: string }> {
  const child = spawn('sh', ['-c', command], { ...options, detached: true });
  let output = '';
  const state = { isReady: false };
  const exited = new Promise<number>((done) => {
    child.once('exit', (code, signal) => done(state.isReady && signal === 'SIGINT' ? 0 : (code ?? -1)));
  });
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => {
      output += part.toString();
      if (state.isReady || ready?.test(output) !== true) return;
      state.isReady = true;
      process.kill(-(child.pid ?? 0), 'SIGINT');
    });
  const limit = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), LINE_MS);
  const code = await exited;
  clearTimeout(limit);
  const { isReady } = state;
  return { code: ready !== undefined && !isReady ? -1 : isReady && code === 130 ? 0 : code, output };
}

// Whoever runs this file alone builds first; `npm test` does.
describe.skipIf(!existsSync(program))('what the pages say of the built program', () => {
  it('has every option that a page gives to a command', async () => {
    expect(commands.length).toBeGreaterThan(15);
    const unknown: string[] = [];
    for (const command of new Set(commands.map(({ words }) => words[0] ?? ''))) {
      const { stdout } = await run(process.execPath, [program, command, '--help']);
      const known = new Set(stdout.match(/--[a-z-]+/g));
      for (const { page, words } of commands.filter(({ words }) => words[0] === command)) {
        const options = words.flatMap((word) => /^\[?(--[a-z-]+)/.exec(word)?.[1] ?? []);
        unknown.push(
          ...options.filter((name) => !known.has(name)).map((name) => `${page}: ${command} ${name}`),
        );
      }
    }
    expect(unknown).toEqual([]);
  });

  describe('installed as a page says', () => {
    let folder: string;
    let started: ChildProcess | undefined;
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'footbridge-installed-'));
    });
    afterEach(async () => {
      if (started?.exitCode === null) {
        const over = new Promise((done) => started?.once('exit', done));
        started.kill('SIGTERM');
        await over;
      }
      rmSync(folder, { recursive: true, force: true });
    });

    /** Copies a file or folder of the checkout to where the page has it, below this test's folder. */
    const copy = (from: string, to: string): void => {
      const target = join(folder, to.endsWith('/') ? join(to, from) : to);
      mkdirSync(dirname(target), { recursive: true });
      cpSync(join(root, from), target, { recursive: true });
    };

    /** Starts the command with its paths below this test's folder, and returns the line of JSON that it prints. */
    async function start(words: readonly string[], ...further: string[]): Promise<Record<string, unknown>> {
      const own = words.map((word) => (word.startsWith('/') ? join(folder, word) : word));
      started = spawn(process.execPath, [...own, ...further, '--json'], { cwd: folder });
      let printed = '';
      await new Promise<void>((done, fail) => {
        started?.stdout?.on('data', (part: Buffer) => {
          printed += part.toString();
          if (printed.includes('\n')) done();
        });
        started?.once('exit', (code) => fail(new Error(`ended with ${code}: ${printed}`)));
      });
      return JSON.parse(printed) as Record<string, unknown>;
    }

    it('docs/service.md: three copies are enough, and the window answers at the end of a tunnel', async () => {
      const page = text('docs/service.md');
      const [, sources = ''] = /cp -r (.*) \/opt\/footbridge\/\n/.exec(page) ?? [];
      for (const source of sources.split(' ')) copy(source, '/opt/footbridge/');
      const [, command = ''] = /^ExecStart=\/usr\/bin\/node (.*)$/m.exec(page) ?? [];
      const ready = await start(command.split(' '), '--port', '0', '--window-port', '0');
      const { stdout: link } = await run(process.execPath, [
        ...(/sudo node (.*)/.exec(page)?.[1] ?? '')
          .split(' ')
          .map((word) => (word.startsWith('/') ? join(folder, word) : word)),
      ]);
      const { host, pathname, search } = new URL(link.trim());
      expect(host).toBe('127.0.0.1:9000');
      const port = Number(new URL(String(ready.window)).port);
      const opened = await rawRequest(port, pathname + search, { method: 'GET', headers: { Host: host } });
      expect(opened.status).toBe(303);
    });

    it.each(['docs/service.md', 'docs/relay.md'])(
      '%s: the container has all that it starts',
      async (page) => {
        const [, file = ''] = /```dockerfile\n([\s\S]*?)```/.exec(text(page)) ?? [];
        for (const [, from = '', to = ''] of file.matchAll(/^COPY (\S+) (\S+)$/gm)) copy(from, to);
        const [, , ...words] = ['', ...(JSON.parse(/^CMD (.*)$/m.exec(file)?.[1] ?? '[]') as string[])];
        const ready = await start(words, '--port', '0', '--host', '127.0.0.1');
        expect(Object.keys(ready).length).toBeGreaterThan(0);
        expect(statSync(join(folder, '/data')).isDirectory()).toBe(true);
      },
    );
  });
});
