import { setTimeout as delay } from 'node:timers/promises';
import type { BrowserWindow } from 'electron';
import type { Logger } from 'pino';
import { contextMenu } from './app-menu.ts';
import type { CloseDecision } from './close-rule.ts';
import { afterCrash } from '../shell/crash-policy.ts';
import type { Electron } from '../electron.ts';
import { APP_ORIGIN } from '../security/navigation.ts';
import { routes, type Route } from './routes.ts';
import { webPreferences } from '../security/security.ts';
import type { ShellStateFile } from '../shell/shell-state.ts';
import type { Texts } from '../text/i18n.ts';
import { MINIMUM, positionToSave, placeWindow, type Rectangle } from './window-bounds.ts';

export interface WindowDeps {
  readonly electron: Electron<'BrowserWindow' | 'Menu' | 'dialog' | 'nativeTheme' | 'screen'>;
  readonly preload: string;
  readonly icon: string;
  readonly state: ShellStateFile;
  readonly log: Logger;
  readonly now: () => number;
  readonly texts: () => Texts;
  readonly decideClose: () => Promise<CloseDecision>;
  /** Without a tray icon the menu bar, with Quit, stays visible. */
  readonly trayShown: () => Promise<boolean>;
  readonly quitting: () => boolean;
  readonly quit: () => void;
  /** Windows ends the session: there is only time to stop. */
  readonly sessionEnds: () => void;
}

/** Before the page is drawn, against a flash. */
const GROUND = { light: '#f5f4ef', dark: '#0f181c' } as const;

/** By then the system has framed a new window. */
const FRAMED_MS = 500;

/** Blurs the edited field, which saves it. Returns whether there is one. */
const LEAVE_FIELD = `(() => {
  const field = document.activeElement;
  const isEdited = field?.matches('input, textarea, select') === true;
  if (isEdited) field.blur();
  return isEdited;
})()`;

/** For a field's change to reach the node. */
const SENT_MS = 200;

/** A window never reported ready is shown so long after loading. */
const UNREADY_MS = 500;

/** The one window; perhaps missing, hidden or minimized. */
export class AppWindow {
  readonly #deps: WindowDeps;
  #window: BrowserWindow | undefined;
  #opened: { asked: Rectangle; reported?: Rectangle } | undefined;
  #crashes: readonly number[] = [];
  /** Closing is being decided or explained. */
  #isClosing = false;
  /** The user is asked about a hanging page. */
  #isAsking = false;

