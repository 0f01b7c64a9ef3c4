import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as electron from 'electron';
import { createLog, logFiles } from '../server/node/log.ts';
import { createNode } from '../server/node/node.ts';
import { ownArguments, parseArguments } from './shell/arguments.ts';
import { defaultDataFolder } from './shell/data-folder.ts';
import { claimInstance } from './shell/instance.ts';
import { packageInfo } from './shell/package-info.ts';
import { forgetGuardedKey, openSecrets } from './secrets/secrets.ts';
import { guardProcess } from './security/security.ts';
import { createShell } from './shell/shell.ts';
import { openShellState } from './shell/shell-state.ts';
import { trayIsShown } from './tray/tray-host.ts';

/*
 * The desktop app's entry. What has to happen before Electron is ready happens here and at once: until this
 * module has run, Electron is not.
 */

const { app } = electron;
const { platform, env } = process;
const dist = join(import.meta.dirname, '..');
const started = parseArguments(ownArguments(process.argv, app.isPackaged), process.cwd());
const dataDir = started.dataDir ?? defaultDataFolder({ platform, home: homedir(), env });
// Two data folders are two apps, each with its own single instance. Electron wants the folder to be there; one
// that cannot be made is explained when the node does not start.
if (started.dataDir !== undefined) {
  try {
    const own = join(dataDir, 'desktop');
    mkdirSync(own, { recursive: true, mode: 0o700 });
    app.setPath('userData', own);
  } catch {
    // The usual folder serves until then.
  }
}
app.setAppUserModelId('org.footbridge.desktop');

const instance = claimInstance(electron, started);
if (!instance) {
  app.quit();
} else {
  guardProcess(electron);
  app
    .whenReady()
    .then(() => start(instance))
    .catch((error: unknown) => {
      process.stderr.write(`Footbridge could not start: ${String(error)}\n`);
      app.exit(1);
    });
}

async function start(claimed: NonNullable<typeof instance>): Promise<void> {
  // A folder that cannot be written is explained by the node's start; until then the terminal has the log.
  const files = await logFiles(dataDir).catch(() => process.stderr);
  const log = createLog(files, env.FOOTBRIDGE_LOG);
  const shell = createShell({
    electron,
    instance: claimed,
    started,
    dataDir,
    dist,
    login: {
      platform,
      packaged: app.isPackaged,
      execPath: process.execPath,
      appImage: env.APPIMAGE,
      home: homedir(),
      configHome: env.XDG_CONFIG_HOME,
    },
    log,
    now: Date.now,
    state: await openShellState(app.getPath('userData'), new Date()),
    secrets: {
      open: () => openSecrets({ electron, platform, dataDir }),
      forget: () => forgetGuardedKey(dataDir, new Date()),
    },
    createNode: (secrets) =>
      createNode({
        dataDir,
        windowDir: join(dist, 'window'),
        secrets,
        log,
        allowLoopbackPartners: started.allowLoopbackPartners ?? false,
        ...(started.port === undefined ? {} : { port: started.port }),
        ...(started.windowPort === undefined ? {} : { windowPort: started.windowPort }),
      }),
    trayShown: () => trayIsShown(platform),
    updates: {
      situation: {
        packaged: app.isPackaged,
        platform,
        ...packageInfo(app.getAppPath(), process.resourcesPath),
      },
      loadEngine: async () => (await import('electron-updater')).autoUpdater,
    },
  });
  process.on('uncaughtException', (error) => void shell.crashed(error, 'uncaught exception'));
  process.on('unhandledRejection', (error) => void shell.crashed(error, 'unhandled rejection'));
  await shell.start();
}
