import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Installs what we compare with beside the bench, unless it is there. What cannot be had, its rows will say. */
export function installPeers(say: (text: string) => void): void {
  if (existsSync(join(import.meta.dirname, 'node_modules'))) return;
  say('Installing what we compare with (built from source where there is no ready one) …');
  const done = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock'], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (done.status !== 0) say('Not all of it could be installed; its rows will say so.');
}
