import { resolve } from 'node:path';
import { plainName } from '../base/plain-name.ts';
import { createLog, openLogFiles, LOG_LEVELS, combineStreams } from '../node/log.ts';
import { FootbridgeNode, type NodeOptions } from '../node/node.ts';
import { CommandFailure } from './failure.ts';
import { stopOnSignal, printReady } from './shutdown-signals.ts';
import type { ServeOptions } from './serve-options.ts';
import { showWindow, saveHubWindowLink } from './window.ts';
import { windowFiles } from './window-files.ts';
import { LOOPBACK } from '../base/loopback.ts';
import type { Served } from '../node/hub/hub.ts';
import { hubSecret } from './hub-secret.ts';

/**
 * `footbridge serve`: runs the node until a stop signal. With `orShow`, if one already serves this folder, only shows
 * its window. Deletes `FOOTBRIDGE_STORE` from the environment, as it may contain a password.
 */
export async function serve(options: ServeOptions): Promise<void> {
  const dataDir = resolve(options.data);
  // May contain a password.
  delete process.env.FOOTBRIDGE_STORE;
  const level = logLevel();
  if (options.orShow && options.store === undefined && (await showWindow(dataDir, options.open))) return;
  const files = await openLogFiles(dataDir);
  const log = createLog(combineStreams(options.json ? [files, process.stderr] : [files]), level);

  const nodeOptions: NodeOptions = {
    dataDir,
    ...(options.host === undefined ? {} : { host: options.host }),
    ...(options.port === undefined ? {} : { port: options.port }),
    ...(options.windowPort === undefined ? {} : { windowPort: options.windowPort }),
    ...(options.tunnelPort === undefined ? {} : { tunnelPort: options.tunnelPort }),
    ...(options.publicUrl === undefined ? {} : { publicUrl: options.publicUrl }),
    ...certificateOf(options),
    ...(options.allowPlainPartners ? { plainPartners: true } : {}),
    ...(options.trustedProxies === undefined ? {} : { trustedProxies: options.trustedProxies }),
    ...(options.label === undefined ? {} : { label: options.label }),
    ...(options.syncInterval === undefined ? {} : { syncIntervalMs: options.syncInterval }),
    windowDir: windowFiles(),
    allowLoopbackPartners: options.allowLoopbackPartners,
    remoteManagement: options.remoteManagement,
    log,
  };
  try {
    if (options.store === undefined) await serveFolder(nodeOptions, options);
    else await serveHub(nodeOptions, options, options.store);
  } finally {
    files.end();
  }
}

/** Runs a node on the data folder and prints where it is; resolves once a stop signal has stopped it. */
async function serveFolder(nodeOptions: NodeOptions, options: ServeOptions): Promise<void> {
  const node = new FootbridgeNode(nodeOptions);
  const stopped = stopOnSignal(() => node.stop());
  const closePage = printReady(await node.start(), options);
  await stopped;
  closePage();
}

/** Returns the level in `FOOTBRIDGE_LOG`, default `info`. Throws `CommandFailure` for an unknown level. */
function logLevel(): string {
  const { FOOTBRIDGE_LOG: level = 'info' } = process.env;
  if (LOG_LEVELS.includes(level)) return level;
  throw new CommandFailure(
    `FOOTBRIDGE_LOG is set to “${plainName(level)}”, which is no level of the log. Set it to one of these: ${LOG_LEVELS.join(', ')}.`,
    2,
  );
}

/** Returns the absolute paths of certificate and key, if given. Throws `CommandFailure` for only one of the two. */
function certificateOf({ tlsCert, tlsKey }: ServeOptions): Pick<NodeOptions, 'certificate'> {
  if (tlsCert === undefined && tlsKey === undefined) return {};
  if (tlsCert === undefined || tlsKey === undefined)
    throw new CommandFailure('Give --tls-cert and --tls-key together.');
  return { certificate: { cert: resolve(tlsCert), key: resolve(tlsKey) } };
}

const DEFAULT_PORT = 7420;

/** Serves a database's office whenever no other process does; resolves after a stop signal. */
async function serveHub(nodeOptions: NodeOptions, options: ServeOptions, address: string): Promise<void> {
  const { dataDir, log, certificate, host = LOOPBACK, port = DEFAULT_PORT } = nodeOptions;
  const { Hub } = await import('../node/hub/hub.ts');
  const hub = new Hub({
    ...{ address, dataDir, log, secret: await hubSecret(), place: { host, port } },
    ...(options.lease === undefined ? {} : { leaseMs: options.lease }),
    ...(certificate ? { certificate } : {}),
    onStandby: (problem) => printStandby(options, problem),
  });
  const run = hub.run((storage, isOver) => serveShared({ ...nodeOptions, storage, isOver }, options));
  void stopOnSignal(() => {
    hub.stop();
    return run;
  });
  await run;
}

/**
 * Starts a node on the database's storage, stores a link into its window and prints where it is. Returns how to end the
 * node.
 */
async function serveShared(nodeOptions: NodeOptions, options: ServeOptions): Promise<Served> {
  const node = new FootbridgeNode(nodeOptions);
  const ready = await node.start();
  await saveHubWindowLink(ready.dataDir, ready.window).catch(() => undefined);
  const closePage = printReady(ready, options);
  return {
    /** Stops the node, and removes the browser's page. */
    async end(how) {
      closePage();
      await node.stop(how);
    },
  };
}

/**
 * Prints, and saves for other commands, that this process is on standby.
 * @param problem why it can't answer health checks
 */
function printStandby({ json, data }: ServeOptions, problem: string | undefined): void {
  void saveHubWindowLink(resolve(data), undefined).catch(() => undefined);
  process.stdout.write(
    json
      ? `${JSON.stringify({ event: 'standby', pid: process.pid, ...(problem === undefined ? {} : { problem }) })}\n`
      : `Another process serves this office. This one is on standby and takes over when that one ends.\n${
          problem === undefined ? '' : `It cannot answer health checks meanwhile: ${problem}\n`
        }`,
  );
}
