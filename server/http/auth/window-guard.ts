import type { Request, RequestHandler, Response } from 'express';
import type { SessionAnswer } from '../../contract/app/overview.ts';
import { caller, setCaller } from './caller.ts';
import { Refusal } from '../../base/refusal.ts';
import { said } from '../../words/said.ts';
import type { Sessions } from './session.ts';

/** The header with a session's token; no form and no simple request of another page can send it. */
const CSRF_HEADER = 'x-csrf-token';

/** The window's user: whoever is at this computer may do everything. */
const OFFICE_USER = { kind: 'user', userID: '0', role: 'admin' } as const;

/**
 * Keeps other pages in the same browser away from the window listener (docs/architecture.md: The two
 * listeners): a foreign Host is DNS rebinding, a foreign or `null` Origin is another page.
 */
export const windowGuard: RequestHandler = (req, res, next) => {
  const names = ['127.0.0.1', 'localhost', '[::1]'].map((host) => `${host}:${req.socket.localPort}`);
  const origin = req.headers.origin;
  const site = req.headers['sec-fetch-site'];

  if (!names.includes(req.headers.host ?? '')) {
    refuse(res, 'window.host', 'This address does not belong to the window. Open it by its own link.');
  } else if (origin !== undefined && !names.some((name) => origin === `http://${name}`)) {
    refuse(res, 'window.origin', 'Other pages may not talk to Footbridge.');
  } else if (site !== undefined && site !== 'same-origin' && !isOpened(req)) {
    refuse(res, 'window.origin', 'Other pages may not talk to Footbridge.');
  } else {
    next();
  }
};

/**
 * Returns whether the user opens the window: from the address bar, a bookmark or a link. Everything that
 * other pages can load, such as frames, images and event streams, is refused. Another port of this computer
 * is the same site, so the cookie comes with it.
 */
function isOpened(req: Request): boolean {
  if (changes(req)) return false;
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': dest } = req.headers;
  return site === 'none' || (req.path === '/' && mode === 'navigate' && dest === 'document');
}

/**
 * Admits the window by its cookie, and for changes by the session's token too (CSRF). The page gets the token
 * at `GET /app/session`, which no other page can read. A bearer token needs no cookie: no page can send one
 * without CORS.
 */
export function windowSession(sessions: Pick<Sessions, 'find'>): RequestHandler {
  return async (req, res, next) => {
    const session = isBearer(req) ? undefined : await sessions.find(req.headers.cookie);
    if (session && changes(req) && !session.proves(req.get(CSRF_HEADER))) {
      refuse(res, 'window.csrf', `The session’s token is missing or wrong: send it as ${CSRF_HEADER}.`);
      return;
    }
    if (session) setCaller(req, OFFICE_USER, () => signedIn(sessions, req), session.csrfToken);
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

/** @throws Refusal `unauthenticated` once the window was signed out */
async function signedIn(sessions: Pick<Sessions, 'find'>, req: Request): Promise<typeof OFFICE_USER> {
  if (await sessions.find(req.headers.cookie)) return OFFICE_USER;
  throw notSignedIn();
}

const notSignedIn = (): Refusal => new Refusal('unauthenticated', 'auth.missing', said('window.own-link'));

/** On this listener every change needs a caller, even a partner's request to pair. */
export const changesNeedCaller: RequestHandler = (req, _res, next) => {
  if (changes(req)) caller(req);
  next();
};

function changes({ method }: Request): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

/** Basic credentials, unlike a bearer token, come from any address with a password in it. */
function isBearer(req: Request): boolean {
  return /^bearer /i.test(req.headers.authorization ?? '');
}

function refuse(res: Response, code: string, message: string): void {
  res.status(403).json({ error: { code, message } });
}