  constructor(deps: WindowDeps) {
    this.#deps = deps;
    deps.electron.nativeTheme.on('updated', () => this.#window?.setBackgroundColor(this.#backgroundColor()));
  }

  /** Shows the window in front, opened if needed, at this page if given. */
  show(route?: Route): void {
    if (!this.#window) {
      this.#window = this.#open(route ?? routes.home, 'in-front');
      return;
    }
    if (route) void this.#load(this.#window, route);
    if (this.#window.isMinimized()) this.#window.restore();
    this.#window.show();
    this.#window.focus();
  }

  /** Opens the window minimized if there is none: at login, if no tray could reopen a hidden one. */
  showMinimized(): void {
    this.#window ??= this.#open(routes.home, 'minimized');
  }

  /** Closes as the user does: that hides or minimizes it, or quits, by settings and answer. */
  close(): void {
    this.#window?.close();
  }

  /** Lets the page save what is being typed. Resolves within 400 ms, at once if nothing is. */
  async saveTyped(): Promise<void> {
    const page = this.#window?.webContents;
    if (!page || page.isCrashed()) return;
    const waits = page.executeJavaScript(LEAVE_FIELD).catch(() => false);
    if ((await Promise.race([waits, delay(SENT_MS)])) !== false) await delay(SENT_MS);
  }

  /** Saves the window's position for the next start, unless hidden, minimized or not yet placed by the system. */
  async savePosition(): Promise<void> {
    if (!this.#window || !this.#opened || !isShown(this.#window)) return;
    const maximized = this.#window.isMaximized();
    if (!maximized && !this.#opened.reported) return;
    const kept = positionToSave(this.#opened.asked, this.#opened.reported, this.#window.getNormalBounds());
    await this.#deps.state.change({ bounds: { ...kept, maximized } });
  }

  reload(): void {
    this.#window?.webContents.reload();
  }

  /** Returns the window; undefined while there is none. */
  current(): BrowserWindow | undefined {
    return this.#window;
  }

  #backgroundColor(): string {
    return this.#deps.electron.nativeTheme.shouldUseDarkColors ? GROUND.dark : GROUND.light;
  }

  /** Returns the displays' work areas, the main one first. */
  #displays(): Electron.Rectangle[] {
    const main = this.#deps.electron.screen.getPrimaryDisplay();
    const others = this.#deps.electron.screen.getAllDisplays().filter(({ id }) => id !== main.id);
    return [main, ...others].map(({ workArea }) => workArea);
  }

  /** Starts a timer that stores once where the system says that a window placed at `asked` is. */
  #recordPosition(browserWindow: BrowserWindow, asked: Rectangle): void {
    setTimeout(() => {
      if (
        browserWindow === this.#window &&
        !this.#opened?.reported &&
        isShown(browserWindow) &&
        !browserWindow.isMaximized()
      )
        this.#opened = { asked, reported: browserWindow.getNormalBounds() };
    }, FRAMED_MS);
  }

  /** Asks how to close the window and does so, unless being asked. */
  async #closeOnce(browserWindow: BrowserWindow): Promise<void> {
    if (this.#isClosing) return;
    this.#isClosing = true;
    await this.#decideAndClose(browserWindow).finally(() => (this.#isClosing = false));
  }

  /**
   * Explains the first time that the app keeps running, which the user may decline; then hides or minimizes the window
   * or quits. While the app quits, does nothing.
   */
  async #decideAndClose(browserWindow: BrowserWindow): Promise<void> {
    const decision = await this.#deps.decideClose();
    if (browserWindow.isDestroyed()) return;
    if (decision.explain !== undefined) {
      await this.#deps.state.change({ closeExplained: true });
      const t = this.#deps.texts();
      const { response } = await this.#deps.electron.dialog.showMessageBox(browserWindow, {
        type: 'info',
        title: 'Footbridge',
        message: t('closing.title'),
        detail: decision.explain,
        buttons: [t('closing.keep'), t('tray.quit')],
        defaultId: 0,
        cancelId: 0,
      });
      if (response === 1) {
        this.#deps.quit();
        return;
      }
    }
    if (decision.action === 'quit') this.#deps.quit();
    else if (decision.action === 'hide') browserWindow.hide();
    else if (decision.action === 'minimize') browserWindow.minimize();
  }

  /** Reloads the page; at the fourth crash within ten minutes asks the user first, who may quit. */
  async #handlePageCrash(browserWindow: BrowserWindow, reason: string): Promise<void> {
    this.#deps.log.error({ reason }, 'the page ended');
    const decision = afterCrash(this.#crashes, this.#deps.now());
    this.#crashes = decision.crashes;
    if (decision.action === 'give-up') {
      const t = this.#deps.texts();
      const { response } = await this.#deps.electron.dialog.showMessageBox({
        type: 'error',
        title: 'Footbridge',
        message: t('dialog.page-fails'),
        detail: t('dialog.page-fails-detail'),
        buttons: [t('dialog.try-again'), t('tray.quit')],
        defaultId: 0,
        cancelId: 0,
      });
      if (response === 1) {
        this.#deps.quit();
        return;
      }
      this.#crashes = [];
    }
    if (!browserWindow.isDestroyed()) browserWindow.webContents.reload();
  }

  /** Asks whether to wait for the page, unless being asked. */
  async #askIfHung(browserWindow: BrowserWindow): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    await this.#askToWait(browserWindow).finally(() => (this.#isAsking = false));
  }

  /** Asks whether to wait; otherwise ends the page's process, which opens the page again. */
  async #askToWait(browserWindow: BrowserWindow): Promise<void> {
    const t = this.#deps.texts();
    const { response } = await this.#deps.electron.dialog.showMessageBox(browserWindow, {
      type: 'warning',
      title: 'Footbridge',
      message: t('dialog.page-hangs'),
      detail: t('dialog.page-hangs-detail'),
      buttons: [t('dialog.wait'), t('dialog.open-anew')],
      defaultId: 0,
      cancelId: 0,
    });
    if (response === 1 && !browserWindow.isDestroyed()) browserWindow.webContents.forcefullyCrashRenderer();
  }

  /**
   * Opens the window at its last position, with the page of `route`, and shows it as asked once it is drawn, or soon
   * after the page is loaded. Without a tray it always shows its menu bar.
   */
  #open(route: Route, shown: 'in-front' | 'minimized'): BrowserWindow {
    const { maximized, ...bounds } = placeWindow(this.#deps.state.current().bounds, this.#displays());
    const made = new this.#deps.electron.BrowserWindow({
      ...bounds,
      minWidth: Math.min(MINIMUM.width, bounds.width),
      minHeight: Math.min(MINIMUM.height, bounds.height),
      show: false,
      backgroundColor: this.#backgroundColor(),
      title: 'Footbridge',
      icon: this.#deps.icon,
      autoHideMenuBar: true,
      webPreferences: webPreferences(this.#deps.preload),
    });
    this.#opened = { asked: bounds };
    void this.#deps.trayShown().then((isShown) => {
      if (isShown || made.isDestroyed()) return;
      made.setAutoHideMenuBar(false);
      made.setMenuBarVisibility(true);
    });
    let revealed = false;
    /** Shows the window once, as it was asked for. */
    const revealWindow = (): void => {
      if (revealed || made.isDestroyed()) return;
      revealed = true;
      this.#recordPosition(made, bounds);
      if (shown === 'minimized') made.minimize();
      else if (maximized) made.maximize();
      else made.show();
    };
    made.once('ready-to-show', revealWindow);
    made.on('unmaximize', () => this.#recordPosition(made, bounds));
    made.on('restore', () => this.#recordPosition(made, bounds));
    this.#registerListeners(made);
    // Under Wayland a hidden window draws nothing, so never becomes ready (Electron 38 and later).
    void this.#load(made, route).then(() => setTimeout(revealWindow, UNREADY_MS));
    return made;
  }

  /** Registers handlers of the window's close, which saves its position, log-out, crash, hang and context menu. */
  #registerListeners(made: BrowserWindow): void {
    made.on('close', (event) => {
      // Its position was saved when the end began.
      if (this.#deps.quitting()) return;
      event.preventDefault();
      void this.savePosition();
      void this.#closeOnce(made);
    });
    made.on('closed', () => {
      this.#window = undefined;
    });
    made.on('session-end', () => this.#deps.sessionEnds());
    made.on('unresponsive', () => void this.#askIfHung(made));
    made.webContents.on('render-process-gone', (_event, { reason }) => {
      if (reason !== 'clean-exit') void this.#handlePageCrash(made, reason);
    });
    made.webContents.on('context-menu', (_event, at) => {
      const template = contextMenu(at, this.#deps.texts());
      if (template.length > 0) this.#deps.electron.Menu.buildFromTemplate(template).popup({ window: made });
    });
  }

  /** Loads a page; resolves even if that failed, which is logged. */
  #load(into: BrowserWindow, route: Route): Promise<void> {
    return into
      .loadURL(`${APP_ORIGIN}/${route}`)
      .catch((error: unknown) => this.#deps.log.warn({ err: error }, 'page not loaded'));
  }
}

/** A hidden window reports a wrong position. */
const isShown = (of: BrowserWindow): boolean => !of.isDestroyed() && of.isVisible() && !of.isMinimized();
