// `npm start`: makes what is missing (packages, build), then starts the app. Plain JavaScript without packages,
// since on a fresh clone there are none.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ensurePackages } from './packages.mjs';

const root = join(import.meta.dirname, '..');
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
/** What a build makes last: as old as the whole of it. */
const LAST_BUILT = at('dist', 'icons', 'app.icns');

function fail(message) {
  console.error(message);
  process.exit(1);
}

function run(what, program, args, options = {}) {
  console.error(`${what} …`);
  const { status } = spawnSync(program, args, { cwd: root, stdio: ['ignore', 2, 2], ...options });
  if (status !== 0) fail(`${what} did not work; what went wrong stands above.`);
}

function changedAt(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => changedAt(join(path, name))));
}

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19))
  fail(`Footbridge needs Node.js 20.19 or newer; this is ${process.version}.`);

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

await import('../dist/main/launch.js');
