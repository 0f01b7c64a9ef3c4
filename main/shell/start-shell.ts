import { homedir } from 'node:os';
import { join } from 'node:path';
import { createLog, openLogFiles } from '../../server/node/log.ts';
import type { Electron } from '../electron.ts';
import { RemoteNode } from '../node/remote-node.ts';
import { forgetGuardedKey, openSecrets } from '../secrets/secrets.ts';
import { trayIsShown } from '../tray/tray.ts';
import type { StartArguments } from './arguments.ts';
import type { Instance } from './instance.ts';
import { ownAppImage } from './login-item.ts';
import { packageInfo } from '../updates/updater.ts';
import { Shell, type ShellElectron } from './shell.ts';
import { openShellState } from './shell-state.ts';

export interface Start {
  readonly electron: ShellElectron & Electron<'safeStorage' | 'utilityProcess'>;
  readonly instance: Instance;
  readonly started: StartArguments;
  readonly dataDir: string;
  readonly dist: string;
}

/**
 * Creates and starts the shell, which from then on handles this process's uncaught errors. Call it in the single
 * instance when Electron is ready.
 */
export async function startShell({ electron, instance, started, dataDir, dist }: Start): Promise<void> {
  const { app } = electron;
  const { platform, env } = process;
  // The node's start explains an unwritable folder; until then the terminal gets the log.
  const files = await openLogFiles(dataDir).catch(() => process.stderr);
  const log = createLog(files, env.FOOTBRIDGE_LOG);
  const shell = new Shell({
    electron,
    instance,
    started,
    dataDir,
    dist,
    login: {
      platform,
      packaged: app.isPackaged,
      execPath: process.execPath,
      appImage: ownAppImage(env, process.execPath),
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
    createNode: ({ key, protection }, hearer) =>
      new RemoteNode({
        fork: () => electron.utilityProcess.fork(join(dist, 'main', 'node.js'), [], { serviceName: 'node' }),
        options: {
          dataDir,
          windowDir: join(dist, 'window'),
          secrets: { key: key.toString('hex'), protection },
          logLevel: env.FOOTBRIDGE_LOG,
          allowLoopbackPartners: started.allowLoopbackPartners ?? false,
          port: started.port,
          windowPort: started.windowPort,
        },
        hearer,
        log,
        // The window's session may connect nowhere.
        resolveProxy: (url) => app.resolveProxy(url),
        writeLog: (line) => void files.write(line),
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
