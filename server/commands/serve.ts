import { resolve } from 'node:path';
import { multistream } from 'pino';
import { createLog, logFiles } from '../node/log.ts';
import { Hub } from '../node/hub.ts';
import { FootbridgeNode, type NodeOptions, type Ready } from '../node/node.ts';
import { CommandFailure } from './failure.ts';
import { hubSecret } from './hub-secret.ts';
import { openBrowser } from './open-browser.ts';
import { windowFiles } from './window-files.ts';

export interface ServeOptions {
  readonly data: string;
  /** The address of a database in which the office is kept, instead of in the data folder. */
  readonly store?: string;
  readonly port?: number;
  readonly host?: string;
  readonly windowPort?: number;
  readonly publicUrl?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly allowPlainPartners?: true;
  readonly label?: string;
  /** Milliseconds. */
  readonly syncInterval?: number;
  readonly allowLoopbackPartners: boolean;
  readonly remoteManagement: boolean;
  readonly json: boolean;
  readonly open: boolean;
}

/** How long a stop may take before the process ends anyway (docs/architecture.md: Start and stop). */
const STOP_MS = 2_000;

/** `footbridge serve`: runs the node headless until SIGTERM or SIGINT; resolves when it has stopped. */
export async function serve(options: ServeOptions): Promise<void> {
  const dataDir = resolve(options.data);
  const files = await logFiles(dataDir);
  const streams = multistream([{ stream: files }, ...(options.json ? [{ stream: process.stderr }] : [])]);
  const log = createLog(streams, process.env.FOOTBRIDGE_LOG ?? 'info');

  const nodeOptions: NodeOptions = {
    dataDir,
    ...(options.host === undefined ? {} : { host: options.host }),
    ...(options.port === undefined ? {} : { port: options.port }),
    ...(options.windowPort === undefined ? {} : { windowPort: options.windowPort }),
    ...(options.publicUrl === undefined ? {} : { publicUrl: options.publicUrl }),
    ...certificateOf(options),
    ...(options.allowPlainPartners ? { plainPartners: true } : {}),
    ...(options.label === undefined ? {} : { label: options.label }),
    ...(options.syncInterval === undefined ? {} : { syncIntervalMs: options.syncInterval }),
    windowDir: windowFiles(),
    allowLoopbackPartners: options.allowLoopbackPartners,
    remoteManagement: options.remoteManagement,
    log,
  };
  try {
    if (options.store === undefined) await serveHere(nodeOptions, options);
    else await serveHub(nodeOptions, options, options.store);
  } finally {
    files.end();
  }
}

/** The node of a data folder. */
async function serveHere(nodeOptions: NodeOptions, options: ServeOptions): Promise<void> {
  const node = new FootbridgeNode(nodeOptions);
  const stopped = stopAsked(() => node.stop());
  const closePage = tellReady(await node.start(), options);
  await stopped;
  closePage();
}

/** The node of a database, whenever no other process serves it. */
async function serveHub(nodeOptions: NodeOptions, options: ServeOptions, address: string): Promise<void> {
  const hub = new Hub({
    address,
    secret: await hubSecret(),
    dataDir: nodeOptions.dataDir,
    log: nodeOptions.log,
    onWaiting: () => tellWaiting(options),
  });
  const run = hub.run(async (storage) => {
    const node = new FootbridgeNode({ ...nodeOptions, storage });
    const closePage = tellReady(await node.start(), options);
    return async () => {
      closePage();
      await node.stop();
    };
  });
  void stopAsked(() => {
    hub.stop();
    return run;
  });
  await run;
}

/** Resolves when the process was told to end, and `stop` has ended. */
function stopAsked(stop: () => Promise<void>): Promise<void> {
  return new Promise<void>((done) => {
    let stopping = false;
    const begin = (): void => {
      if (stopping) return;
      stopping = true;
      setTimeout(() => process.exit(0), STOP_MS).unref();
      stop()
        .finally(done)
        .catch(() => undefined);
    };
    process.on('SIGTERM', begin);
    process.on('SIGINT', begin);
  });
}

/** Says where the node is; answers how the page that was opened for it is closed. */
function tellReady(ready: Ready, { json, open, store }: ServeOptions): () => void {
  if (json) {
    process.stdout.write(`${JSON.stringify({ event: 'ready', ...ready, pid: process.pid })}\n`);
    return () => undefined;
  }
  process.stdout.write(
    `Footbridge is running. Its window, for this computer and the next ten minutes:\n\n  ${ready.window}\n\n` +
      `Partners reach it at ${ready.federation}\nIts data lies in ${store === undefined ? ready.dataDir : 'the database'}\nCtrl+C stops it.\n`,
  );
  return open ? openBrowser(ready.window, ready.dataDir) : () => undefined;
}

function tellWaiting({ json }: ServeOptions): void {
  process.stdout.write(
    json
      ? `${JSON.stringify({ event: 'waiting', pid: process.pid })}\n`
      : 'Another process serves this office. This one waits, and takes over when that one ends.\n',
  );
}

function certificateOf({ tlsCert, tlsKey }: ServeOptions): Pick<NodeOptions, 'certificate'> {
  if (tlsCert === undefined && tlsKey === undefined) return {};
  if (tlsCert === undefined || tlsKey === undefined)
    throw new CommandFailure('Give --tls-cert and --tls-key together.');
  return { certificate: { cert: resolve(tlsCert), key: resolve(tlsKey) } };
}
