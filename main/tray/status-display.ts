import type { AppEvent, Overview } from '../../server/contract/app/overview.ts';
import type { Language } from '../../server/base/vocabulary.ts';
import type { ShellSettings } from '../node/messages.ts';
import type { ShellNode } from '../shell/node-runner.ts';
import type { Notifier } from './notifier.ts';
import type { TrayIcon } from './tray.ts';

/** Brings the node's events to tray and notifications. */
export interface StatusDisplay {
  event(event: AppEvent): void;
  /** Reads everything again, as after the node's start; resolves when the settings are known. */
  refresh(): Promise<void>;
  /** Draws again with what is known, for instance when an update became ready. */
  redraw(): void;
  /** As last read; undefined before the node has run. */
  settings(): ShellSettings | undefined;
  stop(): void;
}

/** Bursts of events lead to one read of the overview. */
const SETTLE_MS = 300;

/** Creates the display, which reads nothing before its first event or `refresh`. */
export function createStatusDisplay(deps: {
  node: () => Pick<ShellNode, 'overview' | 'settings'> | undefined;
  /** The language of tray and notifications. */
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

  /** Draws the tray with the overview read last. */
  function redraw(): void {
    if (overview && !stopped) deps.tray.draw(overview, deps.updateReady());
  }

  /** Reads the overview, draws the tray and shows notifications. Does nothing if the node doesn't answer. */
  async function readOverview(): Promise<void> {
    timer = undefined;
    try {
      overview = (await deps.node()?.overview(deps.language())) ?? overview;
    } catch {
      // A node that is ending has nothing to show; the next one reports itself.
      return;
    }
    redraw();
    if (overview && settings && !stopped) deps.notifier.settle(overview, settings.notify);
  }

  /** Reads the settings, passes them to `onSettings` and draws the tray, whose language may have changed. */
  async function readSettings(): Promise<void> {
    try {
      settings = (await deps.node()?.settings()) ?? settings;
    } catch {
      return;
    }
    if (settings && !stopped) deps.onSettings(settings);
    // The language may have changed.
    redraw();
  }

  return {
    /**
     * Passes the event to the notifications; reads the settings at once, or the overview after 300 ms, if the event
     * changes them.
     */
    event(event) {
      deps.notifier.event(event);
      if (event.type === 'settings') void readSettings();
      if (event.type === 'overview' || event.type === 'partner' || event.type === 'activity')
        timer ??= setTimeout(() => void readOverview(), SETTLE_MS);
    },
    /** Reads the settings, then the overview in the background; call it after each start of the node. */
    async refresh() {
      await readSettings();
      void readOverview();
    },
    redraw,
    settings: () => settings,
    /** Stops reading the node's state and drawing it. */
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
