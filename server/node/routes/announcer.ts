import type { Logger } from 'pino';
import type { Clock } from '../../base/clock.ts';
import type { Federation } from '../../federation/federation.ts';
import type { Node } from '../../federation/model.ts';
import { hasStatus } from '../../peer/guard/errors.ts';

export interface AnnouncerDeps {
  readonly clock: Clock;
  readonly log: Pick<Logger, 'info'>;
  readonly federation: { readonly announcements: Pick<Federation['announcements'], 'revision'> };
  /** Sends our routes to a partner. @throws PartnerError, Refusal */
  readonly announce: (nodeID: string) => Promise<{ readonly carried?: string | undefined }>;
}

/** A partner that carries connections for us, and the ID that others use for us there. */
export interface Carrier {
  readonly node: Node;
  readonly officeID: string;
}

const RETRY_MS = 15_000;
/** Routes are announced again after this time, in case a partner lost them. */
const AGAIN_MS = 3_600_000;

/** Announces our routes to each partner once, and again when they change. */
export class Announcer {
  readonly #deps: AnnouncerDeps;
  /** The latest revision that each partner has confirmed. */
  readonly #announced = new Map<string, { readonly revision: number; readonly at: number }>();
  readonly #triedAt = new Map<string, number>();
  readonly #carriedBy = new Map<string, Carrier>();

  constructor(deps: AnnouncerDeps) {
    this.#deps = deps;
  }

  /** Returns the partners that carry connections for us, as they answered last. */
  carriers(): Carrier[] {
    return [...this.#carriedBy.values()];
  }

  /** Forgets that a partner knows our routes, so that the next check announces them again. */
  forget(nodeID: string): void {
    this.#announced.delete(nodeID);
  }

  /** Lets failed announcements be retried at the next check instead of after 15 seconds. */
  retry(): void {
    this.#triedAt.clear();
  }

  /**
   * Sends our routes, in the background, to the partners that don't have the present revision, and to all others
   * once an hour in case they lost it. Stores which of them carry connections for us.
   */
  async announceTo(nodes: readonly Node[]): Promise<void> {
    const { clock, federation, announce, log } = this.#deps;
    const revision = await federation.announcements.revision();
    const now = clock.monotonic();
    for (const node of nodes) {
      const { nodeID } = node;
      const triedAt = this.#triedAt.get(nodeID) ?? -Infinity;
      const last = this.#announced.get(nodeID);
      const isSent = last?.revision === revision && now - last.at < AGAIN_MS;
      if (isSent || now - triedAt < RETRY_MS) continue;
      this.#triedAt.set(nodeID, now);
      announce(nodeID).then(
        ({ carried }) => {
          this.#announced.set(nodeID, { revision, at: now });
          if (carried === undefined) this.#carriedBy.delete(nodeID);
          else this.#carriedBy.set(nodeID, { node, officeID: carried });
        },
        (error: unknown) => {
          // An older version of the program, which knows no announcements.
          if (hasStatus(error, 404)) this.#announced.set(nodeID, { revision, at: now });
          else log.info({ err: error, nodeID }, 'our routes could not be announced');
        },
      );
    }
  }
}
