import { resolve } from 'node:path';
import { multistream } from 'pino';
import { createLog, logFiles } from '../node/log.ts';
import { FootbridgeNode, type NodeOptions } from '../node/node.ts';
import { CommandFailure } from './failure.ts';
import { openBrowser } from './open-browser.ts';
import { windowFiles } from './window-files.ts';

export interface ServeOptions {
  readonly data: string;
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

  const node = new FootbridgeNode({
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
  });

  let closePage = (): void => undefined;
  const stopped = new Promise<void>((done) => {
    let stopping = false;
    const stop = (): void => {
      if (stopping) return;
      stopping = true;
      setTimeout(() => process.exit(0), STOP_MS).unref();
      void node.stop().finally(() => {
        files.end();
        done();
      });
    };
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
  });

  const ready = await node.start();
  if (options.json) {
    process.stdout.write(`${JSON.stringify({ event: 'ready', ...ready, pid: process.pid })}\n`);
  } else {
    process.stdout.write(
      `Footbridge is running. Its window, for this computer and the next ten minutes:\n\n  ${ready.window}\n\n` +
        `Partners reach it at ${ready.federation}\nIts data lies in ${ready.dataDir}\nCtrl+C stops it.\n`,
    );
    if (options.open) closePage = openBrowser(ready.window, dataDir);
  }
  await stopped;
  closePage();
}

function certificateOf({ tlsCert, tlsKey }: ServeOptions): Pick<NodeOptions, 'certificate'> {
  if (tlsCert === undefined && tlsKey === undefined) return {};
  if (tlsCert === undefined || tlsKey === undefined)
    throw new CommandFailure('Give --tls-cert and --tls-key together.');
  return { certificate: { cert: resolve(tlsCert), key: resolve(tlsKey) } };
}
