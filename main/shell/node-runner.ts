import type { Logger } from 'pino';
import type { AppEvent } from '../../server/contract/app/overview.ts';
import type { FootbridgeNode } from '../../server/node/node.ts';
import { afterCrash } from './crash-policy.ts';

/** The part of the node that the shell uses. */
export type ShellNode = Pick<
  FootbridgeNode,
  | 'start'
  | 'stop'
  | 'overview'
  | 'onChange'
  | 'settings'
  | 'syncAll'
  | 'pauseAll'
  | 'resumeAll'
  | 'suspend'
  | 'resume'
  | 'windowLink'
>;

/** Keeps the node running: starts it, starts it anew after a crash, stops it in time. */
export interface NodeRunner {
  /** @throws what the node's start throws */
  start(): Promise<void>;
  /** The running node; undefined before the start, after the stop, and between crash and restart. */
  node(): ShellNode | undefined;
  /** Something threw where nobody caught it: restarts the node, or gives up after too many times. */
  crashed(error: unknown, during: string): Promise<void>;
  /** Starts again after it was given up. */
  retry(): Promise<void>;
  /** Resolves when the node has stopped, or after `withinMs`. */
  stop(withinMs: number): Promise<void>;
}

export interface RunnerDeps {
  readonly create: () => ShellNode;
  readonly log: Logger;
  readonly now: () => number;
  readonly onEvent: (event: AppEvent) => void;
  /** The node runs (again): what was shown of it before is old. */
  readonly onStarted: () => void;
  /** After a crash, when what follows is under way. */
  readonly onCrash: (outcome: 'restarted' | 'gave-up', error: unknown, during: string) => void;
  /** The old node did not let go within its time: only a new process helps. */
  readonly relaunch: () => void;
}

const STOP_MS = 2_000;

/** Resolves to whether `work` ended in time, well or not. */
function within(work: Promise<void>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms);
    const done = (): void => {
      clearTimeout(timer);
      resolve(true);
    };
    work.then(done, done);
  });
}

export function createNodeRunner(deps: RunnerDeps): NodeRunner {
  let running: { node: ShellNode; silence: () => void } | undefined;
  let crashes: readonly number[] = [];
  let restarting = false;
  let stopped = false;

  async function start(): Promise<void> {
    const node = deps.create();
    await node.start();
    if (stopped) return node.stop();
    running = { node, silence: node.onChange(deps.onEvent) };
    deps.onStarted();
  }

  /** Whether the node is down. */
  async function shut(ms: number): Promise<boolean> {
    const old = running;
    running = undefined;
    old?.silence();
    return old === undefined || within(old.node.stop(), ms);
  }

  return {
    start,
    node: () => running?.node,
    async crashed(error, during) {
      deps.log.fatal({ err: error, during }, 'crash');
      // What else breaks while the old node goes down belongs to the same crash.
      if (restarting || stopped) return;
      restarting = true;
      try {
        const decision = afterCrash(crashes, deps.now());
        crashes = decision.crashes;
        if (!(await shut(STOP_MS))) {
          deps.relaunch();
          return;
        }
        if (decision.action === 'give-up') {
          deps.onCrash('gave-up', error, during);
          return;
        }
        await start();
        deps.onCrash('restarted', error, during);
      } catch (startError) {
        deps.onCrash('gave-up', startError, `${during}, then restart`);
      } finally {
        restarting = false;
      }
    },
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
