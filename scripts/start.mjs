// `npm start` and `npm run demo`: makes what is missing (packages, build), then starts the app. It needs no packages,
// since on a fresh clone there are none.
import './check-node.mjs';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const parent = process.ppid;
const { ensurePackages } = await import('./packages.mjs');
const at = (...parts) => join(root, ...parts);

const SOURCES = [
  'main',
  'server',
  'renderer',
  'assets',
  'scripts',
  'package.json',
  'vite.config.ts',
  'svelte.config.js',
];
/** A build makes this file last. */
const LAST_BUILT = at('dist', 'icons', 'app.icns');

function fail(message) {
  console.error(message);
  process.exit(1);
}

function run(what, program, args) {
  console.error(`${what} …`);
  const { status } = spawnSync(program, args, { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) fail(`${what} did not work; what went wrong stands above.`);
}

function changedAt(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => changedAt(join(path, name))));
}

if (!ensurePackages()) fail('Installing packages did not work; what went wrong stands above.');

const built = existsSync(LAST_BUILT) ? statSync(LAST_BUILT).mtimeMs : 0;
if (SOURCES.some((source) => changedAt(at(source)) > built))
  run('Building', process.execPath, [
    at('node_modules', 'vite', 'bin', 'vite.js'),
    'build',
    '--app',
    '--logLevel',
    'warn',
  ]);

// The shell that npm started may have been told to end meanwhile.
if (process.ppid !== parent) process.exit(0);
await import('../dist/main/launch.js');
