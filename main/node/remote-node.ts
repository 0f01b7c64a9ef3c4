import type { Logger } from 'pino';
import { z } from 'zod';
import { overview } from '../../server/contract/app/overview.ts';
import type { NodeListener, ShellNode } from '../shell/node-runner.ts';
import { unpackFailure } from './failures.ts';
import {
  fromNode,
  shellSettings,
  type FromNode,
  type NodeRequest,
  type NodeStart,
  type ToNode,
} from './messages.ts';

export interface NodeProcess {
  /** Undefined before and after the process. */
  readonly pid: number | undefined;
  postMessage(message: unknown): void;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  /** Reports a fatal engine error (out of memory); `exit` follows. */
  once(event: 'error', listener: (type: string, location: string) => void): unknown;
  once(event: 'exit', listener: (code: number) => void): unknown;
  kill(): boolean;
}

const nothing = z.undefined();

/**
 * Kills a process by SIGKILL, as a suspended one ignores other signals and would keep the data folder locked; nothing
 * if it has ended.
 */
function forceKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

interface RemoteNodeDeps {
  readonly fork: () => NodeProcess;
  readonly options: NodeStart;
  readonly hearer: NodeListener;
  readonly log: Logger;
  readonly resolveProxy: (url: string) => Promise<string>;
  readonly writeLog: (line: string) => void;
}

/**
 * A node in its own process, so that it never blocks the window. A crash rejects the start; later ones reach
 * the listener.
 */
export class RemoteNode implements ShellNode {
  readonly #deps: RemoteNodeDeps;
  readonly #child: NodeProcess;
  readonly #requests: ReturnType<typeof createRequests>;
  readonly #ended: Promise<void>;
  #state: 'starting' | 'running' | 'ending' = 'starting';
  /** The engine's fatal error. */
  #fatal = '';

  constructor(deps: RemoteNodeDeps) {
    const { log } = deps;
    this.#deps = deps;
    const child = deps.fork();
    this.#child = child;
    this.#requests = createRequests({ post: (message) => child.postMessage(message), log });
    child.on('message', (message) => {
      const { success, data, error } = fromNode.safeParse(message);
      if (success) this.#handleMessage(data);
      else log.error({ err: error }, 'the node said something unknown');
    });
    child.once('error', (type, location) => (this.#fatal = `, ${type} in ${location}`));
    this.#ended = new Promise((resolve) => {
      child.once('exit', (code) => {
        this.#handleExit(code);
        resolve();
      });
    });
  }

  /**
   * Starts the node. On failure kills the process and throws the node's `StoreError` or `ListenError`, or why it ended.
   */
  async start(): Promise<void> {
    try {
      await this.#requests.ask({ name: 'start', options: this.#deps.options }, nothing);
    } catch (error) {
      await this.#killAndWait();
      throw error;
    }
    if (this.#state === 'starting') this.#state = 'running';
  }

  /** Asks the node to stop and kills its process at most `withinMs` later; resolves at its end. Never rejects. */
  async stop(withinMs: number): Promise<void> {
    this.#state = 'ending';
    const patience = new Promise<void>((resolve) => setTimeout(resolve, withinMs).unref());
    const stopped = this.#ask('stop').catch((error: unknown) => this.#deps.log.error({ err: error }, 'stop'));
    await Promise.race([stopped, patience]);
    await this.#killAndWait();
  }

  overview(language: Parameters<ShellNode['overview']>[0]): ReturnType<ShellNode['overview']> {
    return this.#requests.ask({ name: 'overview', language }, overview);
  }
  settings(): ReturnType<ShellNode['settings']> {
    return this.#requests.ask({ name: 'settings' }, shellSettings);
  }
  syncAll(): Promise<void> {
    return this.#ask('syncAll');
  }
  pauseAll(until: Parameters<ShellNode['pauseAll']>[0]): Promise<void> {
    return this.#requests.ask({ name: 'pauseAll', until }, nothing);
  }
  /** Ends all partners' pauses. {@link resume} is for the computer's sleep. */
  resumeAll(): Promise<void> {
    return this.#ask('resumeAll');
  }
  windowLink(): Promise<string> {
    return this.#requests.ask({ name: 'windowLink' }, z.url());
  }
  /** Tells the node that the computer suspends; doesn't wait, logs a failure. */
  suspend(): void {
    this.#send('suspend');
  }
  /** Tells the node that the computer resumed; doesn't wait, logs a failure. */
  resume(): void {
    this.#send('resume');
  }

  /** Handles an answer, event (only while running), crash, log line or proxy question of the node's process. */
  #handleMessage(message: FromNode): void {
    switch (message.type) {
      case 'answer':
        this.#requests.answer(message.id, message.answer);
        break;
      case 'refusal':
        this.#requests.refuse(message.id, unpackFailure(message.failure));
        break;
      case 'event':
        if (this.#state === 'running') this.#deps.hearer.event(message.event);
        break;
      case 'crash':
        this.#handleCrash(unpackFailure(message.failure), message.during);
        break;
      case 'log':
        this.#deps.writeLog(message.line);
        break;
      case 'proxy':
        void this.#answerProxy(message);
        break;
    }
  }

  /** Answers the node's question for a proxy; `DIRECT` if the system can't tell. */
  async #answerProxy({ question, url }: Extract<FromNode, { type: 'proxy' }>): Promise<void> {
    const { resolveProxy, log } = this.#deps;
    const warn = (error: unknown): void => log.warn({ err: error }, 'the proxy of the system is not known');
    const proxies = await Promise.resolve(url)
      .then(resolveProxy)
      .catch((error: unknown) => {
        warn(error);
        return 'DIRECT';
      });
    await this.#requests.ask({ name: 'proxy', question, proxies }, nothing).catch(warn);
  }

