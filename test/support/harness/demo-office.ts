import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { Office } from '../../../server/commands/demo-office.ts';
import { FootbridgeNode, type NodeOptions } from '../../../server/node/node.ts';

/** A real node in a temporary folder, with the client that the demo uses to speak to it. */
export interface TestOffice {
  readonly node: FootbridgeNode;
  readonly office: Office;
  readonly dataDir: string;
  stop(): Promise<void>;
}

const log = pino({ level: process.env.FOOTBRIDGE_LOG ?? 'silent' }, pino.destination(2));

/** Starts a node on free ports; partners on this computer are allowed. Give `dataDir` to start one again. */
export async function startOffice(name: string, options: Partial<NodeOptions> = {}): Promise<TestOffice> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'footbridge-test-')));
  const node = new FootbridgeNode({
    port: 0,
    windowPort: 0,
    label: name,
    syncIntervalMs: 60_000,
    allowLoopbackPartners: true,
    log,
    ...options,
    dataDir,
  });
  const office = new Office(name, node, await node.start());
  return { node, office, dataDir, stop: () => node.stop() };
}

/** Stops the nodes and removes their folders. */
export async function clearOffices(...offices: readonly (TestOffice | undefined)[]): Promise<void> {
  for (const each of offices) {
    if (!each) continue;
    await each.stop();
    await rm(each.dataDir, { recursive: true, force: true });
  }
}

/** Pairs two offices in shape 1; answers each one's id of the other. */
export async function pair(origin: Office, destination: Office): Promise<{ there: string; here: string }> {
  const invite = await origin.invite(destination);
  const here = await destination.accept(invite.uri);
  await origin.confirm(invite.nodeID);
  return { there: invite.nodeID, here };
}
