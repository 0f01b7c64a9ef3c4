import type { Federation } from '../../../server/federation/federation.ts';
import type { Node } from '../../../server/federation/model.ts';
import type { Dialect } from '../../../server/base/vocabulary.ts';
import { NODES } from '../../../server/federation/tables.ts';
import type { Lists } from '../../../server/lists/lists.ts';
import type { FieldInput } from '../../../server/lists/definitions/inputs.ts';
import type { Module } from '../../../server/lists/definitions/model.ts';
import { isOfList } from '../../../server/lists/rows/row-table.ts';
import { PEER_LIMITS } from '../../../server/peer/guard/limits.ts';
import { openPeer } from '../../../server/peer/peer.ts';
import { systemClock, type Clock } from '../../../server/base/clock.ts';
import { createIds, type Ids } from '../../../server/base/ids.ts';
import type { Disk } from '../../../server/store/files/disk.ts';
import type { DiskStore } from '../../../server/store/engine/open-store.ts';
import { StoreError } from '../../../server/store/store.ts';
import type { Activity } from '../../../server/sync/status/history.ts';
import type { Progress } from '../../../server/sync/schedule/progress.ts';
import type { OpenPartner } from '../../../server/sync/ports.ts';
import type { Sync } from '../../../server/sync/sync.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { openParts, pullEngine } from './parts.ts';
import { pairedNode } from '../data/paired-node.ts';

/** An office that receives: real store, lists, federation service and pull engine, without listeners. */
export interface ReceivingOffice {
  readonly store: DiskStore;
  readonly lists: Lists;
  readonly federation: Federation;
  readonly sync: Sync;
  readonly openPartner: OpenPartner;
  readonly ids: Ids;
  readonly activities: Activity[];
  readonly progress: Progress[];
  readonly dataDir: string;
  /** A partner with whom pairing is over and done with. */
  addPartner(partner: Partial<Node> & { baseURL: string; dialect?: Dialect }): Promise<Node>;
  /** Makes a list with these columns, and matches each with the offered column of the same name. */
  match(
    nodeID: string,
    fields: readonly FieldInput[],
    offer?: string,
  ): Promise<{ module: Module; sharedModuleID: string }>;
  /** Values of the list's rows outside the bin by their id at the partner: `{Name: 'a', City: 'b'}`. */
  received(moduleID: string): Promise<Map<string, Record<string, string>>>;
  /** Closes all without a word to anybody and opens it again on the same folder, of which `meanwhile` may make another. */
  restart(disk?: Disk, meanwhile?: () => Promise<unknown>): Promise<ReceivingOffice>;
  close(): Promise<void>;
}

export interface ReceivingOptions {
  readonly clock?: Clock;
  readonly interval?: number;
  readonly requestTime?: number;
  readonly gapTime?: number;
  readonly random?: () => number;
  readonly checkMemory?: (letters: number) => void;
  /** The disk to write to; {@link ReceivingOffice.restart} takes another one. */
  readonly disk?: Disk;
}

const INSTALLATION = 'receiving-office';

export async function receivingOffice(options: ReceivingOptions = {}): Promise<ReceivingOffice> {
  const { path, remove } = await temporaryFolder();
  return openOffice(path, remove, options);
}

