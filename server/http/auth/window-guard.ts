import type { Request, RequestHandler, Response } from 'express';
import type { SessionAnswer } from '../../contract/app/overview.ts';
import { caller, setCaller } from './caller.ts';
import { Refusal } from '../../base/refusal.ts';
import { said } from '../../words/said.ts';
import type { Sessions } from './session.ts';

const CSRF_HEADER = 'x-csrf-token';

/** Anybody at this computer may do everything. */
const OFFICE_USER = { kind: 'user', userID: '0', role: 'admin' } as const;

/**
 * Gives 403 to a foreign Host (DNS rebinding) and to requests of other pages, except the user opening the window. The
 * own page may also be at `tunnelPort`, an SSH tunnel's local end.
 */
export const windowGuard =
  (tunnelPort?: number): RequestHandler =>
  (req, res, next) => {
    const names = [req.socket.localPort, tunnelPort]
      .filter((port) => port !== undefined)
      .flatMap((port) => ['127.0.0.1', 'localhost', '[::1]'].map((host) => `${host}:${port}`));
    const origin = req.headers.origin;
    const site = req.headers['sec-fetch-site'];

    if (!names.includes(req.headers.host ?? '')) {
      sendForbidden(
        res,
        'window.host',
        'This address does not belong to the window. Open it by its own link.',
      );
    } else if (origin !== undefined && !names.some((name) => origin === `http://${name}`)) {
      sendForbidden(res, 'window.origin', 'Other pages may not talk to Footbridge.');
    } else if (site !== undefined && site !== 'same-origin' && !isUserNavigation(req)) {
      sendForbidden(res, 'window.origin', 'Other pages may not talk to Footbridge.');
    } else {
      next();
    }
  };

/**
 * Returns whether the user opens the window, changing nothing: any path from a bookmark or the address bar, only `/`
 * from another page's link.
 */
function isUserNavigation(req: Request): boolean {
  if (mayChange(req)) return false;
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': dest } = req.headers;
  return site === 'none' || (req.path === '/' && mode === 'navigate' && dest === 'document');
}

/**
 * Records the office's user as caller for a valid session cookie without bearer token. Answers `GET /app/session` with
 * the CSRF token, or 401; a change without that token gets 403. Passes others on.
 */
export function windowSession(sessions: Pick<Sessions, 'findByCookie'>): RequestHandler {
  return async (req, res, next) => {
    const session = isBearer(req) ? undefined : await sessions.findByCookie(req.headers.cookie);
    if (session && mayChange(req) && !session.proves(req.get(CSRF_HEADER))) {
      sendForbidden(
        res,
        'window.csrf',
        `The session’s token is missing or wrong: send it as ${CSRF_HEADER}.`,
      );
      return;
    }
    if (session) setCaller(req, OFFICE_USER, () => revalidateSession(sessions, req), session.csrfToken);
    if (req.method === 'GET' && req.path === '/app/session') {
      if (!session) throw notSignedIn();
      res.setHeader('Cache-Control', 'no-store');
      const response: SessionAnswer = { csrfToken: session.csrfToken };
      res.json({ response });
      return;
    }
    next();
  };
}

/** Returns the office's user. Throws `auth.missing` (401) once the session isn't valid. */
async function revalidateSession(
  sessions: Pick<Sessions, 'findByCookie'>,
  req: Request,
): Promise<typeof OFFICE_USER> {
  if (await sessions.findByCookie(req.headers.cookie)) return OFFICE_USER;
  throw notSignedIn();
}

const notSignedIn = (): Refusal => new Refusal('unauthenticated', 'auth.missing', said('window.own-link'));

/** Refuses changes (all but GET and HEAD) without a caller, with 401. */
export const changesNeedCaller: RequestHandler = (req, _res, next) => {
  if (mayChange(req)) caller(req);
  next();
};

/** Returns whether the method can change something: all but GET and HEAD. */
function mayChange({ method }: Request): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

/** Returns whether the request has a bearer token, valid or not. */
function isBearer(req: Request): boolean {
  return /^bearer /i.test(req.headers.authorization ?? '');
}

/** Answers 403 with this code and message. */
function sendForbidden(res: Response, code: string, message: string): void {
  res.status(403).json({ error: { code, message } });
}
