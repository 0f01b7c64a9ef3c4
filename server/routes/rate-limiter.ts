import type { Clock } from '../base/clock.ts';

export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** Forgets the least recently used first. */
const MAX_KEYS = 10_000;

/** Token buckets by key, in bounded memory. */
export class RateLimiter {
  private readonly clock: Pick<Clock, 'monotonic'>;
  private readonly rate: Rate;
  private readonly buckets = new Map<string, { level: number; since: number }>();

  constructor(clock: Pick<Clock, 'monotonic'>, rate: Rate) {
    this.clock = clock;
    this.rate = rate;
  }

  /** Takes one unit of the key's budget; false, taking nothing, if there is none. */
  takeUnit(key: string): boolean {
    const bucket = this.refill(key);
    if (bucket.level < 1) return false;
    bucket.level -= 1;
    return true;
  }

  /**
   * Takes `amount` units, also more than there are (on credit); returns the milliseconds to wait before the next use.
   */
  charge(key: string, amount: number): number {
    const bucket = this.refill(key);
    bucket.level -= amount;
    return bucket.level >= 0 ? 0 : (-bucket.level / this.rate.perSecond) * 1000;
  }

  /**
   * Returns the key's bucket, filled up for the time passed; a new one is full. Evicts the longest unused beyond the
   * limit.
   */
  private refill(key: string): { level: number; since: number } {
    const now = this.clock.monotonic();
    const before = this.buckets.get(key);
    const gained = before ? ((now - before.since) / 1000) * this.rate.perSecond : this.rate.burst;
    const bucket = { level: Math.min(this.rate.burst, (before?.level ?? 0) + gained), since: now };
    // Keeps the map in order of use.
    this.buckets.delete(key);
    this.buckets.set(key, bucket);
    const [oldest] = this.buckets.keys();
    if (this.buckets.size > MAX_KEYS && oldest !== undefined) this.buckets.delete(oldest);
    return bucket;
  }
}
