import type { Logger } from 'pino';
import type { Clock } from '../../base/clock.ts';
import type { KnownTime, PassedMark } from '../../base/known-time.ts';
import type { Partition, Table } from '../../store/store.ts';
import { everyEntry } from '../../store/every-entry.ts';

/** By what a token is known, and from when until when it is good by the clock that it was made under. */
export interface TokenLife {
  readonly jti: string;
  /** Milliseconds since the Unix epoch. */
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** Key: the token. When it was first used, while it was good. */
const FIRST_USES: Table<PassedMark & Pick<TokenLife, 'expiresAt'>> = { name: 'user-token-first-use' };

const DAY_MS = 86_400_000;
/** A computer's clock and the time that is seen to pass do not go at quite the same speed. */
const FASTER = 1.01;
const SLACK = 2000;
/** Of the nights between two runs the clock tells, which may have been wrong then. */
const A_DAY_MORE = DAY_MS;
/** As the program makes them for one command of its own: many, that end as soon, and are known in this run alone. */
const SHORT = 3_600_000;
/** After its end a first use says nothing but that the clock was put back. */
const KEPT_FOR = 30 * DAY_MS;

/**
 * Tells when tokens of users have ended. A clock that leaps ahead ends none that was used before, as much time must have
 * been seen to pass, or be believed to have passed; and none lives by a clock that was put back for more than a day
 * longer than it was made for.
 */
export async function openTokenLives(deps: {
  readonly system: Pick<Partition, 'page' | 'transaction'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly known: KnownTime;
  readonly log: Pick<Logger, 'warn'>;
}): Promise<(token: TokenLife) => boolean> {
  const { system, clock, known, log } = deps;
  const firstUses = new Map<string, PassedMark & Pick<TokenLife, 'expiresAt'>>();
  for await (const { key, value } of everyEntry(system, FIRST_USES)) firstUses.set(key, value);

  function note({ jti, issuedAt, expiresAt }: TokenLife): void {
    const use = { wall: clock.now(), seen: known.seen(), expiresAt };
    const believed = known.believed();
    const old = [...firstUses].filter(([, each]) => each.expiresAt + KEPT_FOR < believed);
    for (const [key] of old) firstUses.delete(key);
    firstUses.set(jti, use);
    const isShort = expiresAt - issuedAt <= SHORT;
    if (isShort && old.length === 0) return;
    const work = system.transaction((tx) => {
      for (const [key] of old) tx.delete(FIRST_USES, key);
      if (!isShort) tx.put(FIRST_USES, jti, use);
    });
    work.catch((error: unknown) => log.warn({ err: error }, 'the first use of a token could not be noted'));
  }

  return (token) => {
    const { jti, issuedAt, expiresAt } = token;
    const isPast = expiresAt <= clock.now();
    const first = firstUses.get(jti);
    if (!first) {
      if (!isPast) note(token);
      return isPast;
    }
    const passed = known.seen() - first.seen;
    if (passed >= expiresAt - issuedAt + A_DAY_MORE) return true;
    if (!isPast) return false;
    const left = expiresAt - Math.max(issuedAt, first.wall);
    return known.believed() >= expiresAt || passed * FASTER + SLACK >= left;
  };
}
