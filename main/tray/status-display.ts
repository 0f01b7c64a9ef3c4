import type { AppEvent, Overview } from '../../server/contract/app/overview.ts';
import type { Language } from '../../server/base/vocabulary.ts';
import type { ShellSettings } from '../node/messages.ts';
import type { ShellNode } from '../shell/node-runner.ts';
import type { Notifier } from './notifications.ts';
import type { TrayIcon } from './tray.ts';

export interface StatusDisplay {
  event(event: AppEvent): void;
  refresh(): Promise<void>;
  redraw(): void;
  /** As last read; undefined before the node has run. */
  settings(): ShellSettings | undefined;
  /** Stops drawing and notifying. */
  stop(): void;
}

/** One read per burst of events. */
const SETTLE_MS = 300;

/** Creates the display of the node's state in tray and notifications. It reads nothing before an event or `refresh`. */
export function createStatusDisplay(deps: {
  node: () => Pick<ShellNode, 'overview' | 'settings'> | undefined;
  language: () => Language;
  onSettings: (settings: ShellSettings) => void;
  tray: TrayIcon;
  notifier: Notifier;
  updateReady: () => boolean;
}): StatusDisplay {
  let timer: NodeJS.Timeout | undefined;
  let settings: ShellSettings | undefined;
  let overview: Overview | undefined;
  let stopped = false;

  /** Draws the tray, once the overview is known and until the stop. */
  function redrawTray(): void {
    if (overview && !stopped) deps.tray.draw(overview, deps.updateReady());
  }

  /**
   * Reads the overview, draws the tray, and shows notifications once the settings are known. Does nothing if the node
   * doesn't answer: it is ending.
   */
  async function readOverview(): Promise<void> {
    timer = undefined;
    try {
      overview = (await deps.node()?.overview(deps.language())) ?? overview;
    } catch {
      return;
    }
    redrawTray();
    if (overview && settings && !stopped) deps.notifier.notifyNews(overview, settings.notify);
  }

  /**
   * Reads the settings, and passes them on; draws the tray too, whose language may have changed. Does nothing if the
   * node doesn't answer.
   */
  async function readSettings(): Promise<void> {
    try {
      settings = (await deps.node()?.settings()) ?? settings;
    } catch {
      return;
    }
    if (settings && !stopped) deps.onSettings(settings);
    redrawTray();
  }

  return {
    /** Passes an event to the notifier; reads changed settings at once, an overview that it may change after 300 ms. */
    event(event) {
      deps.notifier.event(event);
      if (event.type === 'settings') void readSettings();
      if (event.type === 'overview' || event.type === 'partner' || event.type === 'activity')
        timer ??= setTimeout(() => void readOverview(), SETTLE_MS);
    },
    /** Reads the settings, and in the background the overview; call it after each start of the node. */
    async refresh() {
      await readSettings();
      void readOverview();
    },
    redraw: redrawTray,
    settings: () => settings,
    /** Draws and notifies no more. */
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
