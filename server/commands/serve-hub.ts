import { resolve } from 'node:path';
import { Hub, type Served } from '../node/hub/hub.ts';
import type { Answering, RelayPlaces } from '../node/hub/relay.ts';
import { FootbridgeNode, type NodeOptions } from '../node/node.ts';
import { hubSecret } from './hub-secret.ts';
import { stopAsked, tellReady, windowHint } from './running.ts';
import { noteHubWindow } from './window.ts';
import type { ServeOptions } from './serve-options.ts';

/** The node of a database, whenever no other process serves it. */
export async function serveHub(
  nodeOptions: NodeOptions,
  options: ServeOptions,
  address: string,
): Promise<void> {
  const hub = new Hub({
    address,
    secret: await hubSecret(),
    dataDir: nodeOptions.dataDir,
    log: nodeOptions.log,
    onWaiting: () => tellWaiting(options),
    onAnswering: (where) => tellAnswering(where, options),
    places: placesOf(nodeOptions),
    inlet: options.inlet,
  });
  const run = hub.run((storage, at) =>
    serveShared({ ...nodeOptions, ...at.places, ...at.node, storage }, options),
  );
  void stopAsked(() => {
    hub.stop();
    return run;
  });
  await run;
}

/** The node of a database, while this process serves it. */
async function serveShared(nodeOptions: NodeOptions, options: ServeOptions): Promise<Served> {
  const node = new FootbridgeNode(nodeOptions);
  const ready = await node.start();
  await noteHubWindow(ready.dataDir, ready.window).catch(() => undefined);
  const closePage = tellReady(ready, options);
  return {
    place() {
      if (!node.listening) return undefined;
      const { federation, window } = node.listening;
      return {
        federation: { host: federation.host, port: federation.port },
        window: window.port,
        isEncrypted: node.isEncrypted,
      };
    },
    // While it moves to another address it serves nobody.
    take: (to, socket, from) => (node.listening ? node.listening[to].take(socket, from) : socket.destroy()),
    link: (base) => node.windowLink(base),
    async end(how) {
      closePage();
      await node.stop(how);
    },
  };
}

const placesOf = ({ host, port, windowPort }: NodeOptions): RelayPlaces => ({
  ...(host === undefined ? {} : { host }),
  ...(port === undefined ? {} : { port }),
  ...(windowPort === undefined ? {} : { windowPort }),
});

function tellAnswering(where: Answering, options: ServeOptions): void {
  const { json } = options;
  void noteHubWindow(resolve(options.data), where.window).catch(() => undefined);
  process.stdout.write(
    json
      ? `${JSON.stringify({ event: 'answering', ...where, pid: process.pid })}\n`
      : where.problem === undefined
        ? `Until then it answers for it, at ${options.publicUrl ?? where.federation}. ${windowHint(where.window, resolve(options.data))}\n\n`
        : `${where.problem} Callers here wait in vain until it can: let no firewall stand in between, or start that one with --inlet and an address that this computer reaches.\n`,
  );
}

function tellWaiting({ json }: ServeOptions): void {
  process.stdout.write(
    json
      ? `${JSON.stringify({ event: 'waiting', pid: process.pid })}\n`
      : 'Another process serves this office. This one waits, and takes over when that one ends.\n',
  );
}
