import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as electron from 'electron';
import { fitsHandingOver, ownArguments, parseArguments } from './shell/arguments.ts';
import { defaultDataFolder } from './shell/data-folder.ts';
import { canWriteUserFolder, claimInstance } from './shell/instance.ts';
import { isForeignFolder } from '../server/store/files/data-folder.ts';
import { guardProcess } from './security/security.ts';

/*
 * Synchronous entry for what precedes Electron's readiness. Only the single instance loads the app; a second
 * start (a clicked link) hands over its arguments and ends.
 */

const { app } = electron;
const { platform, env } = process;
const dist = join(import.meta.dirname, '..');
const started = parseArguments(ownArguments(process.argv, app.isPackaged), process.cwd());
const dataDir = started.dataDir ?? defaultDataFolder({ platform, home: homedir(), env });
// A single instance per data folder; Electron needs the folder to exist.
if (started.dataDir !== undefined) {
  try {
    if (isForeignFolder(dataDir)) throw new Error(`${dataDir} belongs to other programs`);
    const own = join(dataDir, 'desktop');
    mkdirSync(own, { recursive: true, mode: 0o700 });
    app.setPath('userData', own);
  } catch {
    // The node's start explains it; until then the usual folder applies.
  }
}
app.setAppUserModelId('org.footbridge.desktop');

const fits = fitsHandingOver(process.argv);
const instance = fits ? claimInstance(electron, started) : undefined;
if (!fits) {
  void Promise.all([import('./shell/start-error-dialog.ts'), app.whenReady()]).then(([{ quitLinkTooLong }]) =>
    quitLinkTooLong(electron, dataDir),
  );
} else if (!instance && canWriteUserFolder(electron)) {
  app.quit();
} else if (!instance) {
  void Promise.all([import('./shell/start-error-dialog.ts'), app.whenReady()]).then(([{ quitUnwritable }]) =>
    quitUnwritable(electron, dataDir),
  );
} else {
  guardProcess(electron);
  Promise.all([import('./shell/start-shell.ts'), app.whenReady()])
    .then(([{ startShell }]) => startShell({ electron, instance, started, dataDir, dist }))
    .catch((error: unknown) => {
      process.stderr.write(`Footbridge could not start: ${String(error)}\n`);
      app.exit(1);
    });
}
