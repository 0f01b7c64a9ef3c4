import { everyAddress, LOOPBACK } from '../base/loopback.ts';
import type { Clock } from '../base/clock.ts';
import type { Settings } from '../contract/app/settings.ts';
import type { ListenError, Listener } from '../http/listeners/listen.ts';
import type { Words } from '../words/said.ts';
import type { NodeAddress } from './address.ts';
import { unopenedWords, unreachableWords } from './unopened.ts';

/** What the command line says of where we listen. */
export interface GivenDoors {
  /** Address on which partners are served; else as the user set it: this computer only, or the network. */
  readonly host?: string;
  readonly port?: number;
  readonly windowPort?: number;
}

/** What the settings say of it. */
export type SetDoors = Pick<Settings, 'network' | 'port'>;

/** On this computer alone, at a port that is free: there the window can be had in any case. */
export const ANYWHERE = 'anywhere';

/** The two listeners of a node. */
export interface Listening {
  readonly federation: Listener;
  readonly window: Listener;
}

const DEFAULT_WINDOW_PORT = 7421;

/** Where a node listens: what is wanted, where it is, and what could not be opened. */
export class Doors {
  readonly #given: GivenDoors;
  readonly #clock: Pick<Clock, 'now'>;
  /** As of the start: another one would open the listeners again. */
  readonly #everyAddress = everyAddress();
  #listening: Listening | undefined;
  #lastSet: SetDoors | undefined;
  #notice: NodeAddress['notice'];

  constructor(given: GivenDoors, clock: Pick<Clock, 'now'>) {
    this.#given = given;
    this.#clock = clock;
  }

  /** Where we listen, or listened last. */
  get listening(): Listening | undefined {
    return this.#listening;
  }

  /** The user's word on where that is, as it was when it could be opened last. */
  get lastSet(): SetDoors | undefined {
    return this.#lastSet;
  }

  /** What the user set since, and could not be opened. */
  get notice(): NodeAddress['notice'] {
    return this.#notice;
  }

  get ports(): readonly number[] {
    return this.#listening ? [this.#listening.federation.port, this.#listening.window.port] : [];
  }

  get windowBase(): string {
    return `http://${LOOPBACK}:${this.#listening?.window.port ?? 0}`;
  }

  /**
   * What was given on the command line holds; then what the user set; a free port, once found, is kept.
   * @param instead of what the settings say
   */
  wanted(
    settings: SetDoors,
    instead?: SetDoors | typeof ANYWHERE,
  ): { host: string; port: number; windowPort: number } {
    const windowPort = this.#listening?.window.port ?? this.#given.windowPort ?? DEFAULT_WINDOW_PORT;
    if (instead === ANYWHERE) return { host: LOOPBACK, port: 0, windowPort };
    const { network, port } = instead ?? settings;
    const { host = network ? this.#everyAddress : LOOPBACK, port: given = port } = this.#given;
    const kept = given === 0 ? this.#listening?.federation.port : undefined;
    return { host, port: kept ?? given, windowPort };
  }

  /** Whether partners are served where these settings say. */
  areAt(settings: SetDoors): boolean {
    const { host, port } = this.wanted(settings);
    const { federation } = this.#listening ?? {};
    return host === federation?.host && port === federation.port;
  }

  opened(listening: Listening): void {
    this.#listening = listening;
  }

  /** All is open where the user said. */
  openedAsSet({ network, port }: SetDoors): void {
    this.#lastSet = { network, port };
  }

  /** What was in the way of what the user set; undefined: nothing. */
  couldNotOpen(problem: ListenError | undefined): void {
    this.#tell(problem && unopenedWords(problem));
  }

  /** Nor could it be opened where it was before. */
  couldNotStay(problem: ListenError): void {
    this.#tell(unreachableWords(problem));
  }

  #tell(message: Words | undefined): void {
    const at = new Date(this.#clock.now()).toISOString();
    this.#notice = message === undefined ? undefined : { at, message };
  }
}
