import type { Logger } from 'pino';
import type { Language } from '../../server/base/vocabulary.ts';
import type { AppEvent, Overview } from '../../server/contract/app/overview.ts';
import type { ShellSettings } from '../node/messages.ts';
import { afterCrash } from './crash-policy.ts';
import { startWatchdog } from './watchdog.ts';

/** The node as the shell uses it: in a process of its own (main/node/remote-node.ts), started once. */
export interface ShellNode {
  /**
   * @throws StoreError, ListenError with messages for the user; or why its process ended. Nothing remains of
   * it then
   */
  start(): Promise<void>;
  /** Resolves when its process has ended: in order, or by force after `withinMs`. Safe at any time. */
  stop(withinMs: number): Promise<void>;
  overview(language: Language): Promise<Overview>;
  settings(): Promise<ShellSettings>;
  syncAll(): Promise<void>;
  /** @param until ISO 8601 */
  pauseAll(until?: string): Promise<void>;
  resumeAll(): Promise<void>;
  /** The computer goes to sleep or wakes up. */
  suspend(): void;
  resume(): void;
  /** Returns a new one-time link into the window. */
  windowLink(): Promise<string>;
}

/** Listens to a started node. */
export interface NodeListener {
  event(event: AppEvent): void;
  /** An uncaught error, or the node is gone. */
  crashed(error: unknown, during: string): void;
}

export interface RunnerDeps {
  readonly create: (hearer: NodeListener) => ShellNode;
  readonly log: Logger;
  readonly now: () => number;
  readonly onEvent: (event: AppEvent) => void;
  /** The node runs (again): what was shown before is outdated. The start is complete when this resolves. */
  readonly onStarted: () => Promise<void>;
  /** After a crash, once the response has begun. */
  readonly onCrash: (outcome: 'restarted' | 'gave-up', error: unknown, during: string) => void;
}

const STOP_MS = 2_000;

/** Keeps the node running: starts it, restarts it after a crash, stops it in time. */
export class NodeRunner {
  readonly #deps: RunnerDeps;
  /** The node with a process, and whether it has started. */
  #current: { readonly node: ShellNode; started: boolean } | undefined;
  #crashes: readonly number[] = [];
  #restarting = false;
  #stopped = false;
  #endWatch: () => void = () => undefined;

  constructor(deps: RunnerDeps) {
    this.#deps = deps;
  }

  /** Starts the node and calls `onStarted`, unless it is stopped meanwhile. Throws like the node's start. */
  async start(): Promise<void> {
    if (await this.#startNode()) await this.#deps.onStarted();
  }

  /** Returns the running node; undefined before the start, after the stop, and between crash and restart. */
  node(): ShellNode | undefined {
    return this.#current?.started ? this.#current.node : undefined;
  }

  /**
   * Handles an uncaught error: restarts the node, or stops it after too many crashes, and reports which to
   * `onCrash`. Ignores further errors of the same crash, and all while no node runs.
   */
  async crashed(error: unknown, during: string): Promise<void> {
    this.#deps.log.fatal({ err: error, during }, 'crash');
    // Further errors while the old node goes down, or a new one starts, belong to the same crash or to the
    // start.
    // While none runs, a dialog asks what to do: nothing is started behind it.
    if (this.#restarting || this.#stopped || !this.#current?.started) return;
    const { action, crashes: recent } = afterCrash(this.#crashes, this.#deps.now());
    this.#crashes = recent;
    try {
      if (await this.#restart(action)) await this.#deps.onStarted();
      this.#report(action === 'restart' ? 'restarted' : 'gave-up', error, during);
    } catch (startError) {
      this.#report('gave-up', startError, `${during}, then restart`);
    }
  }

  /** Starts the node after giving up; earlier crashes no longer count. */
  async retry(): Promise<void> {
    this.#crashes = [];
    await this.start();
  }

  /** Stops the node for good, by force after `withinMs`; resolves when it has stopped. */
  async stop(withinMs: number): Promise<void> {
    this.#stopped = true;
    await this.#stopNode(withinMs);
  }

  /** Returns whether the user has quit; read again after each wait. */
  #hasStopped(): boolean {
    return this.#stopped;
  }

  /**
   * Creates and starts a node and watches it. Returns false if the user quit meanwhile. Throws like the node's
   * start.
   */
  async #startNode(): Promise<boolean> {
    if (this.#hasStopped()) return false;
    const hearer: NodeListener = {
      event: this.#deps.onEvent,
      crashed: (error, during) => void this.crashed(error, during),
    };
    const mine = { node: this.#deps.create(hearer), started: false };
    this.#current = mine;
    try {
      await mine.node.start();
    } catch (error) {
      this.#current = undefined;
      if (this.#hasStopped()) return false;
      throw error;
    }
    mine.started = !this.#hasStopped();
    if (mine.started) this.#watch(mine.node);
    return mine.started;
  }

  /** Starts a watchdog that treats a node that stopped answering like a crashed one. */
  #watch(node: ShellNode): void {
    this.#endWatch = startWatchdog(
      () => node.settings(),
      () =>
        void this.crashed(new Error('The node has not answered for two minutes.'), 'the process of the node'),
    );
  }

  /** Stops the watchdog, then the node: in order, or by force after `ms`. */
  async #stopNode(ms: number): Promise<void> {
    this.#endWatch();
    const old = this.#current;
    this.#current = undefined;
    await old?.node.stop(ms);
  }

  /**
   * Stops the node, and starts a new one unless it gives up. Returns whether one runs. Throws like the new node's
   * start.
   */
  async #restart(action: 'restart' | 'give-up'): Promise<boolean> {
    this.#restarting = true;
    try {
      await this.#stopNode(STOP_MS);
      return action === 'restart' && (await this.#startNode());
    } finally {
      // From here on a new crash counts.
      this.#restarting = false;
    }
  }

  /** Reports a crash to `onCrash`, unless the user has quit. */
  #report(...what: Parameters<RunnerDeps['onCrash']>): void {
    if (!this.#stopped) this.#deps.onCrash(...what);
  }
}
