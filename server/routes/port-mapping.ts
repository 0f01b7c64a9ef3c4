import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../base/clock.ts';
import { withDeadline } from '../base/deadline.ts';
import { findDefaultGateway, type Gateway } from './gateway.ts';
import { pcpMapper } from './pcp.ts';
import { isPublicAddress, MappingRefused, type Mapper, type Mapping } from './port-mapper.ts';
import { upnpMapper } from './upnp.ts';

export type MappingState =
  | { readonly kind: 'searching' }
  | {
      readonly kind: 'mapped';
      readonly protocol: Mapping['protocol'];
      readonly address: string;
      readonly port: number;
      /** Milliseconds since the epoch; renewed long before. */
      readonly until: number;
    }
  /** The router's address isn't public: a mapped port leads nowhere. */
  | { readonly kind: 'carrier-nat'; readonly address?: string }
  | { readonly kind: 'refused' }
  | { readonly kind: 'none' };

export interface MappingOptions {
  readonly port: number;
  /** Survives restarts, so a router knows whose mapping a crash left. */
  readonly secret: string;
  readonly onState: (state: MappingState) => void;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly findGateway?: () => Promise<Gateway | undefined>;
  readonly mappers?: readonly Mapper[];
}

export interface MaintainedMapping {
  /** Asks at once, without retry delay: the router may be another. */
  networkChanged(): void;
  /** Resolves after the signal, once removal of the mapping succeeded or failed. */
  readonly ended: Promise<void>;
}

const LIFETIME_SECONDS = 3_600;
/** A router's new address changes no network here. */
const CHECK_MS = 40_000;
const FIRST_RETRY_MS = 15_000;
const MAX_RETRY_MS = 300_000;
/** For all protocols together, and the final removal. */
const SEARCH_MS = 15_000;
const REMOVAL_MS = 2_000;

/**
 * Keeps a port open at the router until the signal aborts: asks by PCP, NAT-PMP and UPnP, checks the address every 40
 * s, renews at half life. Call only with the user's consent.
 */
export function maintainMapping(options: MappingOptions): MaintainedMapping {
  const kept = new PortMapping(options);
  return { networkChanged: () => kept.networkChanged(), ended: kept.run() };
}

interface Requested {
  readonly gateway: Gateway;
  readonly mapper: Mapper;
  readonly externalPort: number;
  /** As granted. */
  readonly mapping?: Mapping;
}

interface Held extends Requested {
  readonly mapping: Mapping;
  readonly renewAt: number;
}

class PortMapping {
  private readonly options: MappingOptions;
  private readonly mappers: readonly Mapper[];
  private held: Held | undefined;
  /** Without answer, but the router may have opened the port. */
  private unanswered: Requested | undefined;
  private failures = 0;
  private wake: () => void = () => undefined;
  private hasChanged = false;

  constructor(options: MappingOptions) {
    this.options = options;
    this.mappers = options.mappers ?? [pcpMapper, upnpMapper];
  }

  /** Ends a wait, so that the mapping is requested again at once, and forgets failures. */
  networkChanged(): void {
    this.hasChanged = true;
    this.failures = 0;
    this.wake();
  }

  /** Reports `searching`, keeps the mapping until the signal aborts, then removes it. */
  async run(): Promise<void> {
    const { signal, onState } = this.options;
    onState({ kind: 'searching' });
    while (!signal.aborted) {
      const mayCheck = !this.hasChanged;
      this.hasChanged = false;
      const waitMs = await this.refreshMapping(mayCheck);
      await this.waitForNext(waitMs);
    }
    await this.remove();
  }

  /**
   * Checks or requests the mapping, and reports a new state. With `mayCheck`, only checks one not due for renewal.
   * Removes one that leads to our old address, or to a router without a public address. Returns the milliseconds until
   * the next time.
   */
  private async refreshMapping(mayCheck: boolean): Promise<number> {
    const { clock, onState, signal, findGateway = findDefaultGateway } = this.options;
    const within = withDeadline(SEARCH_MS, signal);
    const gateway = await findGateway();
    // The port would lead to our old address's next owner.
    if (gateway && this.held && isOwnAddressNew(gateway, this.held.gateway)) await this.remove();
    const answer = gateway ? await this.obtainMapping(gateway, mayCheck, within) : 'none';
    if (signal.aborted) return 0;
    if (answer === 'unchanged') return CHECK_MS;
    if (typeof answer === 'string') {
      this.keepUnlessMoved(gateway);
      onState({ kind: answer });
      return this.retryMs();
    }
    const { externalAddress, externalPort, lifetimeSeconds, protocol } = answer;
    if (!isPublicAddress(externalAddress)) {
      await this.remove();
      onState({
        kind: 'carrier-nat',
        ...(externalAddress === '0.0.0.0' ? {} : { address: externalAddress }),
      });
      return this.retryMs();
    }
    this.failures = 0;
    onState({
      kind: 'mapped',
      protocol,
      address: externalAddress,
      port: externalPort,
      until: clock.now() + lifetimeMs(lifetimeSeconds),
    });
    return CHECK_MS;
  }