/** Opens an office on a folder of the caller's, as a process that is killed does. */
async function openOffice(
  dataDir: string,
  remove: () => Promise<void>,
  options: ReceivingOptions = {},
): Promise<ReceivingOffice> {
  const clock = options.clock ?? systemClock;
  const ids = createIds(clock);
  const { disk } = options;
  const activities: Activity[] = [];
  const progress: Progress[] = [];
  const held: { sync?: Sync } = {};
  const parts = await openParts({
    ...{ dataDir, clock, ids, goesOnWithout: isOfList },
    ...(disk ? { disk } : {}),
    office: { installation: INSTALLATION, name: () => 'Receiver' },
    onChange: ({ nodeID }) => held.sync?.partnerChanged(nodeID),
    onReleased: async (nodeID, moduleID) => held.sync?.forgetList(nodeID, moduleID),
  });
  const { store, lists, federation } = parts;
  const limits = {
    ...PEER_LIMITS,
    requestTime: options.requestTime ?? 10_000,
    pageTime: options.requestTime ?? 10_000,
    ...(options.gapTime === undefined ? {} : { gapTime: options.gapTime }),
  };
  const openPartner: OpenPartner = (node, token) =>
    openPeer({
      baseURL: node.baseURL,
      dialect: node.dialect,
      footbridge: node.footbridge,
      certificate: node.certificate,
      sharedNodeID: node.sharedNodeID,
      token,
      ownNetwork: false,
      allowLoopback: true,
      ownPorts: () => [],
      limits,
    });
  const sync = await pullEngine(store, parts, {
    ...{ clock, ids, installation: INSTALLATION },
    interval: () => options.interval ?? 3_600_000,
    ...(options.random ? { random: options.random } : {}),
    ...(options.checkMemory ? { checkMemory: options.checkMemory } : {}),
    // What a disk that was made to fail brings about is no news.
    log: { error: (...what: unknown[]) => (options.disk ? undefined : console.error(...what)) },
    openPartner,
    onActivity: (activity) => activities.push(activity),
    onProgress: (news) => progress.push(news),
  });
  held.sync = sync;
  await federation.rowHandover.runPending();

  async function closeAll(): Promise<void> {
    // Where the disk is cut off, nothing can be ended in order; the rest is.
    await sync.stop().catch(unlessDiskFailed);
    await store.close().catch(unlessDiskFailed);
  }

  return {
    store,
    lists,
    federation,
    sync,
    openPartner,
    ids,
    activities,
    progress,
    dataDir,
    async addPartner(partner) {
      const node = pairedNode({
        ...{ nodeID: ids.next(), sharedNodeID: '7', name: 'Berlin', footbridge: false },
        ...{ dialect: 'shape1', role: 'invitee', sealedToken: 'the-token-that-we-hold' },
        createdAt: new Date(clock.now()).toISOString(),
        ...partner,
      });
      const system = await store.partition('system');
      await system.transaction((tx) => tx.put(NODES, node.nodeID, node));
      sync.partnerChanged(node.nodeID);
      return node;
    },
    async match(nodeID, fields, offer) {
      const offers = await federation.shared.list(nodeID);
      const shared = offer === undefined ? offers[0] : offers.find(({ name }) => name === offer);
      if (!shared) throw new Error('nothing is offered');
      const { namespaceID } = await lists.defaultNamespace();
      const module = await lists.createModule(namespaceID, { name: shared.name, fields });
      const offered = new Set(shared.fields.map(({ name }) => name));
      await federation.mappings.set(nodeID, shared.moduleID, {
        composeModuleID: module.moduleID,
        composeNamespaceID: namespaceID,
        fields: module.fields
          .filter(({ name }) => offered.has(name))
          .map(({ name }) => ({ origin: { name }, destination: { name } })),
        shape: 1,
      });
      return { module, sharedModuleID: shared.moduleID };
    },
    async received(moduleID) {
      const found = new Map<string, Record<string, string>>();
      const rows = await lists.rows(moduleID);
      for await (const page of rows.scan()) {
        for (const row of page) {
          if (!row.received) continue;
          const { recordID } = row.received;
          if (found.has(recordID)) throw new Error(`row ${recordID} is there twice`);
          const texts = Object.entries(row.values).map(([name, values]) => [name, values.join('|')]);
          found.set(recordID, Object.fromEntries(texts) as Record<string, string>);
        }
      }
      return found;
    },
    async restart(disk, meanwhile) {
      await closeAll();
      await meanwhile?.();
      return openOffice(dataDir, remove, { ...options, ...(disk ? { disk } : {}) });
    },
    async close() {
      await closeAll();
      await remove();
    },
  };
}

function unlessDiskFailed(error: unknown): void {
  if (!(error instanceof StoreError)) throw error;
}
