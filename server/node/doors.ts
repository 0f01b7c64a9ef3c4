import { wildcardAddress, LOOPBACK } from '../base/loopback.ts';
import type { Clock } from '../base/clock.ts';
import type { Settings } from '../contract/app/settings.ts';
import type { ListenError, Listener } from '../http/listeners/listen.ts';
import type { Words } from '../words/said.ts';
import type { NodeAddress } from './address.ts';
import { unopenedWords, unreachableWords } from './unopened.ts';

/** Listen addresses of the command line. */
export interface GivenDoors {
  /** Address for partners; default: as the user set it, this computer only or the network. */
  readonly host?: string;
  readonly port?: number;
  readonly windowPort?: number;
}

/** Listen addresses of the settings. */
export type SetDoors = Pick<Settings, 'network' | 'port'>;

/** On this computer only, at a free port: the window is available in any case. */
export const ANYWHERE = 'anywhere';

/** The two listeners of a node. */
export interface Listening {
  readonly federation: Listener;
  readonly window: Listener;
}

const DEFAULT_WINDOW_PORT = 7421;

/** Listen addresses: what is wanted, what is open, and what couldn't be opened. */
export class Doors {
  readonly #given: GivenDoors;
  readonly #clock: Pick<Clock, 'now'>;
  /** As of the start: a change would reopen the listeners. */
  readonly #everyAddress = wildcardAddress();
  #listening: Listening | undefined;
  #lastSet: SetDoors | undefined;
  #notice: NodeAddress['notice'];

  constructor(given: GivenDoors, clock: Pick<Clock, 'now'>) {
    this.#given = given;
    this.#clock = clock;
  }

  /** Returns the present listeners, or the last ones. */
  get listening(): Listening | undefined {
    return this.#listening;
  }

  /** Returns the settings of the last successful opening. */
  get lastSet(): SetDoors | undefined {
    return this.#lastSet;
  }

  /** Returns what the user set since and couldn't be opened. */
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
   * The command line takes precedence over settings; a free port, once found, is kept. @param instead of the
   * settings
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

  /** Returns whether partners are served as these settings say. */
  areAt(settings: SetDoors): boolean {
    const { host, port } = this.wanted(settings);
    const { federation } = this.#listening ?? {};
    return host === federation?.host && port === federation.port;
  }

  opened(listening: Listening): void {
    this.#listening = listening;
  }

  /** Everything is open as the user set it. */
  openedAsSet({ network, port }: SetDoors): void {
    this.#lastSet = { network, port };
  }

  /** Records what prevented the user's setting; undefined: nothing. */
  couldNotOpen(problem: ListenError | undefined): void {
    this.#tell(problem && unopenedWords(problem));
  }

  /** The previous address couldn't be opened either. */
  couldNotStay(problem: ListenError): void {
    this.#tell(unreachableWords(problem));
  }

  #tell(message: Words | undefined): void {
    const at = new Date(this.#clock.now()).toISOString();
    this.#notice = message === undefined ? undefined : { at, message };
  }
}