  /**
   * Keeps the mapping that the router failed to renew, unless in another network, so that the next request names the
   * same port and the end removes it: it may be open, perhaps without an end.
   */
  private keepUnlessMoved(gateway: Gateway | undefined): void {
    const hasMoved = gateway !== undefined && !isDeepStrictEqual(this.held?.gateway, gateway);
    this.held = this.held && !hasMoved ? { ...this.held, renewAt: 0 } : undefined;
  }

  /** Counts a failure; returns the milliseconds to wait: 15 s, doubled each time, at most 5 minutes. */
  private retryMs(): number {
    this.failures += 1;
    return Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** (this.failures - 1));
  }

  /**
   * Tries each protocol, first the one that granted the mapping, until one grants it; keeps and returns that. Returns
   * `unchanged` if the router still has it, `refused` if one refused, `none` without an answer.
   */
  private async obtainMapping(
    gateway: Gateway,
    mayCheck: boolean,
    signal: AbortSignal,
  ): Promise<Mapping | 'unchanged' | 'refused' | 'none'> {
    let outcome: 'refused' | 'none' = 'none';
    const { held } = this;
    const now = this.options.clock.monotonic();
    const checked = mayCheck && held && now < held.renewAt && isDeepStrictEqual(held.gateway, gateway);
    const attempts: { readonly mapper: Mapper; readonly current?: Mapping }[] = [
      ...(checked ? [{ mapper: held.mapper, current: held.mapping }] : []),
      ...(held ? [{ mapper: held.mapper }] : []),
      ...this.mappers.filter((mapper) => mapper !== held?.mapper).map((mapper) => ({ mapper })),
    ];
    for (const { mapper, current } of attempts) {
      if (signal.aborted) break;
      try {
        const mapping = await this.requestMapping(gateway, mapper, current, signal);
        if (!mapping) continue;
        if (current && isSamePlace(mapping, current)) return 'unchanged';
        // Some routers grant port 0, which nobody can call.
        if (mapping.externalPort === 0 && isPublicAddress(mapping.externalAddress)) {
          outcome = 'refused';
          continue;
        }
        const renewAt = now + lifetimeMs(mapping.lifetimeSeconds) / 2;
        this.held = { gateway, mapper, mapping, externalPort: mapping.externalPort, renewAt };
        return mapping;
      } catch (error) {
        if (error instanceof MappingRefused) outcome = 'refused';
      }
    }
    return outcome;
  }

  /**
   * Asks by one protocol; undefined if the router doesn't know it. Stores the request until it is answered, so that
   * it can be removed.
   */
  private async requestMapping(
    gateway: Gateway,
    mapper: Mapper,
    current: Mapping | undefined,
    signal: AbortSignal,
  ): Promise<Mapping | undefined> {
    const request = { ...this.request(gateway, LIFETIME_SECONDS), current };
    if (!current) this.unanswered = { gateway, mapper, externalPort: request.externalPort };
    const mapping = await mapper(gateway, request, signal);
    if (!signal.aborted) this.unanswered = undefined;
    return mapping;
  }

  /**
   * Removes the granted mapping and an unanswered request, without rejecting; at a silent router they end with their
   * lifetime.
   */
  private async remove(): Promise<void> {
    const { held, unanswered } = this;
    this.held = undefined;
    this.unanswered = undefined;
    const removals = [held, unanswered].flatMap((each: Requested | undefined) => each ?? []);
    await Promise.all(
      removals.map(({ gateway, mapper, externalPort, mapping }) => {
        const request = { ...this.request(gateway, 0), externalPort, current: mapping };
        return mapper(gateway, request, AbortSignal.timeout(REMOVAL_MS)).catch(() => undefined);
      }),
    );
  }

  /**
   * Returns a request that names the port as granted before, with a nonce for this network only; a lifetime of 0
   * removes it.
   */
  private request(gateway: Gateway, lifetimeSeconds: number): Parameters<Mapper>[1] {
    const { port, secret } = this.options;
    const externalPort = this.held?.externalPort ?? port;
    // One per network, so none can tell that this computer was elsewhere.
    const nonce = createHash('sha256')
      .update(JSON.stringify([secret, gateway]))
      .digest()
      .subarray(0, 12);
    return { internalPort: port, externalPort, lifetimeSeconds, nonce };
  }

  /**
   * Waits so many milliseconds, less if the network changes or the signal aborts; not at all if either has happened.
   */
  private waitForNext(ms: number): Promise<void> {
    const { clock, signal } = this.options;
    if (signal.aborted || this.hasChanged) return Promise.resolve();
    return new Promise((resolve) => {
      /** Resolves, and cancels the timer and the signal's listener. */
      const end = (): void => {
        cancel();
        signal.removeEventListener('abort', end);
        resolve();
      };
      const cancel = clock.after(ms, end);
      this.wake = end;
      signal.addEventListener('abort', end);
    });
  }
}

/** At most an hour, also if unlimited (0). */
const lifetimeMs = (seconds: number): number =>
  Math.min(seconds || LIFETIME_SECONDS, LIFETIME_SECONDS) * 1_000;

const isOwnAddressNew = (now: Gateway, before: Gateway): boolean =>
  now.address === before.address && now.network === before.network && now.ownAddress !== before.ownAddress;

const isSamePlace = (one: Mapping, other: Mapping): boolean =>
  one.externalAddress === other.externalAddress && one.externalPort === other.externalPort;
