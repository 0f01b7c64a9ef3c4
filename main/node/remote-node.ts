import type { Logger } from 'pino';
import { z } from 'zod';
import { overview } from '../../server/contract/app/overview.ts';
import type { NodeHearer, ShellNode } from '../shell/node-runner.ts';
import { unpackFailure } from './failures.ts';
import { fromNode, shellSettings, type FromNode, type NodeRequest, type NodeStart } from './messages.ts';
import { createRequests } from './requests.ts';

/** The part of Electron's `UtilityProcess` by which the shell holds its node. */
export interface NodeProcess {
  /** Undefined before it runs and when it has ended. */
  readonly pid: number | undefined;
  postMessage(message: unknown): void;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  /** What the engine itself could not go on from, no memory left above all; `exit` follows. */
  once(event: 'error', listener: (type: string, location: string) => void): unknown;
  once(event: 'exit', listener: (code: number) => void): unknown;
  kill(): boolean;
}

const nothing = z.undefined();

/** A process that was halted hears nothing but this, and would keep the data folder in use when the app is gone. */
function killForGood(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}

/**
 * A node in a process of its own, started here. What it takes of a processor keeps no window waiting, and when it ends
 * the shell is still there to say so. Whoever it is for hears of a crash once it had started; before, the start fails.
 */
export function createRemoteNode(deps: {
  fork: () => NodeProcess;
  options: NodeStart;
  hearer: NodeHearer;
  log: Logger;
  /** Takes a line of the node's own log. */
  writeLog: (line: string) => void;
}): ShellNode {
  const { hearer, log } = deps;
  const child = deps.fork();
  const requests = createRequests({ post: (message) => child.postMessage(message), log });
  let state: 'starting' | 'running' | 'ending' = 'starting';

  function crashed(error: Error, during: string): void {
    if (state === 'starting') requests.end(error);
    if (state === 'running') hearer.crashed(error, during);
    if (state === 'ending') log.warn({ err: error, during }, 'while the node was stopping');
  }
  function hear(message: FromNode): void {
    switch (message.type) {
      case 'answer':
        requests.answer(message.id, message.answer);
        break;
      case 'refusal':
        requests.refuse(message.id, unpackFailure(message.failure));
        break;
      case 'event':
        if (state === 'running') hearer.event(message.event);
        break;
      case 'crash':
        crashed(unpackFailure(message.failure), message.during);
        break;
      case 'log':
        deps.writeLog(message.line);
        break;
    }
  }
  child.on('message', (message) => {
    const { success, data, error } = fromNode.safeParse(message);
    if (success) hear(data);
    else log.error({ err: error }, 'the node said something unknown');
  });
  let fatal = '';
  child.once('error', (type, location) => (fatal = `, ${type} in ${location}`));
  const ended = new Promise<void>((resolve) => {
    child.once('exit', (code) => {
      const error = new Error(`The process of the node ended by itself (${code}${fatal}).`);
      requests.end(error);
      if (state === 'running') hearer.crashed(error, 'the process of the node');
      state = 'ending';
      resolve();
    });
  });

  const ask = (name: Exclude<NodeRequest['name'], 'start' | 'overview' | 'pauseAll'>): Promise<void> =>
    requests.ask({ name }, nothing);
  /** Where nobody waits for it. */
  const tell = (name: 'suspend' | 'resume'): void =>
    void ask(name).catch((error: unknown) => log.warn({ err: error }, name));
  async function end(): Promise<void> {
    state = 'ending';
    const { pid } = child;
    child.kill();
    if (pid !== undefined) killForGood(pid);
    await ended;
  }

  return {
    async start() {
      try {
        await requests.ask({ name: 'start', options: deps.options }, nothing);
      } catch (error) {
        await end();
        throw error;
      }
      if (state === 'starting') state = 'running';
    },
    async stop(withinMs) {
      state = 'ending';
      const patience = new Promise<void>((resolve) => setTimeout(resolve, withinMs).unref());
      const stopped = ask('stop').catch((error: unknown) => log.error({ err: error }, 'stop'));
      await Promise.race([stopped, patience]);
      await end();
    },
    overview: (language) => requests.ask({ name: 'overview', language }, overview),
    settings: () => requests.ask({ name: 'settings' }, shellSettings),
    syncAll: () => ask('syncAll'),
    pauseAll: (until) => requests.ask({ name: 'pauseAll', until }, nothing),
    resumeAll: () => ask('resumeAll'),
    windowLink: () => requests.ask({ name: 'windowLink' }, z.url()),
    suspend: () => tell('suspend'),
    resume: () => tell('resume'),
  };
}
