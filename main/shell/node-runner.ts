import type { Logger } from 'pino';
import type { Language } from '../../server/base/vocabulary.ts';
import type { AppEvent, Overview } from '../../server/contract/app/overview.ts';
import type { ShellSettings } from '../node/messages.ts';
import { afterCrash } from './crash-policy.ts';

/** In its own process; it starts once. */
export interface ShellNode {
  /** Throws StoreError, ListenError, or why the process ended; the process is gone then. */
  start(): Promise<void>;
  /** Resolves after the process's end, forced after `withinMs`. Safe at any time. */
  stop(withinMs: number): Promise<void>;
  /** Returns the overview in this language. */
  overview(language: Language): Promise<Overview>;
  settings(): Promise<ShellSettings>;
  syncAll(): Promise<void>;
  /** Pauses all partners until an ISO 8601 time, or until resumed. */
  pauseAll(until?: string): Promise<void>;
  resumeAll(): Promise<void>;
  /** Called when the computer sleeps and wakes up. */
  suspend(): void;
  resume(): void;
  /** Creates a one-time link into the window. */
  windowLink(): Promise<string>;
}

export interface NodeListener {
  event(event: AppEvent): void;
  /** Reports an uncaught error, or the process's end. */
  crashed(error: unknown, during: string): void;
}

export interface RunnerDeps {
  readonly create: (hearer: NodeListener) => ShellNode;
  readonly log: Logger;
  readonly now: () => number;
  readonly onEvent: (event: AppEvent) => void;
  /** Called after each start: what is shown is outdated. */
  readonly onStarted: () => Promise<void>;
  /** Called after restart or stop. */
  readonly onCrash: (outcome: 'restarted' | 'gave-up', error: unknown, during: string) => void;
}

const STOP_MS = 2_000;

/** Keeps one node running: restarts it after a crash or two minutes without an answer. */
export class NodeRunner {
  readonly #deps: RunnerDeps;
  /** The node with a process. */
  #current: { readonly node: ShellNode; started: boolean } | undefined;
  #crashes: readonly number[] = [];
  #restarting = false;
  #stopped = false;
  #endWatch: () => void = () => undefined;

  constructor(deps: RunnerDeps) {
    this.#deps = deps;
  }

  /** Starts the node and calls `onStarted`, unless stopped. Throws like the node's start. */
  async start(): Promise<void> {
    if (await this.#startNode()) await this.#deps.onStarted();
  }

  /** Returns the running node; undefined before its start, after its stop, and between crash and restart. */
  node(): ShellNode | undefined {
    return this.#current?.started ? this.#current.node : undefined;
  }

  /**
   * Logs an uncaught error of the node; restarts it, or stops it at the fourth error within ten minutes, and tells
   * `onCrash` which. Errors meanwhile, and all while no node runs, are only logged.
   */
  async crashed(error: unknown, during: string): Promise<void> {
    this.#deps.log.fatal({ err: error, during }, 'crash');
    // Further errors belong to the same crash or to the start. Without a running node a dialog is open.
    if (this.#restarting || this.#stopped || !this.#current?.started) return;
    const { action, crashes: recent } = afterCrash(this.#crashes, this.#deps.now());
    this.#crashes = recent;
    try {
      if (await this.#restart(action)) await this.#deps.onStarted();
      this.#reportCrash(action === 'restart' ? 'restarted' : 'gave-up', error, during);
    } catch (startError) {
      this.#reportCrash('gave-up', startError, `${during}, then restart`);
    }
  }

  /** Starts the node after giving up, and forgets earlier crashes. Throws like the node's start. */
  async retry(): Promise<void> {
    this.#crashes = [];
    await this.start();
  }

  /** Stops the node for good, by force after `withinMs`; resolves when it has ended. */
  async stop(withinMs: number): Promise<void> {
    this.#stopped = true;
    await this.#stopNode(withinMs);
  }

  /** Returns whether the runner was stopped for good; TypeScript would take the field as unchanged across awaits. */
  #hasStopped(): boolean {
    return this.#stopped;
  }

  /** Creates and starts the node. Returns false if stopped for good. Throws like the node's start. */
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
    if (mine.started) this.#watchForHang(mine.node);
    return mine.started;
  }

  /** Watches the node, and handles it as crashed once it doesn't answer. */
  #watchForHang(node: ShellNode): void {
    this.#endWatch = startWatchdog(
      () => node.settings(),
      () =>
        void this.crashed(new Error('The node has not answered for two minutes.'), 'the process of the node'),
    );
  }

  /** Ends the watch and stops the node, by force after `ms`. */
  async #stopNode(ms: number): Promise<void> {
    this.#endWatch();
    const old = this.#current;
    this.#current = undefined;
    await old?.node.stop(ms);
  }

  /** Stops the node, and starts another one unless given up. Returns whether a node runs. Throws like its start. */
  async #restart(action: 'restart' | 'give-up'): Promise<boolean> {
    this.#restarting = true;
    try {
      await this.#stopNode(STOP_MS);
      return action === 'restart' && (await this.#startNode());
    } finally {
      // From here a new crash counts.
      this.#restarting = false;
    }
  }

  /** Calls `onCrash`, unless the runner was stopped for good. */
  #reportCrash(...what: Parameters<RunnerDeps['onCrash']>): void {
    if (!this.#stopped) this.#deps.onCrash(...what);
  }
}

const INTERVAL_MS = 30_000;

/** The largest lists keep the node busy for seconds, low memory for longer. */
const MAX_PENDING = 4;

/**
 * Calls `ask` every 30 seconds, and `hangs` once if an answer or refusal is missing for four more checks: checks, not
 * time, as they stop during sleep. Returns a function that ends it.
 */
function startWatchdog(ask: () => Promise<unknown>, hangs: () => void): () => void {
  let owes = false;
  let missed = 0;
  const timer = setInterval(() => {
    if (!owes) {
      owes = true;
      missed = 0;
      const answered = (): void => void (owes = false);
      ask().then(answered, answered);
    } else if (++missed === MAX_PENDING) {
      clearInterval(timer);
      hangs();
    }
  }, INTERVAL_MS);
  return () => clearInterval(timer);
}
