import { createLog } from '../../server/node/log.ts';
import { FootbridgeNode } from '../../server/node/node.ts';
import { createSecretBox } from '../../server/store/files/secrets.ts';
import { packFailure } from './failures.ts';
import { toNode, type FromNode, type NodeRequest, type NodeStart } from './messages.ts';

/** The way to the shell, as a utility process of Electron has it. */
export interface ShellPort {
  on(event: 'message', listener: (message: { data: unknown }) => void): unknown;
  postMessage(message: FromNode): void;
}

/**
 * Runs a node for the shell at the other end of `port`, which ends this process when it is done with it. When the shell is
 * gone itself, killed above all, Electron ends it.
 */
export function serveNode(port: ShellPort): void {
  const post = (message: FromNode): void => port.postMessage(message);
  const crashed = (error: unknown, during: string): void =>
    post({ type: 'crash', failure: packFailure(error), during });
  process.on('uncaughtException', (error) => crashed(error, 'uncaught exception'));
  process.on('unhandledRejection', (error) => crashed(error, 'unhandled rejection'));

  // A terminal means both processes with these; it is the shell that ends this one, in order.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);

  let node: FootbridgeNode | undefined;
  const now = (): FootbridgeNode => {
    if (!node) throw new Error('The node was not started.');
    return node;
  };

  async function start(options: NodeStart): Promise<void> {
    if (node) throw new Error('The node was started already.');
    node = nodeOf(options, (line) => post({ type: 'log', line }));
    node.onChange((event) => post({ type: 'event', event }));
    await node.start();
  }

  function answerTo(request: NodeRequest): unknown {
    switch (request.name) {
      case 'start':
        return start(request.options);
      case 'overview':
        return now().overview(request.language);
      case 'pauseAll':
        return now().pauseAll(request.until);
      default:
        return now()[request.name]();
    }
  }

  port.on('message', ({ data }) => {
    const { id, request } = toNode.parse(data);
    Promise.resolve(request)
      .then(answerTo)
      .then(
        (answer) => post({ type: 'answer', id, answer }),
        (error: unknown) => post({ type: 'refusal', id, failure: packFailure(error) }),
      );
  });
}

/** @param writeLog the shell writes the files of the log: two processes would roll them away under each other */
function nodeOf(options: NodeStart, writeLog: (line: string) => void): FootbridgeNode {
  const { secrets, logLevel, port, windowPort, ...plain } = options;
  return new FootbridgeNode({
    ...plain,
    ...(port === undefined ? {} : { port }),
    ...(windowPort === undefined ? {} : { windowPort }),
    secrets: createSecretBox(Buffer.from(secrets.key, 'hex'), secrets.protection),
    log: createLog({ write: writeLog }, logLevel),
  });
}
