import type { Logger } from 'pino';
import { createMutex } from '../base/concurrency/mutex.ts';
import type { Clock } from '../base/clock.ts';
import type { Node } from '../federation/model.ts';
import type { Partition, Table } from '../store/store.ts';
import type { Draft } from './inbox/draft.ts';
import { isLoopback } from '../base/loopback.ts';
import { ownerNetworkOf } from '../base/network-of.ts';
import { said, type Said } from '../words/said.ts';

/** `token-over`: a partner's, expired by one of the two clocks. */
export type Attempt =
  'token-over' | 'wrong-token' | 'wrong-invite' | 'old-invite' | 'management' | 'plain' | 'flood';

/** Attempts of one kind from one network since the notice was dismissed. */
export interface Stranger {
  readonly what: Attempt;
  /** Becomes the network (`203.0.113.0/24`) after a second address of it. */
  readonly address: string;
  readonly partner?: Pick<Node, 'nodeID' | 'name'>;
  readonly firstAt: string;
  readonly lastAt: string;
  readonly times: number;
}

const STRANGERS: Table<Stranger> = { name: 'stranger' };
const WRITE_MS = 10_000;
/** Further networks are a flood, counted under {@link MANY}. */
const MAX_ENTRIES = 100;
const MANY = 'many addresses';

interface RejectedAccessLogDeps {
  readonly system: Partition;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn' | 'error'>;
  readonly onSeen: () => void;
}

/** Counts rejected callers by kind and network, so that floods fill neither disk nor inbox. */
export class RejectedAccessLog {
  readonly #deps: RejectedAccessLogDeps;
  readonly #counted = new Map<string, Stranger>();
  #lastWrite = -Infinity;
  #cancel: (() => void) | undefined;
  readonly #inTurn = createMutex();

  constructor(deps: RejectedAccessLogDeps) {
    this.#deps = deps;
  }

  /**
   * Counts a rejected attempt, stored within ten seconds. Logs the first of its kind and network since the last write.
   * Beyond a limit of entries others count as one, except partners'.
   */
  record(what: Attempt, from: string | undefined, partner?: Stranger['partner']): void {
    const known = from ?? 'unknown';
    const address =
      partner || this.#counted.has(attemptKey(what, known)) || this.#counted.size < MAX_ENTRIES
        ? known
        : MANY;
    const key = attemptKey(what, address, partner);
    const at = new Date(this.#deps.clock.now()).toISOString();
    const before = this.#counted.get(key);
    if (!before) this.#deps.log.warn({ what, address }, 'somebody was turned away');
    this.#counted.set(key, {
      what,
      address: before ? addressOrNetwork(before.address, address) : address,
      ...(partner ? { partner } : {}),
      firstAt: before?.firstAt ?? at,
      lastAt: at,
      times: (before?.times ?? 0) + 1,
    });
    this.#cancel ??= this.#deps.clock.after(
      Math.max(this.#lastWrite + WRITE_MS - this.#deps.clock.monotonic(), 0),
      () => void this.flush(),
    );
  }

  /** Returns the stored attempts, latest first. */
  async list(): Promise<Stranger[]> {
    const found = await this.#deps.system.page(STRANGERS, { limit: 10 * MAX_ENTRIES });
    return found.map(({ value }) => value).sort((one, other) => (one.lastAt < other.lastAt ? 1 : -1));
  }

  /** Stores what was counted, after a write in progress. Call it before the store is closed. Never rejects. */
  flush(): Promise<void> {
    this.#cancel?.();
    this.#cancel = undefined;
    const batch = [...this.#counted];
    this.#counted.clear();
    if (batch.length > 0) this.#lastWrite = this.#deps.clock.monotonic();
    return this.#inTurn(() => (batch.length > 0 ? this.#write(batch) : undefined));
  }

  /** Adds these counts to the stored ones, deletes the oldest above the limit and calls `onSeen`. Logs failures. */
  async #write(batch: readonly [string, Stranger][]): Promise<void> {
    try {
      await this.#deps.system.transaction(async (tx) => {
        for (const [key, seen] of batch) {
          const before = await tx.get(STRANGERS, key);
          const sum = before && { firstAt: before.firstAt, times: before.times + seen.times };
          const address = before ? addressOrNetwork(before.address, seen.address) : seen.address;
          tx.put(STRANGERS, key, { ...seen, ...sum, address });
        }
      });
      await this.#deleteOldest();
      this.#deps.onSeen();
    } catch (error) {
      this.#deps.log.error({ err: error }, 'attempts of strangers could not be written down');
    }
  }

  /** Deletes the oldest stored attempts beyond the limit. */
  async #deleteOldest(): Promise<void> {
    const surplus = (await this.list()).slice(MAX_ENTRIES + 1);
    if (surplus.length === 0) return;
    await this.#deps.system.transaction((tx) => {
      for (const { what, address, partner } of surplus)
        tx.delete(STRANGERS, attemptKey(what, address, partner));
    });
  }
}

/** Returns the key under which attempts are counted: by kind, and partner or network. */
function attemptKey(what: Attempt, address: string, partner?: Stranger['partner']): string {
  return `${what} ${partner?.nodeID ?? ownerNetworkOf(address)}`;
}

/** Returns the address if both are the same, else the network of the latter. */
function addressOrNetwork(one: string, other: string): string {
  return one === other ? one : ownerNetworkOf(other);
}

const TRIED: Record<Exclude<Attempt, 'token-over'>, Said> = {
  'wrong-token': said('access.wrong-token'),
  'wrong-invite': said('access.wrong-invite'),
  'old-invite': said('access.old-invite'),
  management: said('access.management'),
  plain: said('access.plain'),
  flood: said('access.flood'),
};

/** Up to this many wrong invites from a network are typing errors. */
const MAX_MISTYPED = 3;

/**
 * Returns items with ids by kind, network and day; none for a few wrong invites. An expired token gives one about the
 * partner's clock.
 */
export function strangerItems(strangers: readonly Stranger[]): Draft[] {
  return strangers.flatMap(({ what, address, partner, lastAt, times }): Draft[] => {
    const day = lastAt.slice(0, 10);
    if (what === 'wrong-invite' && times <= MAX_MISTYPED) return [];
    if (what !== 'token-over') {
      const message = said('access.turned-away', { who: callerText(address), tried: TRIED[what], n: times });
      const network = ownerNetworkOf(address);
      return [{ itemID: `stranger-${what}-${network}-${day}`, kind: 'stranger', at: lastAt, message }];
    }
    if (!partner) return [];
    const { nodeID, name } = partner;
    const message = said('access.token-over', { partner: name });
    return [{ itemID: `clock-${nodeID}-${day}`, kind: 'clock', at: lastAt, nodeID, partner: name, message }];
  });
}

/** Says where attempts came from: this computer, another address, or many ({@link MANY}). */
function callerText(address: string): Said {
  if (address === MANY) return said('access.from-many');
  return isLoopback(address) ? said('access.from-here') : said('access.from', { address });
}
