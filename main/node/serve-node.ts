import { createLog } from '../../server/node/log.ts';
import { FootbridgeNode } from '../../server/node/node.ts';
import { createSecretBox } from '../../server/store/files/secrets.ts';
import { packFailure } from './failures.ts';
import { toNode, type FromNode, type NodeRequest, type NodeStart } from './messages.ts';

/** The system may fetch a script to name a proxy. */
const PROXY_MS = 5_000;

export interface ShellPort {
  on(event: 'message', listener: (message: { data: unknown }) => void): unknown;
  postMessage(message: FromNode): void;
}

/**
 * Serves the shell at the other end of `port`: starts the node when asked, answers, and sends events, log lines and
 * uncaught errors. Never ends this process: the shell does, or Electron when the shell is gone.
 */
export function serveNode(port: ShellPort): void {
  const post = (message: FromNode): void => port.postMessage(message);
  const crashed = (error: unknown, during: string): void =>
    post({ type: 'crash', failure: packFailure(error), during });
  process.on('uncaughtException', (error) => crashed(error, 'uncaught exception'));
  process.on('unhandledRejection', (error) => crashed(error, 'unhandled rejection'));

  // A terminal signals both processes; the shell ends this one, in order.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);

  const questions = new Map<number, (proxies: string) => void>();
  let asked = 0;
  /** Asks the shell for an address's proxy; `DIRECT` if it doesn't answer within 5 seconds. */
  function resolveProxy(url: string): Promise<string> {
    const question = ++asked;
    return new Promise<string>((resolve) => {
      questions.set(question, resolve);
      setTimeout(() => resolve('DIRECT'), PROXY_MS).unref();
      post({ type: 'proxy', question, url });
    }).finally(() => questions.delete(question));
  }

  let node: FootbridgeNode | undefined;
  /** Returns the node. Throws before the start. */
  const requireNode = (): FootbridgeNode => {
    if (!node) throw new Error('The node was not started.');
    return node;
  };

  /** Creates and starts the node. Throws if it was created before, or can't start. */
  async function startNode(options: NodeStart): Promise<void> {
    if (node) throw new Error('The node was started already.');
    node = createNode(options, resolveProxy, (line) => post({ type: 'log', line }));
    node.onChange((event) => post({ type: 'event', event }));
    await node.start();
  }

  /** Performs a request of the shell. Before the start, throws for all but the start and a proxy's answer. */
  function performRequest(request: NodeRequest): unknown {
    switch (request.name) {
      case 'start':
        return startNode(request.options);
      case 'proxy':
        questions.get(request.question)?.(request.proxies);
        return undefined;
      case 'overview':
        return requireNode().overview(request.language);
      case 'pauseAll':
        return requireNode().pauseAll(request.until);
      default:
        return requireNode()[request.name]();
    }
  }

  port.on('message', ({ data }) => {
    const { id, request } = toNode.parse(data);
    Promise.resolve(request)
      .then(performRequest)
      .then(
        (answer) => post({ type: 'answer', id, answer }),
        (error: unknown) => post({ type: 'refusal', id, failure: packFailure(error) }),
      );
  });
}

/** Creates the node; the shell writes its log, as two processes would rotate the files. */
function createNode(
  options: NodeStart,
  resolveProxy: (url: string) => Promise<string>,
  writeLog: (line: string) => void,
): FootbridgeNode {
  const { secrets, logLevel, port, windowPort, ...plain } = options;
  return new FootbridgeNode({
    ...plain,
    resolveProxy,
    ...(port === undefined ? {} : { port }),
    ...(windowPort === undefined ? {} : { windowPort }),
    secrets: createSecretBox(Buffer.from(secrets.key, 'hex'), secrets.protection),
    log: createLog({ write: writeLog }, logLevel),
  });
}
