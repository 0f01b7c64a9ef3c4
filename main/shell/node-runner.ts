import type { Logger } from 'pino';
import type { Language } from '../../server/base/vocabulary.ts';
import type { AppEvent, Overview } from '../../server/contract/app/overview.ts';
import type { ShellSettings } from '../node/messages.ts';
import { afterCrash } from './crash-policy.ts';
import { watchForHang } from './hang-watch.ts';

/** The node as the shell uses it. It runs in a process of its own (main/node/remote-node.ts), and is started once. */
export interface ShellNode {
  /** @throws StoreError, ListenError with messages for the user; what ended its process. Then nothing is left of it */
  start(): Promise<void>;
  /** Resolves when its process has ended: in order, or by force when `withinMs` are over. Safe at any time. */
  stop(withinMs: number): Promise<void>;
  overview(language: Language): Promise<Overview>;
  settings(): Promise<ShellSettings>;
  syncAll(): Promise<void>;
  /** @param until ISO 8601 */
  pauseAll(until?: string): Promise<void>;
  resumeAll(): Promise<void>;
  /** The computer goes to sleep and wakes up. */
  suspend(): void;
  resume(): void;
  /** A fresh one-time link into the window. */
  windowLink(): Promise<string>;
}

/** Who is told what happens in a node that was started. */
export interface NodeHearer {
  event(event: AppEvent): void;
  /** Something threw where nobody caught it, or the node is gone. */
  crashed(error: unknown, during: string): void;
}

export interface RunnerDeps {
  readonly create: (hearer: NodeHearer) => ShellNode;
  readonly log: Logger;
  readonly now: () => number;
  readonly onEvent: (event: AppEvent) => void;
  /** The node runs (again): what was shown of it before is old. The start is over when this resolves. */
  readonly onStarted: () => Promise<void>;
  /** After a crash, when what follows is under way. */
  readonly onCrash: (outcome: 'restarted' | 'gave-up', error: unknown, during: string) => void;
}

const STOP_MS = 2_000;

/** Keeps the node running: starts it, starts it anew after a crash, stops it in time. */
export class NodeRunner {
  readonly #deps: RunnerDeps;
  /** The node that has a process, and whether it has started. */
  #current: { readonly node: ShellNode; started: boolean } | undefined;
  #crashes: readonly number[] = [];
  #restarting = false;
  #stopped = false;
  #endWatch: () => void = () => undefined;

  constructor(deps: RunnerDeps) {
    this.#deps = deps;
  }

  /** @throws what the node's start throws, unless it is stopped meanwhile */
  async start(): Promise<void> {
    if (await this.#bringUp()) await this.#deps.onStarted();
  }

  /** The running node; undefined before the start, after the stop, and between crash and restart. */
  node(): ShellNode | undefined {
    return this.#current?.started ? this.#current.node : undefined;
  }

  /** Something threw where nobody caught it: restarts the node, or gives up after too many times. */
  async crashed(error: unknown, during: string): Promise<void> {
    this.#deps.log.fatal({ err: error, during }, 'crash');
    // What else breaks while the old node goes down, or a new one comes up, belongs to the same crash or to the start.
    // While none runs, a dialog stands that asks what is to be done: nothing is started behind it.
    if (this.#restarting || this.#stopped || !this.#current?.started) return;
    const { action, crashes: recent } = afterCrash(this.#crashes, this.#deps.now());
    this.#crashes = recent;
    try {
      if (await this.#startAnew(action)) await this.#deps.onStarted();
      this.#tell(action === 'restart' ? 'restarted' : 'gave-up', error, during);
    } catch (startError) {
      this.#tell('gave-up', startError, `${during}, then restart`);
    }
  }

  /** Starts again after it was given up. */
  async retry(): Promise<void> {
    this.#crashes = [];
    await this.start();
  }

  /** Resolves when the node has stopped, by force after `withinMs`. */
  async stop(withinMs: number): Promise<void> {
    this.#stopped = true;
    await this.#shut(withinMs);
  }

  /** Asked anew, as the user may have quit while something was waited for. */
  #hasStopped(): boolean {
    return this.#stopped;
  }

  /** Resolves to whether the node runs now; not so where the stop came in between, which waits for no start. */
  async #bringUp(): Promise<boolean> {
    if (this.#hasStopped()) return false;
    const hearer: NodeHearer = {
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

  /** One that hangs is no better than one that is gone, and says nothing of it. */
  #watch(node: ShellNode): void {
    this.#endWatch = watchForHang(
      () => node.settings(),
      () =>
        void this.crashed(new Error('The node has not answered for two minutes.'), 'the process of the node'),
    );
  }

  async #shut(ms: number): Promise<void> {
    this.#endWatch();
    const old = this.#current;
    this.#current = undefined;
    await old?.node.stop(ms);
  }

  /** @throws what the new node's start throws */
  async #startAnew(action: 'restart' | 'give-up'): Promise<boolean> {
    this.#restarting = true;
    try {
      await this.#shut(STOP_MS);
      return action === 'restart' && (await this.#bringUp());
    } finally {
      // From here on the new one is there to break.
      this.#restarting = false;
    }
  }

  /** Not to a user who has quit meanwhile. */
  #tell(...what: Parameters<RunnerDeps['onCrash']>): void {
    if (!this.#stopped) this.#deps.onCrash(...what);
  }
}
