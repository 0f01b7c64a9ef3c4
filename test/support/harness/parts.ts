import { createSecretKey, randomBytes } from 'node:crypto';
import { systemClock, type Clock } from '../../../server/base/clock.ts';
import { createIds, type Ids } from '../../../server/base/ids.ts';
import {
  createFederation,
  type Federation,
  type FederationDeps,
} from '../../../server/federation/federation.ts';
import { createUserKey } from '../../../server/federation/partners/user-key.ts';
import type { FederationChange } from '../../../server/federation/ports.ts';
import type { Disclosure } from '../../../server/federation/sharing/ledger.ts';
import type { ListsChange } from '../../../server/lists/definitions/model.ts';
import { openLists, type Lists } from '../../../server/lists/lists.ts';
import { openStore, type DiskStore, type StoreOptions } from '../../../server/store/engine/open-store.ts';
import type { Store } from '../../../server/store/store.ts';
import { createSync, type Sync, type SyncDeps } from '../../../server/sync/sync.ts';
import { temporaryFolder, temporaryFolderInMemory } from './temporary-folder.ts';

/**
 * The first of the three ways in which a test has an office: its parts, put together in the test's own process as
 * `server/node/parts.ts` does it, over a store on disk. No listener, and nobody is called, unless the test opens a door
 * (served-parts.ts) or pulls (pulling-parts.ts).
 */
export interface Parts {
  readonly lists: Lists;
  readonly federation: Federation;
  /** What the lists told, oldest first. */
  readonly changes: ListsChange[];
  /** What the federation told. */
  readonly news: FederationChange[];
  /** Pages of rows that left. */
  readonly served: Disclosure[];
  /** Resolves once shares and matches have followed what became of the lists so far, or could not. */
  settled(): Promise<void>;
}

export interface OwnStore {
  readonly dataDir: string;
  readonly store: DiskStore;
  /** Closes the store, and removes the folder unless the test gave one. */
  readonly close: () => Promise<void>;
}

/** Parts over a store of their own. */
export type OwnParts = Parts & OwnStore;

interface Given {
  readonly clock?: Clock;
  readonly ids?: Ids;
}
export type OwnStoreOptions = Partial<Omit<StoreOptions, 'clock'>> & {
  readonly clock?: Clock;
  readonly inMemory?: boolean;
};
/** What the federation is to have other than what {@link testFederation} gives it. */
export type PartsOptions = Given & Partial<Omit<FederationDeps, 'store' | 'clock' | 'ids'>>;

/** A store in the folder that is given, else in one that is removed when it is closed. */
export async function openOwnStore(options: OwnStoreOptions = {}): Promise<OwnStore> {
  const { clock = systemClock, inMemory = false, ...more } = options;
  const folder =
    options.dataDir === undefined
      ? await (inMemory ? temporaryFolderInMemory() : temporaryFolder())
      : { path: options.dataDir, remove: () => Promise.resolve() };
  const store = await openStore({ ...more, clock, dataDir: folder.path });
  return {
    dataDir: folder.path,
    store,
    async close() {
      await store.close();
      await folder.remove();
    },
  };
}

/** Lists and federation over a store that is open. Lists that are given are another one's, who tells of their changes. */
export async function partsOver(store: Store, options: PartsOptions = {}): Promise<Parts> {
  const { clock = systemClock, ids = createIds(clock), ...federationOptions } = options;
  const changes: ListsChange[] = [];
  const news: FederationChange[] = [];
  const served: Disclosure[] = [];
  const following = new Set<Promise<void>>();
  const held: { federation?: Federation } = {};
  const lists =
    options.lists ??
    (await openLists({
      store,
      clock,
      ids,
      onChange(change) {
        changes.push(change);
        const followed = held.federation?.listsChanged(change) ?? Promise.resolve();
        const ended = followed.finally(() => following.delete(ended));
        following.add(ended);
        return ended;
      },
    }));
  const federation = await testFederation({
    onChange: (change) => void news.push(change),
    onServed(disclosure) {
      served.push(disclosure);
      return Promise.resolve();
    },
    ...federationOptions,
    ...{ store, lists, clock, ids },
  });
  held.federation = federation;
  return {
    ...{ lists, federation, changes, news, served },
    async settled() {
      while (following.size > 0) await Promise.allSettled(following);
    },
  };
}

/** {@link partsOver} a store of their own. */
export async function openParts(options: PartsOptions & OwnStoreOptions = {}): Promise<OwnParts> {
  const { dataDir, inMemory, disk, goesOnWithout, ...more } = options;
  const own = await openOwnStore({
    ...(options.clock ? { clock: options.clock } : {}),
    ...(dataDir === undefined ? {} : { dataDir }),
    ...(inMemory === undefined ? {} : { inMemory }),
    ...(disk ? { disk } : {}),
    ...(goesOnWithout ? { goesOnWithout } : {}),
  });
  return Object.assign(await partsOver(own.store, more), own);
}

const nobody = (): Promise<never> => Promise.reject(new Error('Nobody is called in this test.'));

/**
 * The federation of an office of the test's. What is not given calls nobody, tells nobody, and seals nothing, so that a
 * store tells what lies in it.
 */
export function testFederation(
  given: Pick<FederationDeps, 'store' | 'lists' | 'clock' | 'ids'> & Partial<FederationDeps>,
): Promise<Federation> {
  return createFederation({
    secrets: { seal: (plain) => Promise.resolve(plain), open: (sealed) => Promise.resolve(sealed) },
    userKey: createUserKey(createSecretKey(randomBytes(32))),
    calls: { handshake: nobody, complete: nobody, goodbye: nobody },
    office: { installation: 'installation-Oslo', name: () => 'Oslo' },
    ownAddress: () => ({ listener: 'http://127.0.0.1:1/federation' }),
    log: { info: () => undefined, warn: () => undefined },
    onChange: () => undefined,
    onUnread: () => undefined,
    onServed: () => Promise.resolve(),
    ...given,
  });
}

/** The pull engine over an office's parts. What is not given asks nobody, and pulls when it is told to. */
export function pullEngine(
  store: Store,
  { lists, federation }: Pick<Parts, 'lists' | 'federation'>,
  given: Given & Partial<SyncDeps> = {},
): Promise<Sync> {
  const { clock = systemClock, ids = createIds(clock) } = given;
  return createSync({
    installation: 'installation-Oslo',
    interval: () => 3_600_000,
    isWatched: () => false,
    log: { error: () => undefined },
    openPartner: () => {
      throw new Error('Nobody is asked in this test.');
    },
    ...given,
    ...{ store, lists, federation, clock, ids },
  });
}
