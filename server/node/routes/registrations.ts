import { isDeepStrictEqual } from 'node:util';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../base/clock.ts';
import {
  maintainRegistration,
  type RegistrationHandle,
  type RegistrationOptions,
  type RegistrationState,
} from '../../routes/rendezvous-client.ts';

/** At our relay or a partner that can't call us. */
export interface WantedRegistration extends Pick<RegistrationOptions, 'endpoint' | 'headers' | 'dial'> {
  readonly key: string;
  readonly route: string;
}

interface Kept {
  readonly endpoint: WantedRegistration['endpoint'];
  readonly registration: RegistrationHandle;
  readonly end: () => void;
  state: RegistrationState;
}

/** Keeps registrations connected and passes on arriving streams. */
export class Registrations {
  readonly #clock: Clock;
  readonly #take: (stream: Duplex, route: string) => void;
  readonly #onState: (key: string, state: RegistrationState) => void;
  readonly #kept = new Map<string, Kept>();

  /** `take` receives streams with their route. */
  constructor(
    clock: Clock,
    take: (stream: Duplex, route: string) => void,
    onState: (key: string, state: RegistrationState) => void,
  ) {
    this.#clock = clock;
    this.#take = take;
    this.#onState = onState;
  }

  /** Makes these the only registrations: starts new ones, ends those missing or now at another endpoint. */
  set(wanted: readonly WantedRegistration[]): void {
    const endpoints = new Map(wanted.map(({ key, endpoint }) => [key, endpoint]));
    for (const [key, { endpoint, end }] of this.#kept) {
      // A relay's endpoint includes its access key.
      if (isDeepStrictEqual(endpoints.get(key), endpoint)) continue;
      this.#kept.delete(key);
      end();
    }
    for (const one of wanted) if (!this.#kept.has(one.key)) this.#start(one);
  }

  /** Returns the state of a registration; undefined if it isn't wanted. */
  stateOf(key: string): RegistrationState | undefined {
    return this.#kept.get(key)?.state;
  }

  /** Tests all registrations quickly, or tries them at once. */
  networkChanged(): void {
    for (const { registration } of this.#kept.values()) registration.networkChanged();
  }

  /**
   * Begins a registration, which is kept until it is ended; passes on its streams, and reports and stores its state.
   */
  #start({ key, route, endpoint, headers, dial }: WantedRegistration): void {
    const ending = new AbortController();
    const state = { current: { kind: 'connecting' } as RegistrationState };
    const registration = maintainRegistration({
      ...{ endpoint, headers, dial },
      clock: this.#clock,
      signal: ending.signal,
      onStream: (stream) => this.#take(stream, route),
      onState: (now) => {
        state.current = now;
        const kept = this.#kept.get(key);
        if (kept) kept.state = now;
        this.#onState(key, now);
      },
    });
    this.#kept.set(key, { endpoint, registration, end: () => ending.abort(), state: state.current });
  }
}
