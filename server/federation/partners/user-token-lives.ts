import type { Logger } from 'pino';
import type { Clock } from '../../base/clock.ts';
import type { TrustedClock, TimeAnchor } from '../../base/trusted-clock.ts';
import type { Partition, Table } from '../../store/store.ts';
import { everyEntry } from '../../store/every-entry.ts';

/** By the issuing clock, in milliseconds since the Unix epoch. */
export interface TokenLife {
  readonly jti: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** By id: a token's first valid use. */
const FIRST_USES: Table<TimeAnchor & Pick<TokenLife, 'expiresAt'>> = { name: 'user-token-first-use' };

const DAY_MS = 86_400_000;
/** Allowed factor between system clock and elapsed time. */
const MAX_CLOCK_DRIFT = 1.01;
const GRACE_MS = 2000;
/** The trusted clock may miss time between runs. */
const A_DAY_MORE = DAY_MS;
/** Single commands' tokens: first use known in this run only. */
const SHORT = 3_600_000;
/** First uses are kept this long after their token's end. */
const KEPT_FOR = 30 * DAY_MS;

/**
 * Returns a check for expired tokens, which records a token's first use. From then on elapsed time counts, so that
 * wrong clocks hardly matter.
 */
export async function openTokenLives(deps: {
  readonly system: Pick<Partition, 'page' | 'transaction'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly known: TrustedClock;
  readonly log: Pick<Logger, 'warn'>;
}): Promise<(token: TokenLife) => boolean> {
  const { system, clock, known, log } = deps;
  const firstUses = new Map<string, TimeAnchor & Pick<TokenLife, 'expiresAt'>>();
  for await (const { key, value } of everyEntry(system, FIRST_USES)) firstUses.set(key, value);

  /**
   * Records a first use, in the background also in the store if the token lives over an hour; deletes records of long
   * expired ones. A failed write is logged.
   */
  function recordFirstUse({ jti, issuedAt, expiresAt }: TokenLife): void {
    const use = { wall: clock.now(), seen: known.elapsed(), expiresAt };
    const present = known.now();
    const old = [...firstUses].filter(([, each]) => each.expiresAt + KEPT_FOR < present);
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
      if (!isPast) recordFirstUse(token);
      return isPast;
    }
    const passed = known.elapsed() - first.seen;
    if (passed >= expiresAt - issuedAt + A_DAY_MORE) return true;
    if (!isPast) return false;
    const left = expiresAt - Math.max(issuedAt, first.wall);
    return known.now() >= expiresAt || passed * MAX_CLOCK_DRIFT + GRACE_MS >= left;
  };
}
