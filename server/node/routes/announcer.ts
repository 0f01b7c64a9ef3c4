import type { Logger } from 'pino';
import type { Clock } from '../../base/clock.ts';
import { keepOnly } from '../../base/keep-only.ts';
import type { Federation } from '../../federation/federation.ts';
import type { Node } from '../../federation/model.ts';
import { hasStatus } from '../../peer/guard/errors.ts';
import { RateLimiter } from '../../routes/rate-limiter.ts';

export interface AnnouncerDeps {
  readonly clock: Clock;
  readonly log: Pick<Logger, 'info'>;
  readonly federation: { readonly announcements: Pick<Federation['announcements'], 'revision'> };
  /** Sends our routes. Throws PartnerError, Refusal. */
  readonly announce: (nodeID: string) => Promise<{ readonly carried?: string | undefined }>;
}

export interface Carrier {
  readonly node: Node;
  readonly officeID: string;
}

interface Confirmed {
  readonly revision: number;
  readonly token: string | undefined;
  readonly at: number;
}

const RETRY_MS = 15_000;
/** Repeats in case a partner lost them. */
const REPEAT_MS = 3_600_000;
/** Bounds one partner's changes as our carrier: each makes all others reconnect. */
const CARRIER_CHANGES = { perSecond: 1 / 600, burst: 6 };

/** Announces our routes once, and at changes. */
export class Announcer {
  readonly #deps: AnnouncerDeps;
  /** The latest confirmed revision, by token: a new pairing restores the invite's routes. */
  readonly #announced = new Map<string, Confirmed>();
  readonly #triedAt = new Map<string, number>();
  readonly #carriedBy = new Map<string, Carrier>();
  readonly #carrierChanges: RateLimiter;

  constructor(deps: AnnouncerDeps) {
    this.#deps = deps;
    this.#carrierChanges = new RateLimiter(deps.clock, CARRIER_CHANGES);
  }

  /** Returns the partners that carry connections for us, as they last answered. */
  carriers(): Carrier[] {
    return [...this.#carriedBy.values()];
  }

  /** Forgets all about other partners. */
  forgetAllBut(nodeIDs: ReadonlySet<string>): void {
    for (const map of [this.#announced, this.#triedAt, this.#carriedBy]) keepOnly(map, nodeIDs);
  }

  /** Makes the next check announce our routes to this partner. */
  announceAgain(nodeID: string): void {
    this.#announced.delete(nodeID);
  }

  /** Lets failed announcements be retried at the next check. */
  retryFailed(): void {
    this.#triedAt.clear();
  }

  /**
   * Sends our routes, in the background, to those of the partners without the present ones or that got them an hour
   * ago. Stores which partners carry connections for us. A failed one is tried again later; versions without
   * announcements count as told.
   */
  async announceTo(nodes: readonly Node[]): Promise<void> {
    const { clock, federation, announce, log } = this.#deps;
    const revision = await federation.announcements.revision();
    const now = clock.monotonic();
    for (const node of nodes) {
      const { nodeID } = node;
      const triedAt = this.#triedAt.get(nodeID) ?? -Infinity;
      const last = this.#announced.get(nodeID);
      const isSent =
        last?.revision === revision && last.token === node.sealedToken && now - last.at < REPEAT_MS;
      if (isSent || now - triedAt < RETRY_MS) continue;
      this.#triedAt.set(nodeID, now);
      const confirmed: Confirmed = { revision, token: node.sealedToken, at: now };
      announce(nodeID).then(
        ({ carried }) => {
          this.#announced.set(nodeID, confirmed);
          this.#setCarrier(node, carried);
        },
        (error: unknown) => {
          // Older versions don't know announcements.
          if (hasStatus(error, 404)) this.#announced.set(nodeID, confirmed);
          else log.info({ err: error, nodeID }, 'our routes could not be announced');
        },
      );
    }
  }

  /**
   * Stores under which ID a partner carries for us, or that it doesn't (undefined). Ignores too frequent changes. A
   * repeated ID updates the record.
   */
  #setCarrier(node: Node, carried: string | undefined): void {
    const { nodeID } = node;
    const isOther = carried !== this.#carriedBy.get(nodeID)?.officeID;
    if (isOther && !this.#carrierChanges.takeUnit(nodeID)) return;
    if (carried === undefined) this.#carriedBy.delete(nodeID);
    else this.#carriedBy.set(nodeID, { node, officeID: carried });
  }
}
