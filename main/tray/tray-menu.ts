import type { State } from '../../server/contract/app/overview.ts';
import { STATES } from '../../server/base/vocabulary.ts';
import { menuText } from '../window/display-text.ts';
import type { Translation } from '../text/i18n.ts';
import { stateText, statusLine, type TrayInput } from './tray-model.ts';
import type { Logger } from 'pino';
import type { ShellNode } from '../shell/node-runner.ts';
import { routes, type Route } from '../window/routes.ts';

export type TrayAction =
  | { readonly do: 'open' }
  | { readonly do: 'settings' }
  | { readonly do: 'partner'; readonly nodeID: string }
  | { readonly do: 'sync' }
  | { readonly do: 'pause'; readonly for: PauseChoice }
  | { readonly do: 'resume' }
  | { readonly do: 'install-update' }
  | { readonly do: 'quit' };

type PauseChoice = 'half-hour' | 'hour' | 'tomorrow' | 'indefinitely';

/** Without Electron. */
export type MenuEntry =
  | { readonly separator: true }
  | {
      readonly id: string;
      readonly label: string;
      readonly action?: TrayAction;
      readonly enabled?: boolean;
      readonly submenu?: readonly MenuEntry[];
    };

const MAX_PARTNERS = 9;
const NAME_LIMIT = 50;

/** Never by colour alone. */
const MARKS: Readonly<Record<State, string>> = {
  'up-to-date': '✓',
  syncing: '↻',
  paused: '‖',
  offline: '…',
  'needs-you': '!',
  error: '×',
};

const PAUSES: readonly PauseChoice[] = ['half-hour', 'hour', 'tomorrow', 'indefinitely'];

const SEPARATOR: MenuEntry = { separator: true };

/** Returns entries for the first nine partners, worst state first, one for the rest, a separator; [] without any. */
function partnerEntries(input: TrayInput, speech: Translation): MenuEntry[] {
  const { t } = speech;
  const worstFirst = (a: { state: State }, b: { state: State }): number =>
    STATES.indexOf(a.state) - STATES.indexOf(b.state);
  const sorted = input.partners.toSorted(worstFirst);
  const shown: MenuEntry[] = sorted.slice(0, MAX_PARTNERS).map(({ nodeID, name, state, awaited }) => ({
    id: `partner-${nodeID}`,
    label: `${MARKS[state]}  ${t('tray.partner', { name: menuText(name, NAME_LIMIT), state: stateText({ state, awaited }, speech) })}`,
    action: { do: 'partner', nodeID },
  }));
  const more = sorted.length - shown.length;
  if (more > 0)
    shown.push({ id: 'more-partners', label: t('tray.more', { n: more }), action: { do: 'open' } });
  return shown.length > 0 ? [...shown, SEPARATOR] : [];
}

/** Returns the entries to pause and resume that have an effect; without partners, a disabled one to pause. */
function pauseEntries(input: TrayInput, { t }: Translation): MenuEntry[] {
  const paused = input.partners.filter(({ state }) => state === 'paused').length;
  const resume: MenuEntry = { id: 'resume', label: t('tray.resume'), action: { do: 'resume' } };
  const pause: MenuEntry = {
    id: 'pause',
    label: t('tray.pause'),
    enabled: input.partners.length > 0,
    submenu: PAUSES.map((choice) => ({
      id: `pause-${choice}`,
      label: t(`tray.pauses.${choice}`),
      action: { do: 'pause', for: choice },
    })),
  };
  if (paused === 0) return [pause];
  return paused === input.partners.length ? [resume] : [resume, pause];
}

/**
 * Returns the tray menu's entries. "Open" is always there: on some desktops a click on the icon doesn't reach the app.
 * `now` in milliseconds.
 */
export function trayMenu(
  input: TrayInput,
  now: number,
  speech: Translation,
  updateReady: boolean,
): MenuEntry[] {
  const { t } = speech;
  const update: MenuEntry[] = updateReady
    ? [{ id: 'install-update', label: t('tray.restart-to-update'), action: { do: 'install-update' } }]
    : [];
  return [
    { id: 'status', label: menuText(statusLine(input, now, speech), 80), enabled: false },
    SEPARATOR,
    ...partnerEntries(input, speech),
    {
      id: 'sync',
      label: t('tray.sync-now'),
      action: { do: 'sync' },
      enabled: input.partners.some(({ state }) => state !== 'paused'),
    },
    ...pauseEntries(input, speech),
    SEPARATOR,
    { id: 'open', label: t('tray.open'), action: { do: 'open' } },
    { id: 'settings', label: t('tray.settings'), action: { do: 'settings' } },
    ...update,
    SEPARATOR,
    { id: 'quit', label: t('tray.quit'), action: { do: 'quit' } },
  ];
}

const MINUTE = 60_000;

/**
 * Returns when a pause that begins at `now` (milliseconds) ends, in ISO 8601: "tomorrow" at 7 o'clock local time;
 * undefined for an indefinite one.
 */
export function pauseEnd(choice: PauseChoice, now: number): string | undefined {
  if (choice === 'indefinitely') return undefined;
  if (choice === 'half-hour') return new Date(now + 30 * MINUTE).toISOString();
  if (choice === 'hour') return new Date(now + 60 * MINUTE).toISOString();
  const morning = new Date(now);
  morning.setDate(morning.getDate() + 1);
  morning.setHours(7, 0, 0, 0);
  return morning.toISOString();
}

/**
 * Returns the function that performs a click in the tray menu. The node's refusals are only logged; without a node,
 * sync, pause and resume do nothing.
 */
export function createTrayActions(deps: {
  node: () => ShellNode | undefined;
  show: (route?: Route) => void;
  installUpdate: () => void;
  quit: () => void;
  now: () => number;
  log: Logger;
}): (action: TrayAction) => void {
  /** Logs a refusal of the node. */
  const logRefusal = (work: Promise<void> | undefined): void => {
    work?.catch((error: unknown) => deps.log.warn({ err: error }, 'tray'));
  };
  return (action) => {
    switch (action.do) {
      case 'open':
        deps.show();
        break;
      case 'settings':
        deps.show(routes.settings);
        break;
      case 'partner':
        deps.show(routes.partner(action.nodeID));
        break;
      case 'install-update':
        deps.installUpdate();
        break;
      case 'quit':
        deps.quit();
        break;
      case 'sync':
        logRefusal(deps.node()?.syncAll());
        break;
      case 'pause':
        logRefusal(deps.node()?.pauseAll(pauseEnd(action.for, deps.now())));
        break;
      case 'resume':
        logRefusal(deps.node()?.resumeAll());
        break;
    }
  };
}
