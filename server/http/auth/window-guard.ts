import type { Request, RequestHandler, Response } from 'express';
import type { SessionAnswer } from '../../contract/app/overview.ts';
import { caller, setCaller } from './caller.ts';
import { Refusal } from '../../base/refusal.ts';
import { said } from '../../words/said.ts';
import type { Sessions } from './session.ts';

/** The header with a session's token; no form and no simple request of another page can send it. */
const CSRF_HEADER = 'x-csrf-token';

/** The window's user: anybody at this computer may do everything. */
const OFFICE_USER = { kind: 'user', userID: '0', role: 'admin' } as const;

/**
 * Returns middleware that admits requests of the window's own page, of programs, and of the user opening the window;
 * others get 403 (docs/architecture.md: The two listeners). A foreign Host is DNS rebinding, a foreign or `null`
 * Origin is another page in the same browser. The page may also be at `tunnelPort`: the local end of an SSH tunnel.
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
 * Returns whether the request is the user opening the window: from the address bar, a bookmark or a link.
 * Another port of this computer is the same site, so its requests carry the cookie.
 */
function isUserNavigation(req: Request): boolean {
  if (mayChange(req)) return false;
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': dest } = req.headers;
  return site === 'none' || (req.path === '/' && mode === 'navigate' && dest === 'document');
}

/**
 * Returns middleware that records the office's user as the caller if the session cookie is valid, and answers
 * `GET /app/session` with the CSRF token, or 401. A change without that token gets 403 `window.csrf`. Ignores
 * the cookie beside a bearer token.
 */
export function windowSession(sessions: Pick<Sessions, 'find'>): RequestHandler {
  return async (req, res, next) => {
    const session = isBearer(req) ? undefined : await sessions.find(req.headers.cookie);
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

/** Returns the office's user while the session is valid. Throws `auth.missing` (401). */
async function revalidateSession(
  sessions: Pick<Sessions, 'find'>,
  req: Request,
): Promise<typeof OFFICE_USER> {
  if (await sessions.find(req.headers.cookie)) return OFFICE_USER;
  throw notSignedIn();
}

const notSignedIn = (): Refusal => new Refusal('unauthenticated', 'auth.missing', said('window.own-link'));

/** Refuses changes without a caller with 401. For the window's listener. */
export const changesNeedCaller: RequestHandler = (req, _res, next) => {
  if (mayChange(req)) caller(req);
  next();
};

function mayChange({ method }: Request): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

/** Returns whether the request has a bearer token. */
function isBearer(req: Request): boolean {
  return /^bearer /i.test(req.headers.authorization ?? '');
}

function sendForbidden(res: Response, code: string, message: string): void {
  res.status(403).json({ error: { code, message } });
}
