import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Settings } from '../../server/contract/app/settings.ts';
import type { SecretBox } from '../../server/store/files/secrets.ts';
import { appMenu } from '../window/app-menu.ts';
import { createAppProtocol } from '../window/app-protocol.ts';
import type { StartArguments } from './arguments.ts';
import { askForSecrets, type SecretSource } from '../secrets/ask-for-secrets.ts';
import { decideClose } from '../window/close-rule.ts';
import { createCrashResponse } from './crash-response.ts';
import { createDesktopApi } from '../window/desktop-api.ts';
import { createDialogs } from '../window/dialogs.ts';
import type { Electron } from '../electron.ts';
import type { Instance } from './instance.ts';
import { answerPage } from '../window/ipc.ts';
import { EXIT_TOLD } from './launch-plan.ts';
import { registerLinks, targetOf } from './links.ts';
import { applyLoginItem } from './login.ts';
import { startsHidden, type LoginSituation } from './login-item.ts';
import { APP_SCHEME } from '../security/navigation.ts';
import { createNodeRunner, type ShellNode } from './node-runner.ts';
import { createNotifier } from '../tray/notifier.ts';
import { createOpenExternal } from '../security/open-external.ts';
import { followPower } from './power.ts';
import { createQuit } from './quit.ts';
import { writeReport } from './reports.ts';
import { routes } from '../window/routes.ts';
import { guardContents, guardSession } from '../security/security.ts';
import type { ShellStateFile } from './shell-state.ts';
import { startUp, type Phase } from './startup.ts';
import { createStatusDisplay } from '../tray/status-display.ts';
import type { Texts } from '../text/speech.ts';
import { speechFor, type Speech } from '../text/speech.ts';
import { createTray } from '../tray/tray.ts';
import { createTrayActions } from '../tray/tray-actions.ts';
import { createUpdater, type UpdaterDeps } from '../updates/updater.ts';
import { createWindow } from '../window/window.ts';
import { createWindowSession } from '../window/window-session.ts';

/** Everything of Electron that the running shell uses. */
export type ShellElectron = Electron<
  | 'app'
  | 'BrowserWindow'
  | 'Menu'
  | 'Notification'
  | 'Tray'
  | 'clipboard'
  | 'dialog'
  | 'ipcMain'
  | 'nativeImage'
  | 'nativeTheme'
  | 'powerMonitor'
  | 'protocol'
  | 'screen'
  | 'session'
  | 'shell'
>;

export interface ShellDeps {
  readonly electron: ShellElectron;
  readonly instance: Instance;
  readonly started: StartArguments;
  readonly dataDir: string;
  /** Folder of the build: `window`, `icons` and `main/preload.cjs` lie in it. */
  readonly dist: string;
  readonly login: LoginSituation;
  readonly log: Logger;
  readonly now: () => number;
  readonly state: ShellStateFile;
  readonly secrets: SecretSource;
  readonly createNode: (secrets: SecretBox) => ShellNode;
  readonly trayShown: () => Promise<boolean>;
  readonly updates: Pick<UpdaterDeps, 'situation' | 'loadEngine'>;
}

/** The shell, as far as the process around it needs it. */
export interface Shell {
  /** Brings everything up. Never rejects: what fails is told to the user, and the app ends. */
  start(): Promise<void>;
  /** Something threw where nobody caught it. */
  crashed(error: unknown, during: string): Promise<void>;
}

