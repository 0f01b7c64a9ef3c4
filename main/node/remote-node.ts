import type { Logger } from 'pino';
import { z } from 'zod';
import { overview } from '../../server/contract/app/overview.ts';
import type { NodeListener, ShellNode } from '../shell/node-runner.ts';
import { unpackFailure } from './failures.ts';
import { fromNode, shellSettings, type FromNode, type NodeRequest, type NodeStart } from './messages.ts';
import { createRequests } from './requests.ts';

/** The part of Electron's `UtilityProcess` by which the shell holds its node. */
export interface NodeProcess {
  /** Undefined before it runs and after it has ended. */
  readonly pid: number | undefined;
  postMessage(message: unknown): void;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  /** A fatal error of the engine, such as out of memory; `exit` follows. */
  once(event: 'error', listener: (type: string, location: string) => void): unknown;
  once(event: 'exit', listener: (code: number) => void): unknown;
  kill(): boolean;
}

const nothing = z.undefined();

/**
 * Kills a process that ignores other signals: a suspended one would keep the data folder locked after the app's
 * end. Ignores one that has ended.
 */
function killForGood(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Already gone.
  }
}

interface RemoteNodeDeps {
  readonly fork: () => NodeProcess;
  readonly options: NodeStart;
  readonly hearer: NodeListener;
  readonly log: Logger;
  /** Returns the proxies that the system names for a URL, as Chromium lists them. */
  readonly resolveProxy: (url: string) => Promise<string>;
  /** Receives a line of the node's log. */
  readonly writeLog: (line: string) => void;
}

/**
 * A node in a process of its own: its load never blocks the window, and when it ends the shell can report it.
 * After its start, a crash is reported to the listener; before, the start fails.
 */
export class RemoteNode implements ShellNode {
  readonly #deps: RemoteNodeDeps;
  readonly #child: NodeProcess;
  readonly #requests: ReturnType<typeof createRequests>;
  readonly #ended: Promise<void>;
  #state: 'starting' | 'running' | 'ending' = 'starting';
  /** The engine's fatal error. */
  #fatal = '';

  /** Starts the process and listens to it; the node in it starts with {@link start}. */
  constructor(deps: RemoteNodeDeps) {
    const { log } = deps;
    this.#deps = deps;
    const child = deps.fork();
    this.#child = child;
    this.#requests = createRequests({ post: (message) => child.postMessage(message), log });
    child.on('message', (message) => {
      const { success, data, error } = fromNode.safeParse(message);
      if (success) this.#handle(data);
      else log.error({ err: error }, 'the node said something unknown');
    });
    child.once('error', (type, location) => (this.#fatal = `, ${type} in ${location}`));
    this.#ended = new Promise((resolve) => {
      child.once('exit', (code) => {
        this.#exited(code);
        resolve();
      });
    });
  }

  /**
   * Starts the node in the process. Throws its `StoreError` or `ListenError`, or why the process ended; then the
   * process is gone.
   */
  async start(): Promise<void> {
    try {
      await this.#requests.ask({ name: 'start', options: this.#deps.options }, nothing);
    } catch (error) {
      await this.#end();
      throw error;
    }
    if (this.#state === 'starting') this.#state = 'running';
  }

  /** Asks the node to stop, waits up to `withinMs`, and kills its process. Never rejects. */
  async stop(withinMs: number): Promise<void> {
    this.#state = 'ending';
    const patience = new Promise<void>((resolve) => setTimeout(resolve, withinMs).unref());
    const stopped = this.#ask('stop').catch((error: unknown) => this.#deps.log.error({ err: error }, 'stop'));
    await Promise.race([stopped, patience]);
    await this.#end();
  }

  /** Returns the data of Home and the tray. */
  overview(language: Parameters<ShellNode['overview']>[0]): ReturnType<ShellNode['overview']> {
    return this.#requests.ask({ name: 'overview', language }, overview);
  }
  /** Returns the settings that the shell needs. */
  settings(): ReturnType<ShellNode['settings']> {
    return this.#requests.ask({ name: 'settings' }, shellSettings);
  }
  /** Pulls from all partners. */
  syncAll(): Promise<void> {
    return this.#ask('syncAll');
  }
  /** Pauses all partners, until this time (ISO 8601) if given. */
  pauseAll(until: Parameters<ShellNode['pauseAll']>[0]): Promise<void> {
    return this.#requests.ask({ name: 'pauseAll', until }, nothing);
  }
  /** Resumes all partners. */
  resumeAll(): Promise<void> {
    return this.#ask('resumeAll');
  }
  /** Returns a new one-time link into the window. */
  windowLink(): Promise<string> {
    return this.#requests.ask({ name: 'windowLink' }, z.url());
  }
  /** Tells the node that the computer goes to sleep; a failure is logged. */
  suspend(): void {
    this.#send('suspend');
  }
  /** Tells the node that the computer woke up; a failure is logged. */
  resume(): void {
    this.#send('resume');
  }

  /**
   * Handles a message of the node's process: settles a request, or passes on an event, a crash, a log line or a
   * question for a proxy.
   */
  #handle(message: FromNode): void {
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
        this.#crashed(unpackFailure(message.failure), message.during);
        break;
      case 'log':
        this.#deps.writeLog(message.line);
        break;
      case 'proxy':
        void this.#answerProxy(message);
        break;
    }
  }

  /** Asks the system for the proxy of a URL and sends the answer to the node: no proxy (`DIRECT`) if that fails. */
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
   * Handles an uncaught error of the node: fails its start, reports it to the listener, or only logs it while the
   * node stops.
   */
  #crashed(error: Error, during: string): void {
    const { hearer, log } = this.#deps;
    if (this.#state === 'starting') this.#requests.end(error);
    if (this.#state === 'running') hearer.crashed(error, during);
    if (this.#state === 'ending') log.warn({ err: error, during }, 'while the node was stopping');
  }

  /** Handles the end of the process: rejects pending requests, and reports a crash unless the node was to stop. */
  #exited(code: number): void {
    const error = new Error(`The process of the node ended by itself (${code}${this.#fatal}).`);
    this.#requests.end(error);
    if (this.#state === 'running') this.#deps.hearer.crashed(error, 'the process of the node');
    this.#state = 'ending';
  }

  /** Sends a request without arguments and without a result. */
  #ask(name: Exclude<NodeRequest['name'], 'start' | 'overview' | 'pauseAll' | 'proxy'>): Promise<void> {
    return this.#requests.ask({ name }, nothing);
  }

  /** Sends a request without waiting for the answer. */
  #send(name: 'suspend' | 'resume'): void {
    void this.#ask(name).catch((error: unknown) => this.#deps.log.warn({ err: error }, name));
  }

  /** Kills the node's process and resolves when it has ended. */
  async #end(): Promise<void> {
    this.#state = 'ending';
    const { pid } = this.#child;
    this.#child.kill();
    if (pid !== undefined) killForGood(pid);
    await this.#ended;
  }
}
