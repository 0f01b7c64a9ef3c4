import type { Logger } from 'pino';
import type { Clock } from '../../base/clock.ts';
import { parseRoute } from '../../base/routes.ts';
import type { SettingsAnswer } from '../../contract/app/settings.ts';
import type { Node } from '../../federation/model.ts';
import { RateLimiter } from '../../routes/rate-limiter.ts';
import { parseRelayAddress } from '../../routes/relay-address.ts';
import { moment, said, type Moment, type Words } from '../../words/said.ts';

type OpenedBy = NonNullable<SettingsAnswer['openedBy']>;
type Noted = Pick<Node, 'nodeID' | 'name' | 'relayConsent'>;

export interface RouteNotesDeps {
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
  readonly note: (nodeID: string, message: Words) => Promise<void>;
  readonly openedBy: () => OpenedBy;
}

/** A partner may keep changing its relay. */
const NOTE_RATE = { perSecond: 1 / 3_600, burst: 6 };

/**
 * Notes used routes around the router in the activity, once per partner and run. Beyond the rate limit, a
 * later call does.
 */
export class RouteNotes {
  readonly #deps: RouteNotesDeps;
  readonly #noted = new Set<string>();
  readonly #rate: RateLimiter;

  constructor(deps: RouteNotesDeps) {
    this.#deps = deps;
    this.#rate = new RateLimiter(deps.clock, NOTE_RATE);
  }

  /** Adds, once, the activity that we keep a reverse connection open. */
  recordReverse(node: Noted): void {
    const since = this.#since('reverse');
    this.#writeOnce('reverse', node, said('history.keeps-open', { partner: node.name, since }));
  }

  /** Adds, once, the activity of a call through a relay; a no-op if the route `id` is none. */
  recordCall(node: Noted, id: string | undefined): void {
    const route = id === undefined ? undefined : parseRoute(id);
    const relay = route?.kind === 'relay' ? parseRelayAddress(route.address)?.host : undefined;
    if (relay === undefined) return;
    const since = this.#since('partnerRelays', node.relayConsent?.at ?? this.#deps.openedBy().relay?.at);
    this.#writeOnce(`relay ${relay}`, node, said('history.uses-relay', { partner: node.name, relay, since }));
  }

  /** Adds, once, the activity that the router forwards this port, since when that is allowed. */
  recordMapping(node: Noted, port: number): void {
    const since = this.#since('mapPort');
    this.#writeOnce(
      `port ${port}`,
      node,
      said('history.port-open', { partner: node.name, port: String(port), since }),
    );
  }

  /** Returns since when the setting allows the route, else the present time. */
  #since(consent: keyof OpenedBy, at = this.#deps.openedBy()[consent]?.at): Moment {
    const now = this.#deps.clock.now();
    return moment(at ?? new Date(now).toISOString(), now);
  }

  /** Adds an activity in the background: once per partner and `what`, and not beyond the rate limit. */
  #writeOnce(what: string, { nodeID }: Noted, message: Words): void {
    const key = `${nodeID} ${what}`;
    if (this.#noted.has(key) || !this.#rate.takeUnit(nodeID)) return;
    this.#noted.add(key);
    this.#deps
      .note(nodeID, message)
      .catch((err: unknown) => this.#deps.log.warn({ err, nodeID }, 'a route could not be noted'));
  }
}
