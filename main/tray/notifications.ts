import type { Activity, InboxItem, Overview, AppEvent } from '../../server/contract/app/overview.ts';
import type { Settings } from '../../server/contract/app/settings.ts';
import { oneLine, withoutMarkup } from '../window/display-text.ts';
import { routes, type Route } from '../window/routes.ts';
import type { Texts } from '../text/i18n.ts';
import type { Notification } from 'electron';
import type { Electron } from '../electron.ts';

/** Outside the window; a click opens `route`. */
export interface Notice {
  readonly title: string;
  readonly body: string;
  readonly route: Route;
}

/** Announced news, and news pending its sync's end. */
export interface Digest {
  /** With changes, of partners still syncing. */
  readonly waiting: readonly Activity[];
  /** Inbox items announced, or existing at the app's start. */
  readonly announced: ReadonlySet<string>;
  /** Local ids of partners known to be in trouble. */
  readonly troubled: ReadonlySet<string>;
}

const NAME_LIMIT = 60;
const BODY_LIMIT = 200;
/** More new items become one notice. */
const MAX_SINGLE = 3;

const troubledIn = (overview: Overview): Set<string> =>
  new Set(overview.partners.filter(({ state }) => state === 'error').map(({ nodeID }) => nodeID));

/** Returns the digest at the app's start: everything that exists counts as announced. */
export function startDigest(overview: Overview): Digest {
  return {
    waiting: [],
    announced: new Set(overview.inbox.map(({ itemID }) => itemID)),
    troubled: troubledIn(overview),
  };
}

const changedRows = ({ counts }: Activity): number =>
  counts ? counts.created + counts.updated + counts.deleted : 0;

/** Returns the digest with the activity; unchanged unless that is a pull that changed rows. */
export function addActivity(digest: Digest, activity: Activity): Digest {
  if (activity.kind !== 'pull' || changedRows(activity) === 0) return digest;
  return { ...digest, waiting: [...digest.waiting, activity] };
}

/** Returns one notice that sums up the pulls, and leads to their partner, or Home for several; none without any. */
function arrivalNotices(pulls: readonly Activity[], t: Texts): Notice[] {
  const [first] = pulls;
  if (!first) return [];
  const total = pulls.reduce((sum, pull) => sum + changedRows(pull), 0);
  const partners = new Map(pulls.map(({ nodeID, partner }) => [nodeID, partner]));
  const lists = new Set(pulls.map(({ listName }) => listName ?? ''));
  const where =
    lists.size === 1 && first.listName
      ? oneLine(first.listName, NAME_LIMIT)
      : t('notice.lists', { n: lists.size });
  return [
    {
      title:
        partners.size === 1 ? oneLine(first.partner, NAME_LIMIT) : t('notice.partners', { n: partners.size }),
      body: t('notice.arrived', { n: total, where }),
      route: partners.size === 1 ? routes.partner(first.nodeID, 'activity') : routes.home,
    },
  ];
}

const TAB: Partial<Record<InboxItem['kind'], 'share' | 'receive' | 'connection'>> = {
  'pair-request': 'connection',
  'connection-ending': 'connection',
  'connection-ended': 'connection',
  'list-offered': 'receive',
  'columns-changed': 'receive',
  'columns-unshared': 'share',
  'condition-broken': 'share',
  brake: 'receive',
  'went-back': 'receive',
  'not-there': 'receive',
  doubles: 'receive',
  'could-not-apply': 'receive',
  kept: 'receive',
};

/** Returns a notice for each item, one for all if there are many. */
function inboxNotices(items: readonly InboxItem[], t: Texts): Notice[] {
  if (items.length > MAX_SINGLE)
    return [
      {
        title: t('notice.needs-you'),
        body: t('notice.decisions', { n: items.length }),
        route: routes.home,
      },
    ];
  return items.map(({ kind, nodeID, partner, message }) => {
    const tab = TAB[kind];
    return {
      title: partner ? oneLine(partner, NAME_LIMIT) : 'Footbridge',
      body: oneLine(message, BODY_LIMIT),
      route: nodeID !== undefined && tab ? routes.partner(nodeID, tab) : routes.home,
    };
  });
}

