import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..', '..');

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footbridge-start-'));
  await chmod(folder, 0o777);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** An environment without a display, a home of its own, and what the test says. */
const environment = (more: Record<string, string> = {}): NodeJS.ProcessEnv => {
  const { PATH, SystemRoot } = process.env;
  return { PATH, SystemRoot, HOME: folder, USERPROFILE: folder, LOCALAPPDATA: folder, ...more };
};
interface Run {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly end: Promise<number | null>;
}
const NOBODY = { uid: 65534, gid: 65534 };

/** Why the desktop app cannot be launched as a user here; undefined where it can. */
function whyNotAsUser(): string | undefined {
  if (process.platform !== 'linux') return 'only Linux has a stand-in for Electron as simple as a script';
  if (process.getuid?.() !== 0) return undefined;
  const look = ['-e', `require('node:fs').readFileSync(${JSON.stringify(join(ROOT, 'package.json'))})`];
  const seen = spawnSync(process.execPath, look, NOBODY).status === 0;
  return seen ? undefined : 'these tests run as root, and no other user may read this folder';
}
const notAsUser = whyNotAsUser();
if (notAsUser !== undefined) console.warn(`Launching the desktop app was not tested: ${notAsUser}.`);

/** Root may not run the desktop app, so that where the tests run as root the program runs as nobody. */
function run(args: readonly string[], env: NodeJS.ProcessEnv, asUser = false): Run {
  const nobody = asUser && process.getuid?.() === 0 ? NOBODY : {};
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'], ...nobody });
  let output = '';
  child.stdout.on('data', (data) => (output += String(data)));
  child.stderr.on('data', (data) => (output += String(data)));
  return { child, output: () => output, end: new Promise((done) => child.on('exit', done)) };
}

