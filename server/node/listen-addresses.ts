import { wildcardAddress, LOOPBACK } from '../base/loopback.ts';
import type { Clock } from '../base/clock.ts';
import type { Settings } from '../contract/app/settings.ts';
import type { ListenError, Listener } from '../http/listeners/listen.ts';
import { said, type Words } from '../words/said.ts';
import type { NodeAddress } from './address.ts';

export interface CliListenOptions {
  readonly host?: string;
  readonly port?: number;
  readonly windowPort?: number;
}

export type ListenSettings = Pick<Settings, 'network' | 'port'>;

/** Opens on this computer only, at a free port. */
export const LOOPBACK_ONLY = 'anywhere';

export interface OpenListeners {
  readonly federation: Listener;
  readonly window: Listener;
}

const DEFAULT_WINDOW_PORT = 7421;

/** Listen addresses: wanted, open, and why one couldn't be opened. */
export class ListenAddresses {
  readonly #given: CliListenOptions;
  readonly #clock: Pick<Clock, 'now'>;
  /** As of the start: changes would reopen the listeners. */
  readonly #everyAddress = wildcardAddress();
  #listening: OpenListeners | undefined;
  #lastOpened: ListenSettings | undefined;
  #notice: NodeAddress['notice'];

  /** `given`, the command line's addresses, precede settings. */
  constructor(given: CliListenOptions, clock: Pick<Clock, 'now'>) {
    this.#given = given;
    this.#clock = clock;
  }

  /** The present listeners, or the last ones while closed. */
  get listening(): OpenListeners | undefined {
    return this.#listening;
  }

  /** The settings of the last successful opening. */
  get lastOpened(): ListenSettings | undefined {
    return this.#lastOpened;
  }

  /** Says that the chosen address couldn't be opened, if so. */
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
   * Returns the addresses to open: the command line's, else those of `instead`, else the settings'. Port 0 (any free
   * one) becomes the port open now. `LOOPBACK_ONLY`: any free port, for callers on this computer only.
   */
  addressesToOpen(
    settings: ListenSettings,
    instead?: ListenSettings | typeof LOOPBACK_ONLY,
  ): { host: string; port: number; windowPort: number } {
    const windowPort = this.#listening?.window.port ?? this.#given.windowPort ?? DEFAULT_WINDOW_PORT;
    if (instead === LOOPBACK_ONLY) return { host: LOOPBACK, port: 0, windowPort };
    const { network, port } = instead ?? settings;
    const { host = network ? this.#everyAddress : LOOPBACK, port: given = port } = this.#given;
    const kept = given === 0 ? this.#listening?.federation.port : undefined;
    return { host, port: kept ?? given, windowPort };
  }

  /** Returns whether the federation listener is open as these settings require. */
  matches(settings: ListenSettings): boolean {
    const { host, port } = this.addressesToOpen(settings);
    const { federation } = this.#listening ?? {};
    return host === federation?.host && port === federation.port;
  }

  /** Sets the listeners that are open now. */
  setListeners(listening: OpenListeners): void {
    this.#listening = listening;
  }

  /** Records the addresses that could be opened last, for a return to them. */
  recordOpened({ network, port }: ListenSettings): void {
    this.#lastOpened = { network, port };
  }

  /** Sets or removes the notice that the settings' address couldn't be opened. */
  failedToOpen(problem: ListenError | undefined): void {
    this.#setNotice(problem && bindErrorWords(problem));
  }

  /** Sets the notice that the previous address couldn't be opened either. */
  failedToKeep(problem: ListenError): void {
    this.#setNotice(noListenerWords(problem));
  }

  /** Sets or removes the notice about listeners, as of now. */
  #setNotice(message: Words | undefined): void {
    const at = new Date(this.#clock.now()).toISOString();
    this.#notice = message === undefined ? undefined : { at, message };
  }
}

/** Returns the words for an address that couldn't be opened, while the previous one serves instead. */
function bindErrorWords({ code, port: number = 0 }: ListenError): Words {
  // Text has no digit grouping.
  const port = String(number);
  if (code === 'EADDRINUSE') return said('listen.taken', { port });
  return said(code === 'EACCES' ? 'listen.forbidden' : 'listen.failed', { port });
}

const noListenerWords = ({ port = 0 }: ListenError): Words => said('listen.nowhere', { port: String(port) });