/**
 * Returns the notices to show now, and the next digest: one summary of the pulls whose partner no longer syncs, and a
 * notice for each new inbox item and each partner newly in the state error. The user's switches and pauses omit
 * notices; only a paused partner's inbox items come later.
 */
export function createNotices(
  digest: Digest,
  overview: Overview,
  switches: Settings['notify'],
  t: Texts,
): { digest: Digest; notices: Notice[] } {
  const state = new Map(overview.partners.map((partner) => [partner.nodeID, partner.state]));
  const quiet = overview.state === 'paused';
  const paused = (nodeID?: string): boolean =>
    quiet || (nodeID !== undefined && state.get(nodeID) === 'paused');

  const ended = digest.waiting.filter(({ nodeID }) => state.get(nodeID) !== 'syncing');
  const open = overview.inbox.filter(
    ({ itemID, nodeID }) => !digest.announced.has(itemID) && !paused(nodeID),
  );
  const inboxIDs = new Set(overview.inbox.map(({ itemID }) => itemID));
  const trouble = overview.partners.filter(
    (partner) => partner.state === 'error' && !digest.troubled.has(partner.nodeID),
  );

  return {
    digest: {
      waiting: digest.waiting.filter((pull) => !ended.includes(pull)),
      announced: new Set(
        [...digest.announced, ...open.map(({ itemID }) => itemID)].filter((id) => inboxIDs.has(id)),
      ),
      troubled: troubledIn(overview),
    },
    notices: [
      ...(switches.arrived
        ? arrivalNotices(
            ended.filter(({ nodeID }) => !paused(nodeID)),
            t,
          )
        : []),
      ...(switches.needsYou ? inboxNotices(open, t) : []),
      ...(switches.problems && !quiet
        ? trouble.map(({ nodeID, name, reason }) => ({
            title: oneLine(name, NAME_LIMIT),
            body: oneLine(reason, BODY_LIMIT),
            route: routes.partner(nodeID, 'connection'),
          }))
        : []),
    ],
  };
}

export interface Notifier {
  /** Collects a pull that changed rows, for later; ignores other events. */
  event(event: AppEvent): void;
  notifyNews(overview: Overview, switches: Settings['notify']): void;
}

/** Creates what shows the system's notifications. Nothing is announced that exists at its first `notifyNews`. */
export function createNotifier(deps: {
  electron: Electron<'Notification'>;
  platform: NodeJS.Platform;
  icon: string;
  open: (route: Route) => void;
  texts: () => Texts;
}): Notifier {
  const { electron } = deps;
  let digest: Digest | undefined;
  // Unreferenced, it may be collected before the click.
  const shown = new Set<Notification>();

  /** Shows a notification; a click opens its page. */
  function showNotice(title: string, text: string, route: Route): void {
    const body = deps.platform === 'linux' ? withoutMarkup(text) : text;
    const notification = new electron.Notification({ title, body, icon: deps.icon, silent: true });
    shown.add(notification);
    notification.on('click', () => {
      shown.delete(notification);
      deps.open(route);
    });
    notification.on('close', () => shown.delete(notification));
    notification.show();
  }

  return {
    /** Collects a pull that changed rows for a later notification; ignores others, and all before `notifyNews`. */
    event(event) {
      if (event.type === 'activity' && digest) digest = addActivity(digest, event.activity);
    },
    /** Notifies of what is new, as far as `switches` allow; the first call only stores what exists. */
    notifyNews(overview, switches) {
      if (!digest) {
        digest = startDigest(overview);
        return;
      }
      const settled = createNotices(digest, overview, switches, deps.texts());
      digest = settled.digest;
      if (!electron.Notification.isSupported()) return;
      for (const { title, body, route } of settled.notices) showNotice(title, body, route);
    },
  };
}
