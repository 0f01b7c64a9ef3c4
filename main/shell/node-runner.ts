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

/** Keeps the node running: starts it, starts it anew after a crash, stops it in time. */
export interface NodeRunner {
  /** @throws what the node's start throws, unless it is stopped meanwhile */
  start(): Promise<void>;
  /** The running node; undefined before the start, after the stop, and between crash and restart. */
  node(): ShellNode | undefined;
  /** Something threw where nobody caught it: restarts the node, or gives up after too many times. */
  crashed(error: unknown, during: string): Promise<void>;
  /** Starts again after it was given up. */
  retry(): Promise<void>;
  /** Resolves when the node has stopped, by force after `withinMs`. */
  stop(withinMs: number): Promise<void>;
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

export function createNodeRunner(deps: RunnerDeps): NodeRunner {
  /** The node that has a process, and whether it has started. */
  let current: { readonly node: ShellNode; started: boolean } | undefined;
  let crashes: readonly number[] = [];
  let restarting = false;
  let stopped = false;
  let endWatch: () => void = () => undefined;
  /** Asked anew, as the user may have quit while something was waited for. */
  const hasStopped = (): boolean => stopped;

  /** Resolves to whether the node runs now; not so where the stop came in between, which waits for no start. */
  async function bringUp(): Promise<boolean> {
    if (hasStopped()) return false;
    const hearer: NodeHearer = {
      event: deps.onEvent,
      crashed: (error, during) => void crashed(error, during),
    };
    const mine = { node: deps.create(hearer), started: false };
    current = mine;
    try {
      await mine.node.start();
    } catch (error) {
      current = undefined;
      if (hasStopped()) return false;
      throw error;
    }
    mine.started = !hasStopped();
    if (mine.started) watch(mine.node);
    return mine.started;
  }

  /** One that hangs is no better than one that is gone, and says nothing of it. */
  function watch(node: ShellNode): void {
    endWatch = watchForHang(
      () => node.settings(),
      () => void crashed(new Error('The node has not answered for two minutes.'), 'the process of the node'),
    );
  }

  async function start(): Promise<void> {
    if (await bringUp()) await deps.onStarted();
  }

  async function shut(ms: number): Promise<void> {
    endWatch();
    const old = current;
    current = undefined;
    await old?.node.stop(ms);
  }

  /** @throws what the new node's start throws */
  async function startAnew(action: 'restart' | 'give-up'): Promise<boolean> {
    restarting = true;
    try {
      await shut(STOP_MS);
      return action === 'restart' && (await bringUp());
    } finally {
      // From here on the new one is there to break.
      restarting = false;
    }
  }

  /** Not to a user who has quit meanwhile. */
  const tell: RunnerDeps['onCrash'] = (...what) => {
    if (!stopped) deps.onCrash(...what);
  };

  async function crashed(error: unknown, during: string): Promise<void> {
    deps.log.fatal({ err: error, during }, 'crash');
    // What else breaks while the old node goes down, or a new one comes up, belongs to the same crash or to the start.
    // While none runs, a dialog stands that asks what is to be done: nothing is started behind it.
    if (restarting || stopped || !current?.started) return;
    const { action, crashes: recent } = afterCrash(crashes, deps.now());
    crashes = recent;
    try {
      if (await startAnew(action)) await deps.onStarted();
      tell(action === 'restart' ? 'restarted' : 'gave-up', error, during);
    } catch (startError) {
      tell('gave-up', startError, `${during}, then restart`);
    }
  }

  return {
    start,
    node: () => (current?.started ? current.node : undefined),
    crashed,
    async retry() {
      crashes = [];
      await start();
    },
    async stop(withinMs) {
      stopped = true;
      await shut(withinMs);
    },
  };
}
