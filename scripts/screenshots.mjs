// Takes pictures of every page in every state into test-output/screenshots, checks each by axe, and renews the
// README's.
import { spawnSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { findBrowser } from './browser.mjs';

const README = ['share-columns-light', 'home-list-offered-light', 'list-rows-light', 'home-arrived-dark'];

const run = (args) =>
  spawnSync(process.execPath, args, {
    stdio: 'inherit',
    env: { ...process.env, FOOTBRIDGE_SCREENSHOTS: 'all', FOOTBRIDGE_CHROMIUM: findBrowser() },
  }).status ?? 1;

const status =
  run(['node_modules/vite/bin/vite.js', 'build', '--app', '--logLevel', 'warn']) ||
  run([
    'node_modules/vitest/vitest.mjs',
    'run',
    '--project',
    'window',
    'test/window/pages.test.ts',
    'test/window/main-job.test.ts',
  ]);
if (status !== 0) process.exit(status);
for (const name of README)
  copyFileSync(`test-output/screenshots/${name}.png`, `docs/screenshots/${name}.png`);
