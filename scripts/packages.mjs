import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

const changedAt = (...path) => statSync(join(root, ...path), { throwIfNoEntry: false })?.mtimeMs;

/** Installs the lockfile's packages if they are missing or older than it; returns whether they are there. */
export function ensurePackages() {
  // npm writes this file when an installation is complete.
  const installedAt = changedAt('node_modules', '.package-lock.json');
  if (installedAt !== undefined && installedAt >= (changedAt('package-lock.json') ?? 0)) return true;
  console.error('Installing packages …');
  const npm = process.env.npm_execpath;
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const options = { cwd: root, stdio: ['ignore', 2, 2] };
  const { status } = npm?.endsWith('.js')
    ? spawnSync(process.execPath, [npm, ...args], options)
    : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
  return status === 0;
}
