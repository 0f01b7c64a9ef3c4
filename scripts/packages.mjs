// On a fresh clone there are no packages yet; what runs first installs them.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** Installs the packages of the lockfile where that has not been done; returns whether they are there. */
export function ensurePackages() {
  // npm writes this file when an installation is complete.
  if (existsSync(join(root, 'node_modules', '.package-lock.json'))) return true;
  console.error('Installing packages …');
  const npm = process.env.npm_execpath;
  const args = ['ci', '--no-audit', '--no-fund'];
  const options = { cwd: root, stdio: ['ignore', 2, 2] };
  const { status } = npm?.endsWith('.js')
    ? spawnSync(process.execPath, [npm, ...args], options)
    : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
  return status === 0;
}
