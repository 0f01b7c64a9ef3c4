import type { BrowserWindow } from 'electron';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { appMenu } from '../window/app-menu.ts';
import { createAppProtocol } from '../window/app-protocol.ts';
import { restartArguments, type StartArguments } from './arguments.ts';
import { askForSecrets, type SecretSource, type SecretKey } from '../secrets/secrets.ts';
import type { ShellSettings } from '../node/messages.ts';
import { decideClose, type CloseDecision } from '../window/close-rule.ts';
import { createCrashResponse, type CrashResponse, writeReport } from './crash-report.ts';
import { createDesktopApi, registerPageCalls } from '../window/desktop-api.ts';
import { createDialogs, type Dialogs } from '../window/dialogs.ts';
import type { Electron } from '../electron.ts';
import type { Instance } from './instance.ts';
import { EXIT_REPORTED } from './launch-plan.ts';
import { registerLinks, linkTargetOf } from './deep-link.ts';
import { applyLoginItem, startsHidden, type LoginSituation } from './login-item.ts';
import { APP_SCHEME } from '../security/navigation.ts';
import { NodeRunner, type NodeListener, type ShellNode } from './node-runner.ts';
import { createNotifier } from '../tray/notifications.ts';
import { createOpenExternal } from '../security/open-external.ts';
import { onPowerEvents } from './power-events.ts';
import { createQuit, type Quit } from './quit.ts';
import { routes, type Route } from '../window/routes.ts';
import { guardContents, guardSession } from '../security/security.ts';
import type { ShellStateFile } from './shell-state.ts';
import { runPhases, type Phase } from './startup.ts';
import { createStatusDisplay, type StatusDisplay } from '../tray/status-display.ts';
import { translationFor, type Translation, type Texts } from '../text/i18n.ts';
import { createTray, type TrayIcon } from '../tray/tray.ts';
import { type TrayAction, createTrayActions } from '../tray/tray-menu.ts';
import { Updater, type UpdaterDeps } from '../updates/updater.ts';
import { AppWindow } from '../window/window.ts';
import { createWindowSession, type WindowSession } from '../window/window-session.ts';

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
  /** Build folder, with `window`, `icons` and `main/preload.cjs`. */
  readonly dist: string;
  readonly login: LoginSituation;
  readonly log: Logger;
  readonly now: () => number;
  readonly state: ShellStateFile;
  readonly secrets: SecretSource;
  readonly createNode: (secrets: SecretKey, hearer: NodeListener) => ShellNode;
  readonly trayShown: () => Promise<boolean>;
  readonly updates: Pick<UpdaterDeps, 'situation' | 'loadEngine'>;
}

/** The app without the node's process. Create it when Electron is ready. */
export class Shell {
  readonly #deps: ShellDeps;
  readonly #icon: string;
  readonly #dialogs: Dialogs;
  readonly #openExternal: (address: string) => boolean;
  readonly #runner: NodeRunner;
  readonly #quit: Quit;
  readonly #session: WindowSession;
  readonly #updater: Updater;
  readonly #window: AppWindow;
  readonly #act: (action: TrayAction) => void;
  readonly #tray: TrayIcon;
  readonly #display: StatusDisplay;
  readonly #handleCrash: CrashResponse;
  readonly #phases: readonly Phase[];
  #secrets: SecretKey | undefined;

