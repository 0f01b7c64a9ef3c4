import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import { z } from 'zod';
import type { ListedSession } from '../../contract/app/settings.ts';
import type { Clock } from '../../base/clock.ts';
import { systemClockOnly, type TrustedClock } from '../../base/trusted-clock.ts';
import type { Partition, Table } from '../../store/store.ts';
import { revocable } from '../../store/recovery/withdrawals/revocable.ts';

/** A signed-in window's rights. */
export interface WindowSession {
  readonly csrfToken: string;
  /** Compares the CSRF token in constant time. */
  proves(token: string | undefined): boolean;
}

interface Link {
  readonly expiresAt: number;
  /** Rejects once the credential of who made the link isn't valid. */
  readonly revalidate: () => Promise<unknown>;
}

/** Only the cookie's hash is stored. */
interface Session {
  readonly hash: string;
  readonly expiresAt: number;
  readonly begunAt?: number;
  readonly usedAt?: number;
  /** Trusted elapsed milliseconds at its beginning; absent in older sessions. */
  readonly seen?: number;
  /** By `browserName`. */
  readonly browser?: string;
}

const SESSIONS: Table<Session> = { name: 'window-session' };
/** A restore reopens no ended session, and no backup signs in a window. */
export const revocableSessions = revocable({
  table: SESSIONS,
  note: z.enum(['begun', 'ended']),
  noteForChange: (before, after) => (!before === !after ? undefined : after ? 'begun' : 'ended'),
  reapply: (session, note) => (note === 'begun' ? session : undefined),
  limitRestored: (session, note) => (note === 'begun' ? session : undefined),
  noteIfLacking: (_, note) => (note === undefined ? 'begun' : undefined),
  close: () => undefined,
  useful: 400 * 86_400_000,
});

const LINK_MS = 10 * 60_000;
const SESSION_MS = 30 * 86_400_000;
const MAX_LINKS = 100;
const NOTED_EVERY = 3_600_000;

interface SessionsDeps {
  readonly system: Partition;
  readonly clock: Clock;
  /** Decides when sessions end. */
  readonly time?: TrustedClock;
  /** Part of the cookie's name, as nodes at different ports of a host share cookies. */
  readonly name: () => string;
}

/**
 * Signs windows in: a one-time link becomes a 30-day cookie that scripts can't read and other sites can't
 * send.
 */
export class Sessions {
  readonly #deps: SessionsDeps;
  readonly #time: TrustedClock;
  readonly #links = new Map<string, Link>();

  constructor(deps: SessionsDeps) {
    this.#deps = deps;
    this.#time = deps.time ?? systemClockOnly(deps.clock);
  }

