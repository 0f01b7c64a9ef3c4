import { Router, type Request } from 'express';
import type { SettingsAnswer } from '../../contract/app/settings.ts';
import type { SettingsStore } from '../../app/settings.ts';
import { formatRelayAddress, parseRelayAddress } from '../../routes/relay-address.ts';
import { caller, revalidateCaller } from '../auth/caller.ts';
import { handleCall } from './handle-call.ts';
import type { EventStream } from '../listeners/event-stream.ts';
import type { Sessions } from '../auth/session.ts';

export interface SettingsDeps {
  readonly settings: SettingsStore;
  /** Returns what accompanies the settings. */
  readonly about: () => Promise<Omit<SettingsAnswer, 'settings' | 'openedBy'>>;
  readonly now: () => number;
}

/**
 * Serves the user's settings and their changes. Both answer with all settings, to others than administrators without
 * the relay's access key, which lets any office register there.
 */
export function settingsRouter({ settings, about, now }: SettingsDeps): Router {
  const router = Router();
  /** Returns all settings, who opened routes, and what the page shows beside them. */
  const readSettings = async (req: Request): Promise<SettingsAnswer> => {
    const who = caller(req);
    const isAdmin = who.kind === 'user' && who.role === 'admin';
    const { relay, ...others } = settings.current();
    const shown = isAdmin ? relay : withoutAccessKey(relay);
    return { settings: { ...others, relay: shown }, openedBy: settings.openedBy(), ...(await about()) };
  };

  handleCall(router, 'GET /app/settings', ({ req }) => readSettings(req));
  handleCall(router, 'PATCH /app/settings', async ({ body, by, req }) => {
    const part = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
    await settings.change(part, { by, at: new Date(now()).toISOString() });
    return readSettings(req);
  });
  return router;
}

/** Returns a relay's address without its access key; an empty text for none. */
function withoutAccessKey(relay: string): string {
  const address = parseRelayAddress(relay);
  return address ? formatRelayAddress(address, true) : '';
}

export interface SessionsDeps {
  readonly sessions: Pick<Sessions, 'list' | 'createLink' | 'endSessions'>;
  readonly events: Pick<EventStream, 'disconnectAll'>;
}

/**
 * Serves the list of signed-in windows, new links and the end of sessions, which disconnects all event streams at once.
 */
export function sessionsRouter({ sessions, events }: SessionsDeps): Router {
  const router = Router();

  handleCall(router, 'GET /app/sessions', ({ req }) => sessions.list(req.headers.cookie));
  // The guard admits only requests to its own address.
  handleCall(router, 'POST /app/sessions/link', ({ req }) =>
    Promise.resolve({
      link: sessions.createLink(`http://${req.get('host') ?? ''}`, () => revalidateCaller(req)),
    }),
  );
  handleCall(router, 'POST /app/sessions/end', async ({ body }) => {
    await sessions.endSessions(body.sessionIDs);
    // At once, not only at the next event.
    events.disconnectAll();
  });
  return router;
}
