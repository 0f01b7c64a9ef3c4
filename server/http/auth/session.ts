import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import { z } from 'zod';
import type { ListedSession } from '../../contract/app/settings.ts';
import type { Clock } from '../../base/clock.ts';
import { clockAlone, type KnownTime } from '../../base/known-time.ts';
import type { Partition, Table } from '../../store/store.ts';
import { withdrawable } from '../../store/recovery/withdrawals/withdrawable.ts';

/** What a request of a window that was let in may do. */
export interface WindowSession {
  /** For the page alone: it has to come with every request that changes something. */
  readonly csrfToken: string;
  /** Whether this is that token; in constant time. */
  proves(token: string | undefined): boolean;
}

/** A window that was let in: only the hash of its cookie is kept. */
interface Session {
  readonly hash: string;
  readonly expiresAt: number;
  /** Milliseconds since the epoch; absent in sessions of before these were kept. */
  readonly begunAt?: number;
  readonly usedAt?: number;
  /** What had been seen to pass when it began; absent in sessions of before. */
  readonly seen?: number;
  /** What the browser says that it is. */
  readonly browser?: string;
}

const SESSIONS: Table<Session> = { name: 'window-session' };
/**
 * Windows that were signed out stay so when older data comes back, and no backup signs in one that was not. No session lives as long as its note, be it that it began
 * under a clock that stood a year ahead.
 */
export const withdrawableSessions = withdrawable({
  table: SESSIONS,
  note: z.enum(['begun', 'ended']),
  noted: (before, after) => (!before === !after ? undefined : after ? 'begun' : 'ended'),
  reapply: (session, note) => (note === 'begun' ? session : undefined),
  restored: (session, note) => (note === 'begun' ? session : undefined),
  lacking: (_, note) => (note === undefined ? 'begun' : undefined),
  close: () => undefined,
  useful: 400 * 86_400_000,
});

const LINK_MS = 10 * 60_000;
const SESSION_MS = 30 * 86_400_000;
const MAX_LINKS = 100;
/** So often it is written down that a session is in use. */
const NOTED_EVERY = 3_600_000;

interface SessionsDeps {
  readonly system: Partition;
  readonly clock: Clock;
  /** By which sessions end; the clock alone unless given. */
  readonly time?: KnownTime;
  /** A part of the cookie's name: cookies are shared by all ports of a host, so that two nodes on one computer need two. */
  readonly name: () => string;
}

/**
 * Lets the window in (docs/architecture.md: The two listeners): a one-time link, good for ten minutes, becomes a
 * cookie that scripts cannot read and that no other site can send. Sessions outlive a restart of the node, for 30
 * days.
 */
export class Sessions {
  readonly #deps: SessionsDeps;
  readonly #time: KnownTime;
  readonly #links = new Map<string, number>();

  constructor(deps: SessionsDeps) {
    this.#deps = deps;
    this.#time = deps.time ?? clockAlone(deps.clock);
  }

