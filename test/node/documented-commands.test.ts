import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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