describe('launching a built app', () => {
  const LAUNCH = join(ROOT, 'dist', 'main', 'launch.js');
  const PORTS = ['--port', '0', '--window-port', '0', '--no-open'];
  beforeEach(() => {
    if (!existsSync(LAUNCH)) throw new Error('There is no build. Run `npm run build` first.');
  });

  it.skipIf(process.platform !== 'linux')(
    'runs the headless node where there is no display, and prints where its window is',
    async () => {
      const { child, output, end } = run([LAUNCH, ...PORTS], environment());
      await expect.poll(output, { timeout: 15_000 }).toMatch(/window is at http:\/\/127\.0\.0\.1:\d+\. /);
      expect(output()).toMatch(/^There is no display here\./);
      expect(output()).not.toContain('?key=');
      const again = run([LAUNCH, '--headless', ...PORTS], environment());
      expect(await again.end).toBe(0);
      const link = /http:\/\/127\.0\.0\.1:\d+\/\?key=\S+/.exec(again.output())?.[0] ?? '';
      const page = await fetch(link, { redirect: 'manual' });
      expect(page.headers.getSetCookie()).toHaveLength(1);
      const began = performance.now();
      child.kill('SIGTERM');
      expect(await end).toBe(0);
      // Two seconds, and what a busy machine holds it up for; connections that were waited for would take longer.
      expect(performance.now() - began).toBeLessThan(6000);
      expect(output()).toContain(join(folder, '.local', 'share', 'footbridge'));
    },
  );

  it('runs headless on demand everywhere', async () => {
    const { child, output, end } = run([LAUNCH, '--headless', ...PORTS], environment({ DISPLAY: ':9' }));
    await expect.poll(output, { timeout: 15_000 }).toMatch(/window is at http:\/\/127\.0\.0\.1:\d+\. /);
    child.kill('SIGTERM');
    await end;
  });

  describe.skipIf(notAsUser !== undefined)('with an Electron', () => {
    /** Something in Electron's place that writes down its arguments and ends as told. */
    async function standIn(script: string): Promise<NodeJS.ProcessEnv> {
      const runtime = join(folder, 'runtime');
      await mkdir(runtime);
      await writeFile(join(runtime, 'electron'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
      return environment({ DISPLAY: ':9', ELECTRON_OVERRIDE_DIST_PATH: runtime });
    }

    it('runs the desktop app, hands it the arguments, and ends as it ends', async () => {
      const env = await standIn('echo "desktop: $*"');
      const { output, end } = run([LAUNCH, '--hidden', '--data', join(folder, 'd')], env, true);
      expect(await end).toBe(0);
      expect(output()).toContain(`desktop: ${ROOT} --hidden --data ${join(folder, 'd')}`);
      expect(output()).not.toMatch(/browser/);
    });

    it('takes the browser when the desktop app does not come up', async () => {
      const env = await standIn('kill -TRAP $$');
      const { child, output, end } = run([LAUNCH, ...PORTS], env, true);
      await expect.poll(output, { timeout: 15_000 }).toMatch(/window is at/);
      expect(output()).toMatch(/did not come up/);
      child.kill('SIGTERM');
      await end;
    });

    it('starts nothing else when the desktop app has told the user why it cannot start', async () => {
      const { output, end } = run([LAUNCH, ...PORTS], await standIn('exit 3'), true);
      expect(await end).toBe(3);
      expect(output()).toBe('');
    });
  });
});

describe('npm start', () => {
  /** A project like this one whose tools only write down that they were called. */
  async function project(): Promise<string> {
    const root = join(folder, 'project');
    for (const part of ['main', 'server', 'renderer', 'assets', 'scripts'])
      await mkdir(join(root, part), { recursive: true });
    for (const script of ['start.mjs', 'packages.mjs', 'check-node.mjs'])
      await cp(join(ROOT, 'scripts', script), join(root, 'scripts', script));
    await cp(join(ROOT, 'package.json'), join(root, 'package.json'));
    for (const file of ['vite.config.ts', 'svelte.config.js'])
      await writeFile(join(root, file), '{"type":"module"}');
    const vite = `import { mkdirSync, writeFileSync } from 'node:fs';
      if (process.env.FAIL) process.exit(1);
      mkdirSync('dist/main', { recursive: true });
      mkdirSync('dist/icons', { recursive: true });
      writeFileSync('dist/main/launch.js', 'console.log("launched with", ...process.argv.slice(2))');
      writeFileSync('dist/icons/app.icns', '');
      console.log('vite', ...process.argv.slice(2));`;
    await writeFile(
      join(folder, 'npm.js'),
      `const { mkdirSync, writeFileSync } = require('node:fs');
      mkdirSync('node_modules/vite/bin', { recursive: true });
      writeFileSync('node_modules/vite/bin/vite.js', ${JSON.stringify(vite)});
      writeFileSync('node_modules/vite/package.json', '{"type":"module"}');
      writeFileSync('node_modules/.package-lock.json', '{}');
      console.log('npm', ...process.argv.slice(2));`,
    );
    return root;
  }
  async function start(
    root: string,
    more: Record<string, string> = {},
  ): Promise<{ code: number | null; output: string }> {
    const env = environment({ npm_execpath: join(folder, 'npm.js'), ...more });
    const started = run([join(root, 'scripts', 'start.mjs'), '--hidden'], env);
    const code = await started.end;
    return { code, output: started.output() };
  }

  it('installs, builds and starts on a fresh clone; starts at once the next time; builds again after a change', async () => {
    const root = await project();
    const first = await start(root);
    expect(first.output).toMatch(/npm ci .*vite build --app .*launched with --hidden/s);
    expect((await start(root)).output.trim()).toBe('launched with --hidden');
    await mkdir(join(root, 'server', 'lists'));
    await writeFile(join(root, 'server', 'lists', 'new.ts'), '');
    const later = new Date(Date.now() + 2000);
    await utimes(join(root, 'server', 'lists', 'new.ts'), later, later);
    const changed = await start(root);
    expect(changed.output).toMatch(/vite build/);
    expect(changed.output).not.toMatch(/npm ci/);
  });

  it('installs again after the lockfile changed', async () => {
    const root = await project();
    await start(root);
    const lockfile = join(root, 'package-lock.json');
    await writeFile(lockfile, '{}');
    const later = new Date(Date.now() + 2000);
    await utimes(lockfile, later, later);
    expect((await start(root)).output).toMatch(/npm ci/);
  });

  it('says what did not work, and starts nothing', async () => {
    const { code, output } = await start(await project(), { FAIL: '1' });
    expect(code).toBe(1);
    expect(output).toMatch(/Building did not work/);
    expect(output).not.toMatch(/launched/);
  });

  it('is plain JavaScript that needs no package', async () => {
    for (const script of ['start.mjs', 'packages.mjs', 'check-node.mjs']) {
      const source = await readFile(join(ROOT, 'scripts', script), 'utf8');
      const imports = [...source.matchAll(/from '([^']+)'/g)].map((match) => match[1]);
      expect(imports.filter((name) => !name?.startsWith('./') && !name?.startsWith('node:'))).toEqual([]);
    }
  });
});
