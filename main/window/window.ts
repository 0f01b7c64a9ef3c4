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
import type { Texts } from '../text/speech.ts';
import { MINIMUM, placeToKeep, placeWindow, type Rectangle } from './window-bounds.ts';

/** The one window. It may not exist yet, be hidden or minimized; `show` always brings it in front. */
export interface AppWindow {
  /** In front, at this place if one is given. */
  show(route?: Route): void;
  /** Opens it minimized: the start at login where no tray can bring a hidden one back. */
  showMinimized(): void;
  /** As the user closes it, by the rule for closing. */
  close(): void;
  /** Keeps where it stands for the next start; resolves when that is on disk. */
  remember(): Promise<void>;
  /** Loads the page anew, where there is a window. */
  reload(): void;
  /** The window itself, to put dialogs on it; undefined while there is none. */
  current(): BrowserWindow | undefined;
}

export interface WindowDeps {
  readonly electron: Electron<'BrowserWindow' | 'Menu' | 'dialog' | 'nativeTheme' | 'screen'>;
  readonly preload: string;
  readonly icon: string;
  readonly state: ShellStateFile;
  readonly log: Logger;
  readonly now: () => number;
  /** In the language of now. */
  readonly texts: () => Texts;
  /** What closing does now; asked at every closing. */
  readonly decideClose: () => Promise<CloseDecision>;
  /** Something shows the tray icon; without it the menu bar, in which quitting is, stays to be seen. */
  readonly trayShown: () => Promise<boolean>;
  readonly quitting: () => boolean;
  readonly quit: () => void;
  /** The session of Windows ends: there is no time for anything but stopping. */
  readonly sessionEnds: () => void;
}

/** The page's own ground colours, so that nothing flashes before it is drawn. */
const GROUND = { light: '#f5f4ef', dark: '#0f181c' } as const;

/** By then the system has put its frame around a window that was just shown. */
const FRAMED_MS = 500;

/** So long after its page was read a window is shown that was not told to be ready. */
const UNREADY_MS = 500;

