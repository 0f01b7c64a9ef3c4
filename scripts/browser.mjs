import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const CANDIDATES = [
  process.env.FOOTBRIDGE_CHROMIUM,
  // Opening the window costs a third of the processor time of the whole browser.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** Returns the path of the browser; undefined if there is none. */
export function findBrowser() {
  return CANDIDATES.find((path) => path && existsSync(path));
}

/** Installs Debian's Chromium as root or by password-less sudo. Returns whether there is a browser then. */
export function installBrowser() {
  return (install('chromium-headless-shell') || install('chromium')) && findBrowser() !== undefined;
}

/** Installs a package of Debian as root or by password-less sudo. Returns whether it did; false on other systems. */
export function install(name) {
  if (process.platform !== 'linux' || !existsSync('/usr/bin/apt-get')) return false;
  const root = process.getuid?.() === 0;
  if (!root && spawnSync('sudo', ['-n', 'true']).status !== 0) return false;
  const run = (args) =>
    execFileSync(root ? 'apt-get' : 'sudo', root ? args : ['-n', 'apt-get', ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  try {
    run(['update', '-qq']);
    run(['install', '-y', '-qq', '--no-install-recommends', name]);
  } catch {
    return false;
  }
  return true;
}