  /** Those that are let in, the newest first. */
  async list(cookieHeader: string | undefined): Promise<ListedSession[]> {
    const secret = cookie(cookieHeader, this.#cookieName());
    const own = secret === undefined ? undefined : sha256(secret);
    return (await this.#good())
      .sort((a, b) => (b.begunAt ?? 0) - (a.begunAt ?? 0))
      .map(({ hash, browser, begunAt, usedAt }) => ({
        sessionID: idOf(hash),
        own: hash === own,
        ...(browser === undefined ? {} : { browser }),
        ...(begunAt === undefined ? {} : { begunAt: new Date(begunAt).toISOString() }),
        // Whoever asks is at it now; of the others it is noted now and then only.
        ...(hash === own
          ? { usedAt: new Date(this.#deps.clock.now()).toISOString() }
          : usedAt === undefined
            ? {}
            : { usedAt: new Date(usedAt).toISOString() }),
      }));
  }

  /** Ends these from the next request on. */
  async end(sessionIDs: readonly string[]): Promise<void> {
    const ended = (await this.#good()).filter(({ hash }) => sessionIDs.includes(idOf(hash)));
    await this.#deps.system.transaction((tx) => {
      for (const { hash } of ended) tx.delete(SESSIONS, hash);
    });
  }

  /** A fresh link into the window at this base address. */
  link(base: string): string {
    const key = randomBytes(24).toString('base64url');
    if (this.#links.size >= MAX_LINKS) this.#links.delete(this.#links.keys().next().value ?? '');
    this.#links.set(sha256(key), this.#deps.clock.monotonic() + LINK_MS);
    return `${base}/?key=${key}`;
  }

  /** Turns `/?key=…` into the cookie, and goes on to the same place without the key. */
  async redeem(req: Request, res: Response, next: NextFunction): Promise<void> {
    const key = req.query.key;
    if (req.path !== '/' || typeof key !== 'string') {
      next();
      return;
    }
    const hash = sha256(key);
    const expiresAt = this.#links.get(hash);
    this.#links.delete(hash);
    if (expiresAt !== undefined && expiresAt > this.#deps.clock.monotonic()) {
      res.cookie(this.#cookieName(), await this.#open(browserOf(req.get('user-agent'))), {
        httpOnly: true,
        sameSite: 'strict',
        path: '/',
        maxAge: SESSION_MS,
      });
    }
    res.setHeader('Cache-Control', 'no-store');
    res.redirect(303, '../');
  }

  /** The session that the request's cookie belongs to. */
  async of(cookieHeader: string | undefined): Promise<WindowSession | undefined> {
    const secret = cookie(cookieHeader, this.#cookieName());
    if (secret === undefined) return undefined;
    const hash = sha256(secret);
    const session = await this.#deps.system.get(SESSIONS, hash);
    if (session === undefined || this.#isOver(session) || !same(session.hash, hash)) return undefined;
    // One from while the clock was ahead is not left standing until it has come there.
    if (Math.abs(this.#deps.clock.now() - (session.usedAt ?? 0)) > NOTED_EVERY)
      void this.#noteUse(hash).catch(() => undefined);
    const csrfToken = csrfTokenOf(secret);
    return {
      csrfToken,
      proves: (token) => token !== undefined && same(sha256(token), sha256(csrfToken)),
    };
  }

  #cookieName(): string {
    return `footbridge_${this.#deps.name()}`;
  }

  /** A clock that leaps ends none, and one that stood ahead keeps none alive. */
  #isOver({ expiresAt, seen }: Session): boolean {
    if (seen === undefined) return expiresAt <= this.#deps.clock.now();
    return this.#time.believed() >= expiresAt || this.#time.seen() - seen >= SESSION_MS;
  }

  async #open(browser: string | undefined): Promise<string> {
    const secret = randomBytes(32).toString('base64url');
    const now = this.#deps.clock.now();
    const session: Session = {
      hash: sha256(secret),
      expiresAt: now + SESSION_MS,
      begunAt: now,
      usedAt: now,
      seen: this.#time.seen(),
      ...(browser === undefined ? {} : { browser }),
    };
    const old = await this.#deps.system.page(SESSIONS, { limit: 1000 });
    await this.#deps.system.transaction((tx) => {
      for (const { key, value } of old) if (this.#isOver(value)) tx.delete(SESSIONS, key);
      tx.put(SESSIONS, session.hash, session);
    });
    return secret;
  }

  /** One that was ended meanwhile stays so. */
  async #noteUse(hash: string): Promise<void> {
    await this.#deps.system.transaction(async (tx) => {
      const session = await tx.get(SESSIONS, hash);
      if (session) tx.put(SESSIONS, hash, { ...session, usedAt: this.#deps.clock.now() });
    });
  }

  /** Also where the clock stands ahead for a while, and the window is let in again once it is right. */
  async #good(): Promise<Session[]> {
    return (await this.#deps.system.page(SESSIONS, { limit: 1000 }))
      .map(({ value }) => value)
      .filter((each) => !this.#isOver(each));
  }
}

/** As random as the cookie's secret, which cannot be found from it; the same after a restart. */
function csrfTokenOf(secret: string): string {
  return createHmac('sha256', secret).update('footbridge window csrf').digest('base64url');
}

/** Names a session without saying what its cookie is known by. */
function idOf(hash: string): string {
  return sha256(`footbridge session ${hash}`).slice(0, 24);
}

const BROWSERS = [
  ['Electron', 'Footbridge'],
  ['Edg', 'Edge'],
  ['Firefox', 'Firefox'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
] as const;

/** By which a user knows a browser again; undefined for one that says nothing known. */
function browserOf(agent = ''): string | undefined {
  return BROWSERS.find(([sign]) => agent.includes(`${sign}/`))?.[1];
}

function same(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function cookie(header: string | undefined, name: string): string | undefined {
  const pair = header?.split(';').find((part) => part.trim().startsWith(`${name}=`));
  return pair?.slice(pair.indexOf('=') + 1).trim();
}