  /**
   * Handles an uncaught error of the node: during the start rejects all requests, while running calls the listener,
   * while ending only logs.
   */
  #handleCrash(error: Error, during: string): void {
    const { hearer, log } = this.#deps;
    if (this.#state === 'starting') this.#requests.end(error);
    if (this.#state === 'running') hearer.crashed(error, during);
    if (this.#state === 'ending') log.warn({ err: error, during }, 'while the node was stopping');
  }

  /**
   * Handles the end of the node's process: rejects all pending and later requests, and reports a crash if the node ran.
   */
  #handleExit(code: number): void {
    const error = new Error(`The process of the node ended by itself (${code}${this.#fatal}).`);
    this.#requests.end(error);
    if (this.#state === 'running') this.#deps.hearer.crashed(error, 'the process of the node');
    this.#state = 'ending';
  }

  /** Sends a request without parameters. Rejects if the node refuses or its process ends. */
  #ask(name: Exclude<NodeRequest['name'], 'start' | 'overview' | 'pauseAll' | 'proxy'>): Promise<void> {
    return this.#requests.ask({ name }, nothing);
  }

  /** Sends a request without waiting; logs a failure. */
  #send(name: 'suspend' | 'resume'): void {
    void this.#ask(name).catch((error: unknown) => this.#deps.log.warn({ err: error }, name));
  }

  /** Kills the node's process; resolves when it has ended. */
  async #killAndWait(): Promise<void> {
    this.#state = 'ending';
    const { pid } = this.#child;
    this.#child.kill();
    if (pid !== undefined) forceKill(pid);
    await this.#ended;
  }
}

interface Requests {
  ask<T>(request: NodeRequest, answers: z.ZodType<T>): Promise<T>;
  answer(id: number, answer: unknown): void;
  refuse(id: number, error: Error): void;
  end(error: Error): void;
}

/** Creates the list of requests that wait for the other process, which gets them by `post`. */
function createRequests(deps: { post: (message: ToNode) => void; log: Logger }): Requests {
  const waiting = new Map<number, { resolve: (answer: unknown) => void; reject: (error: Error) => void }>();
  let last = 0;
  let over: Error | undefined;

  /** Returns and removes the request of this id; undefined for an unknown one. */
  function takePending(id: number): ReturnType<typeof waiting.get> {
    const one = waiting.get(id);
    waiting.delete(id);
    return one;
  }

  return {
    /**
     * Sends a request. Returns the answer, parsed by `answers`. Throws the other side's refusal, `end`'s error, or the
     * schema's, which is logged.
     */
    async ask(request, answers) {
      if (over) throw over;
      const id = ++last;
      const answer = new Promise<unknown>((resolve, reject) => waiting.set(id, { resolve, reject }));
      deps.post({ id, request });
      const { success, data, error } = answers.safeParse(await answer);
      if (success) return data;
      deps.log.error({ err: error, request: request.name }, 'the node answered something unknown');
      throw error;
    },
    answer: (id, answer) => takePending(id)?.resolve(answer),
    refuse: (id, error) => takePending(id)?.reject(error),
    /** Rejects all pending and later requests with this error. */
    end(error) {
      over = error;
      for (const id of [...waiting.keys()]) takePending(id)?.reject(error);
    },
  };
}
