import { resolve } from 'node:path';
import { LOOPBACK } from '../base/loopback.ts';
import { Hub, type Served } from '../node/hub/hub.ts';
import { FootbridgeNode, type NodeOptions } from '../node/node.ts';
import { hubSecret } from './hub-secret.ts';
import { stopOnSignal, printReady } from './shutdown-signals.ts';
import { noteHubWindow } from './window.ts';
import type { ServeOptions } from './serve-options.ts';

const DEFAULT_PORT = 7420;

/** Serves the office of a database whenever no other process does; resolves after a stop signal. */
export async function serveHub(
  nodeOptions: NodeOptions,
  options: ServeOptions,
  address: string,
): Promise<void> {
  const { dataDir, log, certificate, host = LOOPBACK, port = DEFAULT_PORT } = nodeOptions;
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

/** Starts a node on the database's storage, notes and prints where its window is, and returns how to end it. */
async function serveShared(nodeOptions: NodeOptions, options: ServeOptions): Promise<Served> {
  const node = new FootbridgeNode(nodeOptions);
  const ready = await node.start();
  await noteHubWindow(ready.dataDir, ready.window).catch(() => undefined);
  const closePage = printReady(ready, options);
  return {
    async end(how) {
      closePage();
      await node.stop(how);
    },
  };
}

/** Notes and prints that this process is on standby. @param problem why it can't answer health checks */
function printStandby({ json, data }: ServeOptions, problem: string | undefined): void {
  void noteHubWindow(resolve(data), undefined).catch(() => undefined);
  process.stdout.write(
    json
      ? `${JSON.stringify({ event: 'standby', pid: process.pid, ...(problem === undefined ? {} : { problem }) })}\n`
      : `Another process serves this office. This one is on standby and takes over when that one ends.\n${
          problem === undefined ? '' : `It cannot answer health checks meanwhile: ${problem}\n`
        }`,
  );
}
