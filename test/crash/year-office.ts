import { pino } from 'pino';
import { createIds } from '../../server/base/ids.ts';
import type { Node } from '../../server/federation/model.ts';
import { NODES } from '../../server/federation/tables.ts';
import { startRetention } from '../../server/node/retention.ts';
import { createFolderStorage } from '../../server/node/storage/folder-storage.ts';
import { openParts, type Parts } from '../../server/node/parts.ts';
import { openHistory, type History } from '../../server/sync/status/history.ts';
import { openListStates, type ListStates } from '../../server/sync/status/list-states.ts';
import type { CountingDisk } from '../support/faults/disk-count.ts';
import type { ManualClock } from '../support/harness/manual-clock.ts';
import { customers } from '../support/data/office-lists.ts';

export const MINUTE = 60_000;
const { columns: COLUMNS } = customers({ rows: 1 });

export interface Partner {
  node: Node;
  exposureID: string;
  /** Our list that is shared with it, and the one that receives from it. */
  readonly shared: string;
  readonly into: string;
  read: { epoch: string; after: number } | undefined;
}

/** What an office has while it runs; others after each start. */
interface Running {
  readonly parts: Parts;
  readonly history: History;
  readonly states: ListStates;
  readonly stop: () => Promise<void>;
}

export interface Office {
  running: Running;
  readonly clock: ManualClock;
  readonly disk: CountingDisk;
  readonly dataDir: string;
  /** Lists that are shared. */
  readonly shared: readonly string[];
  readonly partners: Partner[];
}

const quiet = (): void => undefined;

export async function start({
  clock,
  disk,
  dataDir,
}: Pick<Office, 'clock' | 'disk' | 'dataDir'>): Promise<Running> {
  const log = pino({ level: 'silent' });
  const parts = await openParts({
    storage: createFolderStorage({ dataDir, clock, disk: disk.disk }),
    ...{ clock, log, seed: {}, allowLoopbackPartners: true },
    interval: () => MINUTE,
    ownAddress: () => ({ listener: 'http://127.0.0.1:7420/federation' }),
    ownPorts: () => [],
    events: {
      ...{ onStatus: quiet, onProgress: quiet, onActivity: quiet, federation: quiet },
      ...{ lists: quiet, listFile: quiet, settings: quiet },
      ...{ views: quiet, stranger: quiet, served: quiet },
    },
  });
  const { system } = parts;
  const history = await openHistory({ system, clock, ids: createIds(clock), onActivity: quiet });
  const stopKeeping = startRetention({ ...parts, history, clock, log });
  return {
    ...{ parts, history, states: await openListStates(parts.system) },
    async stop() {
      await stopKeeping();
      await parts.sync.stop();
      parts.federation.watch.stop();
      parts.timers.end();
      await parts.store.close();
    },
  };
}

/** The office is closed, and started again. */
export async function startAgain(office: Office): Promise<void> {
  await office.running.stop();
  office.running = await start(office);
}

/** Lists of an office, each shared with some of the partners, and lists for what they send. */
export async function furnish(
  parts: Parts,
  plan: { readonly partners: number; readonly lists: number; readonly rows: number },
): Promise<Pick<Office, 'shared' | 'partners'>> {
  const { lists } = parts;
  const { namespaceID } = await lists.defaultNamespace();
  const fields = COLUMNS.map((name) => ({ kind: 'String' as const, name }));
  const shared: string[] = [];
  const receiving: string[] = [];
  for (let index = 0; index < plan.lists; index++) {
    const own = await lists.createModule(namespaceID, { name: `Customers ${index}`, fields });
    const rows = await lists.rows(own.moduleID);
    const content = customers({ rows: plan.rows, seed: index }).rows;
    await rows.createMany(
      content.map((row) => Object.fromEntries(Object.entries(row).map(([name, text]) => [name, [text]]))),
      '1',
    );
    shared.push(own.moduleID);
    receiving.push((await lists.createModule(namespaceID, { name: `Theirs ${index}`, fields })).moduleID);
  }
  const partners: Partner[] = [];
  for (let index = 0; index < plan.partners; index++) {
    const [list, into] = [shared[index % plan.lists], receiving[index % plan.lists]];
    if (list === undefined || into === undefined) throw new Error('There is no list to share.');
    const created = await parts.federation.nodes.create({ name: `Office ${index}` }, '1');
    partners.push({ ...(await connect(parts, created, list)), shared: list, into, read: undefined });
  }
  return { shared, partners };
}

/** What both sides' yes comes to: it is connected, has a token that it uses, and a list is shared with it. */
export async function connect(
  { system, federation }: Parts,
  created: Node,
  shared: string,
): Promise<Pick<Partner, 'node' | 'exposureID'>> {
  const node: Node = { ...created, status: 'paired', role: 'invitee', footbridge: true };
  await system.transaction((tx) => tx.put(NODES, node.nodeID, node));
  const { token } = await federation.tokens.renew(node.nodeID);
  await federation.tokens.verify(token);
  const fields = COLUMNS.map((name) => ({ name }));
  const input = { composeModuleID: shared, fields, shape: 1 as const };
  const { moduleID } = await federation.exposures.expose(node.nodeID, input, '1');
  return { node, exposureID: moduleID };
}