  constructor(deps: ShellDeps) {
    const { electron, dataDir, dist, log } = deps;
    this.#deps = deps;
    this.#icon = join(dist, 'icons', 'app', '256x256.png');
    this.#dialogs = createDialogs({ electron, dataDir, speech: () => this.#speech() });
    this.#openExternal = createOpenExternal({ electron, log });
    this.#runner = this.#makeNodeRunner();
    this.#quit = createQuit({
      saveTyped: () => this.#window.saveTyped(),
      stopNode: (ms) => this.#runner.stop(ms),
      remember: () => this.#window.savePosition(),
      cleanUp: () => {
        this.#display.stop();
        this.#updater.stop();
        this.#tray.remove();
      },
      quit: () => electron.app.quit(),
      exit: () => electron.app.exit(0),
    });
    this.#session = createWindowSession(async () => {
      const node = this.#runner.node();
      if (!node) throw new Error('The node is not running.');
      return node.windowLink();
    });
    this.#updater = this.#makeUpdater();
    this.#window = this.#makeWindow();
    this.#act = this.#makeTrayActions();
    this.#tray = createTray({
      ...{ electron, platform: deps.login.platform, icons: join(dist, 'icons'), now: deps.now },
      speech: () => this.#speech(),
      act: this.#act,
    });
    this.#display = this.#makeStatusDisplay();
    this.#handleCrash = this.#makeCrashResponse();
    this.#phases = [
      { name: 'guards', run: () => this.#guard() },
      { name: 'menu and tray', run: () => this.#drawMenuAndTray() },
      { name: 'node', run: () => this.#startNode() },
      { name: 'window', run: () => this.#openFirst() },
    ];
  }

  /**
   * Runs the start's phases: guards, tray, node, window. After a failure writes a report if it was unexpected, and asks
   * whether to retry from that phase or quit. Never rejects.
   */
  async start(): Promise<void> {
    const { dataDir, electron, log } = this.#deps;
    let left: readonly Phase[] = this.#phases;
    for (;;) {
      const end = await runPhases(left, () => this.#quit.isUnderway());
      if (end.end !== 'failed') return;
      const { error, during } = end;
      log.fatal({ err: error, during: during.name }, 'start failed');
      const report = (): Promise<string | undefined> => writeReport(dataDir, error, `start: ${during.name}`);
      if ((await this.#dialogs.startFailed(error, report)) === 'quit') {
        electron.app.exit(EXIT_REPORTED);
        return;
      }
      left = this.#phases.slice(this.#phases.indexOf(during));
    }
  }

  /** Handles an uncaught error of the shell like a crash of the node. */
  crashed(error: unknown, during: string): Promise<void> {
    return this.#runner.crashed(error, during);
  }

  /** Returns texts and locale of the user's language; of the system's until settings are known. */
  #speech(): Translation {
    const chosen = this.#display.settings()?.language ?? 'system';
    return translationFor(chosen, this.#deps.electron.app.getLocale());
  }

  #texts(): Texts {
    return this.#speech().t;
  }

  /** Creates what runs the node and restarts it; each start signs the window in again and redraws the tray. */
  #makeNodeRunner(): NodeRunner {
    const { log, now } = this.#deps;
    return new NodeRunner({
      create: (hearer) => {
        if (!this.#secrets) throw new Error('The node was to start before it could keep secrets.');
        return this.#deps.createNode(this.#secrets, hearer);
      },
      log,
      now,
      onEvent: (event) => this.#display.event(event),
      onStarted: () => {
        this.#session.forget();
        return this.#display.refresh();
      },
      onCrash: (outcome, error, during) => void this.#handleCrash(outcome, error, during),
    });
  }

  /** Creates what checks for updates; the last check's time is stored, a change of state redraws the tray. */
  #makeUpdater(): Updater {
    const { updates, state, now, log } = this.#deps;
    return new Updater({
      ...updates,
      lastCheckedAt: () => state.current().updateCheckedAt,
      checkedAt: (when) => void state.change({ updateCheckedAt: when }),
      now,
      log,
      texts: () => this.#texts(),
      onChange: () => this.#display.redraw(),
    });
  }

  /** Creates the window's controller, without a window. */
  #makeWindow(): AppWindow {
    const { electron, dist, state, log, now, trayShown } = this.#deps;
    return new AppWindow({
      electron,
      preload: join(dist, 'main', 'preload.cjs'),
      icon: this.#icon,
      state,
      log,
      now,
      texts: () => this.#texts(),
      decideClose: () => this.#decideClose(),
      trayShown,
      quitting: () => this.#quit.isUnderway(),
      quit: () => electron.app.quit(),
      sessionEnds: () => this.#quit.begin(),
    });
  }

  /**
   * Decides what closing the window does now: by platform, tray, the setting to keep running, and whether that was
   * explained.
   */
  async #decideClose(): Promise<CloseDecision> {
    const { login, state, trayShown } = this.#deps;
    const situation = {
      quitting: this.#quit.isUnderway(),
      platform: login.platform,
      trayShown: await trayShown(),
      keepRunning: this.#display.settings()?.closeToTray ?? true,
      explained: state.current().closeExplained,
    };
    return decideClose(situation, this.#texts());
  }

  /** Creates the function that performs a click in the tray menu. */
  #makeTrayActions(): (action: TrayAction) => void {
    const { electron, now, log } = this.#deps;
    return createTrayActions({
      node: () => this.#runner.node(),
      show: (route) => this.#window.show(route),
      installUpdate: () => this.#installUpdate(),
      quit: () => electron.app.quit(),
      now,
      log,
    });
  }

  /** Creates the display of the node's state. Call it once the tray exists. */
  #makeStatusDisplay(): StatusDisplay {
    const { electron, login } = this.#deps;
    const { platform } = login;
    const icon = this.#icon;
    const open = (route: Route): void => this.#window.show(route);
    const texts = (): Texts => this.#texts();
    return createStatusDisplay({
      language: () => this.#speech().language,
      node: () => this.#runner.node(),
      onSettings: (settings) => void this.#applySettings(settings),
      tray: this.#tray,
      notifier: createNotifier({ electron, platform, icon, open, texts }),
      updateReady: () => this.#updater.state().state === 'ready',
    });
  }

  /**
   * Creates the handler of the node's crashes, which reloads the page, retries, shows the failure in the tray, or
   * quits.
   */
  #makeCrashResponse(): CrashResponse {
    const { dataDir, electron } = this.#deps;
    return createCrashResponse({
      dataDir,
      dialogs: this.#dialogs,
      runner: () => this.#runner,
      reloadPage: () => this.#window.reload(),
      showDown: () => this.#drawTray('error', 'tray.nothing-synced'),
      quit: () => electron.app.quit(),
    });
  }

  /** Applies theme, language, updates and start at login; logs a failure of the last. */
  async #applySettings(settings: ShellSettings): Promise<void> {
    const { electron, login, log } = this.#deps;
    electron.nativeTheme.themeSource = settings.theme;
    this.#drawMenu();
    this.#updater.enable(settings.checkForUpdates);
    try {
      await applyLoginItem(electron, login, settings.startAtLogin);
    } catch (error) {
      log.warn({ err: error }, 'start at login');
    }
  }

  /**
   * Ends the app and installs the ready update; returns false without one. The app ends first: macOS closes the windows
   * before it installs, and they must not hide instead.
   */
  #installUpdate(): boolean {
    if (this.#updater.state().state !== 'ready') return false;
    this.#quit.begin(() => this.#updater.install());
    return true;
  }

  /** Checks for updates, tells the result, and installs a ready update if the user wants it. */
  async #checkForUpdates(): Promise<void> {
    if (await this.#dialogs.updateFound(await this.#updater.check())) this.#installUpdate();
  }

  /**
   * Handles a start: shows the window, at the page of its link or file, or tells why that is refused. Ignores a hidden
   * start with neither. While the app ends, plans a new start instead.
   */
  async #handleStart(started: StartArguments): Promise<void> {
    const target = await linkTargetOf(started);
    if (target === undefined && started.hidden) return;
    if (this.#quit.isUnderway()) {
      this.#quit.relaunchOnce(() => this.#relaunch(started));
      return;
    }
    this.#window.show(target?.kind === 'page' ? target.route : undefined);
    if (target?.kind === 'refused') await this.#dialogs.linkRefused(target.why);
  }

  /** Plans a new start with the program's own arguments, and this start's link or file. */
  #relaunch(started: StartArguments): void {
    const { electron, login } = this.#deps;
    const args = restartArguments(process.argv, started);
    // The AppImage's mount goes with it.
    electron.app.relaunch(login.appImage === undefined ? { args } : { args, execPath: login.appImage });
  }

  /** Installs security guards, the app's protocol, the page's API, and handlers of links, quitting and power. */
  async #guard(): Promise<void> {
    const { electron, login, dataDir, dist, log, trayShown } = this.#deps;
    const { app } = electron;
    await guardSession(electron.session.defaultSession);
    app.on('web-contents-created', (_event, contents) => guardContents(contents, this.#openExternal));
    registerLinks(electron, login);
    // Without a listener Electron ends with the last window.
    app.on('window-all-closed', () => undefined);
    app.on('before-quit', (event) => {
      if (!this.#quit.requestQuit()) event.preventDefault();
    });
    const files = { folder: join(dist, 'window'), session: this.#session };
    electron.protocol.handle(APP_SCHEME, createAppProtocol(files));
    const updates = {
      state: () => this.#updater.state(),
      check: () => this.#updater.check(),
      install: () => this.#installUpdate(),
    };
    const openExternal = this.#openExternal;
    const texts = (): Texts => this.#texts();
    const window = (): BrowserWindow | undefined => this.#window.current();
    const api = createDesktopApi({
      ...{ electron, login, dataDir, updates, openExternal, trayShown, texts },
      window,
    });
    registerPageCalls({ electron, api, log });
    onPowerEvents({ electron, node: () => this.#runner.node(), quit: () => app.quit() });
  }

  /** Sets the menu bar in the present language. */
  #drawMenu(): void {
    const { electron, login } = this.#deps;
    const actions = {
      settings: () => this.#window.show(routes.settings),
      syncNow: () => this.#act({ do: 'sync' }),
      addPartner: () => this.#window.show(routes.addPartner('')),
      checkForUpdates: () => void this.#checkForUpdates(),
      hideWindow: () => this.#window.close(),
      quit: () => electron.app.quit(),
    };
    const menu = appMenu(login.platform, actions, this.#texts());
    electron.Menu.setApplicationMenu(electron.Menu.buildFromTemplate(menu));
  }

  /** Draws the tray with this state and reason, without partners. */
  #drawTray(state: 'error' | 'offline', reason: 'tray.nothing-synced' | 'tray.starting'): void {
    this.#tray.draw({ state, reason: this.#texts()(reason), awaited: false, partners: [] }, false);
  }

  /** Draws the menu, and the tray as at the start: offline, without partners. For the start only. */
  #drawMenuAndTray(): void {
    this.#drawMenu();
    this.#drawTray('offline', 'tray.starting');
  }

  /**
   * Gets the secrets' key and starts the node. Quits if the user doesn't give up a refused key. Throws like the node's
   * start.
   */
  async #startNode(): Promise<void> {
    const { secrets, log, electron } = this.#deps;
    this.#secrets = await askForSecrets(secrets, this.#dialogs, log);
    if (this.#secrets) await this.#runner.start();
    else electron.app.quit();
  }

  /**
   * Opens the window, none for a hidden start, but a minimized one if no tray could show it; then handles later starts.
   */
  async #openFirst(): Promise<void> {
    const { electron, login, started, trayShown, instance } = this.#deps;
    const atLogin = login.platform === 'darwin' && electron.app.getLoginItemSettings().wasOpenedAtLogin;
    if (!startsHidden(started.hidden, atLogin)) await this.#handleStart(started);
    else if (!(await trayShown())) this.#window.showMinimized();
    instance.listen((another) => void this.#handleStart(another));
  }
}