/** Puts the shell together; to be called when Electron is ready. */
export function createShell(deps: ShellDeps): Shell {
  const { electron, dataDir, dist, log, now, login, state } = deps;
  const { app } = electron;
  const { platform } = login;
  const icon = join(dist, 'icons', 'app', '256x256.png');
  const speech = (): Speech => speechFor(display.settings()?.language ?? 'system', app.getLocale());
  const texts = (): Texts => speech().t;
  const dialogs = createDialogs({ electron, dataDir, speech });
  const openExternal = createOpenExternal({ electron, log });

  let secrets: SecretBox | undefined;
  const runner = createNodeRunner({
    create() {
      if (!secrets) throw new Error('The node was to start before it could keep secrets.');
      return deps.createNode(secrets);
    },
    log,
    now,
    onEvent: (event) => display.event(event),
    onStarted: () => void display.refresh(),
    onCrash: (outcome, error, during) => void tellOfCrash(outcome, error, during),
    relaunch() {
      app.relaunch();
      app.exit(1);
    },
  });
  const quit = createQuit({
    stopNode: (ms) => runner.stop(ms),
    remember: () => window.remember(),
    cleanUp() {
      display.stop();
      updater.stop();
      tray.remove();
    },
    quit: () => app.quit(),
    exit: () => app.exit(0),
  });
  const session = createWindowSession(() => {
    const node = runner.node();
    if (!node) throw new Error('The node is not running.');
    return node.windowLink();
  });
  const updater = createUpdater({
    ...deps.updates,
    lastCheckedAt: () => state.current().updateCheckedAt,
    checkedAt: (when) => void state.change({ updateCheckedAt: when }),
    now,
    log,
    texts,
    onChange: () => display.redraw(),
  });
  const window = createWindow({
    electron,
    preload: join(dist, 'main', 'preload.cjs'),
    icon,
    state,
    log,
    now,
    texts,
    decideClose: async () => {
      const situation = {
        quitting: quit.underway(),
        platform,
        trayShown: await deps.trayShown(),
        keepRunning: display.settings()?.closeToTray ?? true,
        explained: state.current().closeExplained,
      };
      return decideClose(situation, texts());
    },
    trayShown: deps.trayShown,
    quitting: () => quit.underway(),
    quit: () => app.quit(),
    sessionEnds: () => quit.begin(),
  });
  const act = createTrayActions({
    node: () => runner.node(),
    show: (route) => window.show(route),
    installUpdate: () => installUpdate(),
    quit: () => app.quit(),
    now,
    log,
  });
  const tray = createTray({
    electron,
    platform,
    icons: join(dist, 'icons'),
    speech,
    now,
    act,
  });
  const display = createStatusDisplay({
    language: () => speech().language,
    node: () => runner.node(),
    onSettings: (settings) => void applySettings(settings),
    tray,
    notifier: createNotifier({ electron, platform, icon, open: (route) => window.show(route), texts }),
    updateReady: () => updater.state().state === 'ready',
  });

  const tellOfCrash = createCrashResponse({
    dataDir,
    dialogs,
    runner: () => runner,
    reloadPage: () => window.reload(),
    showDown: () =>
      tray.draw(
        { state: 'error', reason: texts()('tray.nothing-synced'), awaited: false, partners: [] },
        false,
      ),
    quit: () => app.quit(),
  });

  async function applySettings(settings: Settings): Promise<void> {
    electron.nativeTheme.themeSource = settings.theme;
    drawMenu();
    updater.enable(settings.checkForUpdates);
    try {
      await applyLoginItem(electron, login, settings.startAtLogin);
    } catch (error) {
      log.warn({ err: error }, 'start at login');
    }
  }

  /** macOS closes the windows before it installs: they must not hide instead, so the app stops first. */
  function installUpdate(): boolean {
    if (updater.state().state !== 'ready') return false;
    quit.begin(() => updater.install());
    return true;
  }

  async function checkForUpdates(): Promise<void> {
    if (await dialogs.updateFound(await updater.check())) installUpdate();
  }

  /** Another start, a link or a file: always to the window, and to the page that a link means. */
  async function arrive(started: StartArguments): Promise<void> {
    const target = await targetOf(started);
    if (target === undefined && started.hidden) return;
    window.show(target?.kind === 'page' ? target.route : undefined);
    if (target?.kind === 'refused') await dialogs.linkRefused(target.why);
  }

  async function guard(): Promise<void> {
    await guardSession(electron.session.defaultSession);
    app.on('web-contents-created', (_event, contents) => guardContents(contents, openExternal));
    registerLinks(electron, login);
    // Without a listener Electron ends with the last window.
    app.on('window-all-closed', () => undefined);
    app.on('before-quit', (event) => {
      if (!quit.mayQuit()) event.preventDefault();
    });
    electron.protocol.handle(APP_SCHEME, createAppProtocol({ folder: join(dist, 'window'), session }));
    const trayShown = deps.trayShown;
    const updates = { state: () => updater.state(), check: () => updater.check(), install: installUpdate };
    const api = createDesktopApi({ electron, login, dataDir, updates, openExternal, trayShown, texts });
    answerPage({ electron, api, log });
    followPower({ electron, node: () => runner.node(), quit: () => app.quit() });
  }

  function drawMenu(): void {
    const actions = {
      settings: () => window.show(routes.settings),
      syncNow: () => act({ do: 'sync' }),
      addPartner: () => window.show(routes.addPartner('')),
      checkForUpdates: () => void checkForUpdates(),
      hideWindow: () => window.close(),
      quit: () => app.quit(),
    };
    const menu = appMenu(platform, actions, texts());
    electron.Menu.setApplicationMenu(electron.Menu.buildFromTemplate(menu));
  }

  function draw(): void {
    drawMenu();
    tray.draw({ state: 'offline', reason: texts()('tray.starting'), awaited: false, partners: [] }, false);
  }

  async function startNode(): Promise<void> {
    secrets = await askForSecrets(deps.secrets, dialogs, log);
    if (secrets) await runner.start();
    else app.quit();
  }

  async function openFirst(): Promise<void> {
    const atLogin = platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin;
    if (!startsHidden(deps.started.hidden, atLogin)) await arrive(deps.started);
    else if (!(await deps.trayShown())) window.showMinimized();
    deps.instance.listen((started) => void arrive(started));
  }

  const phases: Phase[] = [
    { name: 'guards', run: guard },
    { name: 'menu and tray', run: draw },
    { name: 'node', run: startNode },
    { name: 'window', run: openFirst },
  ];

  return {
    async start() {
      let left: readonly Phase[] = phases;
      for (;;) {
        const end = await startUp(left, () => quit.underway());
        if (end.end !== 'failed') return;
        const { error, during } = end;
        log.fatal({ err: error, during: during.name }, 'start failed');
        const report = (): Promise<string | undefined> =>
          writeReport(dataDir, error, `start: ${during.name}`);
        if ((await dialogs.startFailed(error, report)) === 'quit') {
          app.exit(EXIT_TOLD);
          return;
        }
        left = phases.slice(phases.indexOf(during));
      }
    },
    crashed: (error, during) => runner.crashed(error, during),
  };
}