  /** Returns unexpired sessions, newest first, at most 1000; `own` marks the cookie header's. */
  async list(cookieHeader: string | undefined): Promise<ListedSession[]> {
    const secret = cookieValue(cookieHeader, this.#cookieName());
    const own = secret === undefined ? undefined : sha256(secret);
    return (await this.#validSessions())
      .sort((a, b) => (b.begunAt ?? 0) - (a.begunAt ?? 0))
      .map(({ hash, browser, begunAt, usedAt }) => ({
        sessionID: sessionIDOf(hash),
        own: hash === own,
        ...(browser === undefined ? {} : { browser }),
        ...(begunAt === undefined ? {} : { begunAt: new Date(begunAt).toISOString() }),
        ...(hash === own
          ? { usedAt: new Date(this.#deps.clock.now()).toISOString() }
          : usedAt === undefined
            ? {}
            : { usedAt: new Date(usedAt).toISOString() }),
      }));
  }

  /** Deletes these sessions; ignores unknown and expired ones. */
  async endSessions(sessionIDs: readonly string[]): Promise<void> {
    const ended = (await this.#validSessions()).filter(({ hash }) => sessionIDs.includes(sessionIDOf(hash)));
    await this.#deps.system.transaction((tx) => {
      for (const { hash } of ended) tx.delete(SESSIONS, hash);
    });
  }

  /**
   * Returns `base` with a one-time key, valid for ten minutes in this process, while `revalidate` resolves. The 101st
   * replaces the oldest.
   */
  createLink(base: string, revalidate: Link['revalidate'] = () => Promise.resolve()): string {
    const key = randomBytes(24).toString('base64url');
    if (this.#links.size >= MAX_LINKS) this.#links.delete(this.#links.keys().next().value ?? '');
    this.#links.set(sha256(key), { expiresAt: this.#deps.clock.monotonic() + LINK_MS, revalidate });
    return `${base}/?key=${key}`;
  }

  /**
   * Middleware for `/?key=…`: consumes the key (valid or not), sets a new session's cookie if it was valid, and always
   * redirects to the address without it. Passes other requests on.
   */
  async redeemKey(req: Request, res: Response, next: NextFunction): Promise<void> {
    const key = req.query.key;
    if (req.path !== '/' || typeof key !== 'string') {
      next();
      return;
    }
    const hash = sha256(key);
    const link = this.#links.get(hash);
    this.#links.delete(hash);
    if (link && (await this.#isValid(link))) {
      res.cookie(this.#cookieName(), await this.#createSession(browserName(req.get('user-agent'))), {
        httpOnly: true,
        sameSite: 'strict',
        path: '/',
        maxAge: SESSION_MS,
      });
    }
    res.setHeader('Cache-Control', 'no-store');
    res.redirect(303, '../');
  }

  /**
   * Returns a cookie header's session; undefined without a valid one. Stores its time of use hourly, in the background.
   * Its `proves` checks a CSRF token.
   */
  async findByCookie(cookieHeader: string | undefined): Promise<WindowSession | undefined> {
    const secret = cookieValue(cookieHeader, this.#cookieName());
    if (secret === undefined) return undefined;
    const hash = sha256(secret);
    const session = await this.#deps.system.get(SESSIONS, hash);
    if (session === undefined || this.#isExpired(session) || !equalInConstantTime(session.hash, hash))
      return undefined;
    // A time of use from a clock that was ahead must not stay so long.
    if (Math.abs(this.#deps.clock.now() - (session.usedAt ?? 0)) > NOTED_EVERY)
      void this.#storeUse(hash).catch(() => undefined);
    const csrfToken = csrfTokenOf(secret);
    return {
      csrfToken,
      proves: (token) => token !== undefined && equalInConstantTime(sha256(token), sha256(csrfToken)),
    };
  }

  /** Returns the cookie's name, which differs by node: browsers send all cookies of this computer to each. */
  #cookieName(): string {
    return `footbridge_${this.#deps.name()}`;
  }

  /** Returns whether a link is recent, and who made it still signed in. */
  async #isValid({ expiresAt, revalidate }: Link): Promise<boolean> {
    if (expiresAt <= this.#deps.clock.monotonic()) return false;
    return revalidate().then(
      () => true,
      () => false,
    );
  }

  /** Returns whether a session is over: by elapsed time where known, as clocks may be wrong. */
  #isExpired({ expiresAt, seen }: Session): boolean {
    if (seen === undefined) return expiresAt <= this.#deps.clock.now();
    return this.#time.now() >= expiresAt || this.#time.elapsed() - seen >= SESSION_MS;
  }

  /** Stores a new session (only its secret's hash), deletes expired ones and returns the secret for the cookie. */
  async #createSession(browser: string | undefined): Promise<string> {
    const secret = randomBytes(32).toString('base64url');
    const now = this.#deps.clock.now();
    const session: Session = {
      hash: sha256(secret),
      expiresAt: now + SESSION_MS,
      begunAt: now,
      usedAt: now,
      seen: this.#time.elapsed(),
      ...(browser === undefined ? {} : { browser }),
    };
    const old = await this.#deps.system.page(SESSIONS, { limit: 1000 });
    await this.#deps.system.transaction((tx) => {
      for (const { key, value } of old) if (this.#isExpired(value)) tx.delete(SESSIONS, key);
      tx.put(SESSIONS, session.hash, session);
    });
    return secret;
  }

  /** Stores that the session was used now; a no-op if it was deleted. */
  async #storeUse(hash: string): Promise<void> {
    await this.#deps.system.transaction(async (tx) => {
      const session = await tx.get(SESSIONS, hash);
      if (session) tx.put(SESSIONS, hash, { ...session, usedAt: this.#deps.clock.now() });
    });
  }

  /** Returns those of the first 1000 sessions that aren't expired. */
  async #validSessions(): Promise<Session[]> {
    return (await this.#deps.system.page(SESSIONS, { limit: 1000 }))
      .map(({ value }) => value)
      .filter((each) => !this.#isExpired(each));
  }
}

/** Returns the token that a page must send with changes, derived from the cookie's secret. */
function csrfTokenOf(secret: string): string {
  return createHmac('sha256', secret).update('footbridge window csrf').digest('base64url');
}

/** Returns an id for the window, which doesn't disclose the cookie's hash. */
function sessionIDOf(hash: string): string {
  return sha256(`footbridge session ${hash}`).slice(0, 24);
}

const BROWSERS = [
  ['Electron', 'Footbridge'],
  ['Edg', 'Edge'],
  ['Firefox', 'Firefox'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
] as const;

/** Returns the browser's name from a user agent; undefined for an unknown one. */
function browserName(agent = ''): string | undefined {
  return BROWSERS.find(([sign]) => agent.includes(`${sign}/`))?.[1];
}

/** Compares texts of equal length in constant time. Throws `RangeError` for different lengths. */
function equalInConstantTime(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

/** Returns the text's SHA-256, in hexadecimal. */
function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Returns a cookie's value from the header; undefined if it isn't there. */
function cookieValue(header: string | undefined, name: string): string | undefined {
  const pair = header?.split(';').find((part) => part.trim().startsWith(`${name}=`));
  return pair?.slice(pair.indexOf('=') + 1).trim();
}