export function createWindow(deps: WindowDeps): AppWindow {
  const { electron, state, log } = deps;
  let window: BrowserWindow | undefined;
  let opened: { asked: Rectangle; told?: Rectangle } | undefined;
  let crashes: readonly number[] = [];

  const ground = (): string => (electron.nativeTheme.shouldUseDarkColors ? GROUND.dark : GROUND.light);
  electron.nativeTheme.on('updated', () => window?.setBackgroundColor(ground()));

  const displays = (): Electron.Rectangle[] => {
    const main = electron.screen.getPrimaryDisplay();
    const others = electron.screen.getAllDisplays().filter(({ id }) => id !== main.id);
    return [main, ...others].map(({ workArea }) => workArea);
  };
  /** A hidden window was remembered when it was closed; what it tells then is neither frame nor page. */
  const isShown = (of: BrowserWindow): boolean => !of.isDestroyed() && of.isVisible() && !of.isMinimized();
  async function remember(): Promise<void> {
    if (!window || !opened || !isShown(window)) return;
    const maximized = window.isMaximized();
    // Nobody has moved it yet.
    if (!maximized && !opened.told) return;
    const kept = placeToKeep(opened.asked, opened.told, window.getNormalBounds());
    await state.change({ bounds: { ...kept, maximized } });
  }
  /** Hears where the system says that a window stands which it was just told where to put. */
  function hear(of: BrowserWindow, asked: Rectangle): void {
    setTimeout(() => {
      if (of === window && !opened?.told && isShown(of) && !of.isMaximized())
        opened = { asked, told: of.getNormalBounds() };
    }, FRAMED_MS);
  }

  let closing = false;
  /** Who closes again while it is found out or explained what that does is not told twice. */
  async function close(of: BrowserWindow): Promise<void> {
    if (closing) return;
    closing = true;
    await closeOnce(of).finally(() => (closing = false));
  }
  async function closeOnce(of: BrowserWindow): Promise<void> {
    const decision = await deps.decideClose();
    if (of.isDestroyed()) return;
    if (decision.explain !== undefined) {
      await state.change({ closeExplained: true });
      const t = deps.texts();
      const { response } = await electron.dialog.showMessageBox(of, {
        type: 'info',
        title: 'Footbridge',
        message: t('closing.title'),
        detail: decision.explain,
        buttons: [t('closing.keep'), t('tray.quit')],
        defaultId: 0,
        cancelId: 0,
      });
      if (response === 1) {
        deps.quit();
        return;
      }
    }
    if (decision.action === 'quit') deps.quit();
    else if (decision.action === 'hide') of.hide();
    else if (decision.action === 'minimize') of.minimize();
  }

  /** The page's process ended: a fresh one, unless it keeps ending; then the user decides. */
  async function revive(of: BrowserWindow, reason: string): Promise<void> {
    log.error({ reason }, 'the page ended');
    const decision = afterCrash(crashes, deps.now());
    crashes = decision.crashes;
    if (decision.action === 'give-up') {
      const t = deps.texts();
      const { response } = await electron.dialog.showMessageBox({
        type: 'error',
        title: 'Footbridge',
        message: t('dialog.page-fails'),
        detail: t('dialog.page-fails-detail'),
        buttons: [t('dialog.try-again'), t('tray.quit')],
        defaultId: 0,
        cancelId: 0,
      });
      if (response === 1) {
        deps.quit();
        return;
      }
      crashes = [];
    }
    if (!of.isDestroyed()) of.webContents.reload();
  }

  async function unresponsive(of: BrowserWindow): Promise<void> {
    const t = deps.texts();
    const { response } = await electron.dialog.showMessageBox(of, {
      type: 'warning',
      title: 'Footbridge',
      message: t('dialog.page-hangs'),
      detail: t('dialog.page-hangs-detail'),
      buttons: [t('dialog.wait'), t('dialog.open-anew')],
      defaultId: 0,
      cancelId: 0,
    });
    if (response === 1 && !of.isDestroyed()) of.webContents.forcefullyCrashRenderer();
  }

  function open(route: Route, shown: 'in-front' | 'minimized'): BrowserWindow {
    const { maximized, ...bounds } = placeWindow(state.current().bounds, displays());
    const made = new electron.BrowserWindow({
      ...bounds,
      minWidth: Math.min(MINIMUM.width, bounds.width),
      minHeight: Math.min(MINIMUM.height, bounds.height),
      show: false,
      backgroundColor: ground(),
      title: 'Footbridge',
      icon: deps.icon,
      autoHideMenuBar: true,
      webPreferences: webPreferences(deps.preload),
    });
    opened = { asked: bounds };
    void deps.trayShown().then((shown) => {
      if (shown || made.isDestroyed()) return;
      made.setAutoHideMenuBar(false);
      made.setMenuBarVisibility(true);
    });
    let revealed = false;
    const reveal = (): void => {
      if (revealed || made.isDestroyed()) return;
      revealed = true;
      hear(made, bounds);
      if (shown === 'minimized') made.minimize();
      else if (maximized) made.maximize();
      else made.show();
    };
    made.once('ready-to-show', reveal);
    made.on('unmaximize', () => hear(made, bounds));
    made.on('restore', () => hear(made, bounds));
    made.on('close', (event) => {
      // Then it was remembered when the end began.
      if (deps.quitting()) return;
      event.preventDefault();
      void remember();
      void close(made);
    });
    made.on('closed', () => {
      window = undefined;
    });
    made.on('session-end', () => deps.sessionEnds());
    made.on('unresponsive', () => void unresponsive(made));
    made.webContents.on('render-process-gone', (_event, { reason }) => {
      if (reason !== 'clean-exit') void revive(made, reason);
    });
    made.webContents.on('context-menu', (_event, at) => {
      const template = contextMenu(at, deps.texts());
      if (template.length > 0) electron.Menu.buildFromTemplate(template).popup({ window: made });
    });
    // Under Wayland a window that is not shown draws nothing, and so is never ready to be (Electron 38 and later).
    void load(made, route).then(() => setTimeout(reveal, UNREADY_MS));
    return made;
  }

  /** Resolves when the page was read, or could not be. */
  function load(into: BrowserWindow, route: Route): Promise<void> {
    return into
      .loadURL(`${APP_ORIGIN}/${route}`)
      .catch((error: unknown) => log.warn({ err: error }, 'page not loaded'));
  }

  return {
    show(route) {
      if (!window) {
        window = open(route ?? routes.home, 'in-front');
        return;
      }
      if (route) void load(window, route);
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
    },
    showMinimized() {
      window ??= open(routes.home, 'minimized');
    },
    close: () => window?.close(),
    remember,
    reload: () => window?.webContents.reload(),
    current: () => window,
  };
}
