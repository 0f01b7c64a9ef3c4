import type { Notification } from 'electron';
import type { AppEvent, Overview } from '../../server/contract/app/overview.ts';
import type { Settings } from '../../server/contract/app/settings.ts';
import type { Electron } from '../electron.ts';
import { withoutMarkup } from '../window/display-text.ts';
import { settleDigest, startDigest, takeActivity, type Digest } from './notifications.ts';
import type { Route } from '../window/routes.ts';
import type { Texts } from '../text/i18n.ts';

/** Shows the system's notifications for the node's events. */
export interface Notifier {
  event(event: AppEvent): void;
  settle(overview: Overview, switches: Settings['notify']): void;
}

/** Creates the notifier. It announces nothing that existed at its first `settle`. */
export function createNotifier(deps: {
  electron: Electron<'Notification'>;
  platform: NodeJS.Platform;
  icon: string;
  open: (route: Route) => void;
  /** In the current language. */
  texts: () => Texts;
}): Notifier {
  const { electron } = deps;
  let digest: Digest | undefined;
  // An unreferenced one may be collected before it is clicked.
  const shown = new Set<Notification>();

  /** Shows a system notification; a click on it opens the window at `route`. */
  function show(title: string, text: string, route: Route): void {
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
    /** Stores a pull for the summary at the end of its sync. */
    event(event) {
      if (event.type === 'activity' && digest) digest = takeActivity(digest, event.activity);
    },
    /** Shows notifications for what is new in the overview, as far as `switches` allow. */
    settle(overview, switches) {
      if (!digest) {
        digest = startDigest(overview);
        return;
      }
      const settled = settleDigest(digest, overview, switches, deps.texts());
      digest = settled.digest;
      if (!electron.Notification.isSupported()) return;
      for (const { title, body, route } of settled.notices) show(title, body, route);
    },
  };
}
