import { Low } from 'lowdb';
import { join } from 'node:path';
import { createMutex } from '../../base/concurrency/mutex.ts';
import { compareKeys } from '../../base/sorted-list.ts';
import { said } from '../../words/said.ts';
import { asStoreError, withStoreErrors } from '../files/disk-steps.ts';
import { PARTITION_NAME } from '../files/format.ts';
import type { StoreLocation } from '../files/store-location.ts';
import type { ChainPlace } from '../recovery/chain.ts';
import { ConflictedCopyError } from '../recovery/conflicted-copies.ts';
import { readIntactState } from '../recovery/newest-chain.ts';
import { salvageTable } from '../recovery/salvage.ts';
import { StoreError, type IsNewer, type Partition, type Salvage } from '../store.ts';
import { createPartitionData, JournalAdapter } from './journal-adapter.ts';
import type { Manifest } from './manifest.ts';
import { missingChangesAfter } from './lost-changes.ts';
import { dropPartition, makePartition } from './partition-folders.ts';
import type { PartitionState } from './partition-state.ts';
import { createPartition, type OpenPartition } from './partition.ts';
import { takeConsistentView, type ConsistentView } from './store-writer.ts';

interface Loaded {
  readonly adapter: JournalAdapter;
  readonly partition: OpenPartition;
  view(): Promise<ConsistentView>;
}

export interface PartitionsPlace extends StoreLocation {
  readonly manifest: Manifest;
  /** Returns whether the partition is dispensable at opening. */
  readonly goesOnWithout: (partition: string) => boolean;
}

/** Loads and unloads partitions, never opening files twice at a time. */
export class OpenPartitions {
  readonly #place: PartitionsPlace;
  readonly #throwIfClosed: () => void;
  readonly #loaded = new Map<string, Promise<Loaded>>();
  readonly #beingRead = new Map<string, Promise<PartitionState | undefined>>();
  readonly #beingShut = new Map<string, Promise<void>>();
  readonly #beingDropped = new Set<string>();
  /** Stand-ins for partitions unreadable since this start. */
  readonly #unreadable = new Map<string, Partition>();
  readonly #compacting = createMutex();

  constructor(place: PartitionsPlace, throwIfClosed: () => void) {
    this.#place = place;
    this.#throwIfClosed = throwIfClosed;
  }

  /** Returns a partition, created or loaded if necessary; an empty stand-in for a damaged inessential one. */
  async get(name: string): Promise<Partition> {
    const standIn = this.#unreadable.get(name);
    if (standIn) return standIn;
    try {
      return (await this.#loadOnce(name)).partition;
    } catch (error) {
      return this.#createStandIn(name, error);
    }
  }

  /** Returns whether a stand-in replaces the partition; loads it if needed. */
  async isUnreadable(name: string): Promise<boolean> {
    return (await this.get(name)) === this.#unreadable.get(name);
  }

  /**
   * Returns a table's values that only damaged files have; undefined without such files. `missing` is undefined unless
   * the partition is unreadable.
   */
  async salvage(name: string, table: string, isNewer: IsNewer): Promise<Salvage | undefined> {
    const partition = await this.get(name);
    const isUnreadable = partition === this.#unreadable.get(name);
    const { disk, folder, mark } = this.#placeOf(name);
    const found = await salvageTable(disk, folder, table, isUnreadable ? 'all' : 'aside');
    if (!found) return undefined;
    const { byKey, damagedLines, lastSeq } = found;
    const keys = [...byKey.keys()].sort(compareKeys);
    const known = await partition.entries({ name: table }, keys);
    const values = new Map<string, unknown>();
    for (const [at, key] of keys.entries()) {
      const { seq = 0, value } = byKey.get(key) ?? {};
      const held = known[at];
      // After a loss numbers jump: a held value that only other columns rewrote has a larger one.
      if (value !== undefined && (!held || seq > held.seq || isNewer(value, held.value)))
        values.set(key, value);
    }
    // After a loss, a continued partition counts from another number.
    return { values, damagedLines, missing: isUnreadable ? missingChangesAfter(lastSeq, mark) : undefined };
  }

  /** Compacts a partition, loaded if needed. Rejects for an unreadable one. */
  async compact(name: string): Promise<void> {
    await (await this.#loadOnce(name)).adapter.compact();
  }

  /**
   * Returns a partition's durable state for a backup; undefined if missing, or damaged and inessential. Throws for
   * other damage. Reads the files of one that isn't loaded, and loads it only for repair.
   */
  async viewForBackup(name: string): Promise<ConsistentView | undefined> {
    await this.#beingShut.get(name)?.catch(() => undefined);
    if (!this.#place.manifest.has(name)) return undefined;
    const known = this.#loaded.get(name);
    if (known) return (await known).view();
    const reading = this.#beingRead.get(name) ?? readIntactState(this.#placeOf(name));
    this.#beingRead.set(name, reading);
    const state = await reading.finally(() => this.#beingRead.delete(name));
    if (state) return takeConsistentView(name, state);
    try {
      return await (await this.#loadOnce(name)).view();
    } catch (error) {
      this.#createStandIn(name, error);
      return undefined;
    }
  }

  /** Closes and unloads a partition, or waits until it is closed. The next use reloads it. */
  async release(name: string): Promise<void> {
    const known = this.#loaded.get(name);
    if (!known) return this.#beingShut.get(name);
    this.#loaded.delete(name);
    const shutting = known.then(closePartition).finally(() => this.#beingShut.delete(name));
    this.#beingShut.set(name, shutting);
    await shutting;
  }

  /** Closes and deletes a partition. Loading it meanwhile rejects with StoreError `closed`. */
  async drop(name: string): Promise<void> {
    const known = this.#loaded.get(name);
    this.#beingDropped.add(name);
    this.#loaded.delete(name);
    try {
      const open = await known?.catch(() => undefined);
      await this.#beingRead.get(name)?.catch(() => undefined);
      await this.#beingShut.get(name)?.catch(() => undefined);
      await withStoreErrors(async () => {
        if (open) await closePartition(open);
        await this.#place.marks.forget(name);
        await dropPartition(this.#place, this.#place.manifest, name);
        this.#unreadable.delete(name);
      });
    } finally {
      this.#beingDropped.delete(name);
    }
  }

  /**
   * Closes all loaded partitions, for the store's end: they stay listed and aren't loaded again. Returns the results,
   * without those that failed to load; never rejects.
   */
  async closeAll(): Promise<PromiseSettledResult<void>[]> {
    await Promise.allSettled(this.#beingShut.values());
    const all = await Promise.allSettled(this.#loaded.values());
    return Promise.allSettled(
      all.flatMap((one) => (one.status === 'fulfilled' ? [closePartition(one.value)] : [])),
    );
  }

  /**
   * Loads a partition once for all callers. Throws TypeError for a bad name, StoreError `closed` while it is dropped.
   */
  #loadOnce(name: string): Promise<Loaded> {
    if (!PARTITION_NAME.test(name)) throw new TypeError(`"${name}" cannot be the name of a partition.`);
    const known = this.#loaded.get(name);
    if (known) return known;
    if (this.#beingDropped.has(name))
      throw new StoreError('closed', 'This part of the store is being removed.');
    const loading = withStoreErrors(() => this.#loadPartition(name));
    this.#loaded.set(name, loading);
    loading.catch(() => this.#loaded.delete(name));
    return loading;
  }

  /**
   * Loads the partition, created if missing, once nothing else reads or closes its files; repairs damage, with notices.
   */
  async #loadPartition(name: string): Promise<Loaded> {
    const place = this.#place;
    this.#throwIfClosed();
    await this.#beingRead.get(name)?.catch(() => undefined);
    await this.#beingShut.get(name)?.catch(() => undefined);
    await makePartition(place, place.manifest, name).catch((error: unknown) => {
      place.writability.recordFailure(asStoreError(error));
      throw error;
    });
    const adapter = new JournalAdapter({
      ...this.#placeOf(name),
      epoch: () => place.marks.beginEpoch(),
      advanceMark: (mark) => place.marks.advance(name, mark),
      notice: (code, file, message) => place.notice(code, file, message, name),
      fromBackups: () => place.fromBackups(name),
      oneAtATime: this.#compacting,
    });
    const low = new Low(adapter, createPartitionData());
    await low.read();
    /** Returns the durable state, after a running change was applied. */
    const takeView = async (): Promise<ConsistentView> => {
      while (low.data.applying) await low.data.applying;
      return takeConsistentView(name, low.data.state);
    };
    return { adapter, view: takeView, partition: createPartition(name, low) };
  }

  /** Returns where the partition's files and mark are. */
  #placeOf(name: string): PartitionsPlace & Pick<ChainPlace, 'partition' | 'mark'> {
    const { folder, marks } = this.#place;
    return { ...this.#place, folder: join(folder, name), partition: name, mark: marks.of(name) };
  }

  /**
   * Returns an empty partition that rejects transactions in place of a damaged inessential one, and adds a notice once.
   * Rethrows errors other than damage, and those of essential partitions.
   */
  #createStandIn(name: string, error: unknown): Partition {
    const { folder, marks, notice, goesOnWithout } = this.#place;
    const isDamaged = error instanceof StoreError && error.code === 'damaged';
    if (!isDamaged || !goesOnWithout(name)) throw error;
    const known = this.#unreadable.get(name);
    if (known) return known;
    const last = marks.of(name)?.last;
    const words =
      error instanceof ConflictedCopyError
        ? said('store.renamed', { found: error.renamed.found, name: error.renamed.name })
        : last
          ? said('store.unreadable-of', { n: last })
          : said('store.unreadable');
    notice('unreadable', join(folder, name), words, name);
    const standIn = createUnreadablePartition(name, error);
    this.#unreadable.set(name, standIn);
    return standIn;
  }
}

/** Closes a partition after running transactions and writes. */
const closePartition = async ({ partition, adapter }: Loaded): Promise<void> => {
  await partition.finish();
  await adapter.close();
};

/** Creates a partition that reads as empty and rejects transactions with `why`. */
function createUnreadablePartition(name: string, why: StoreError): Partition {
  const nothing = <T>(): Promise<T[]> => Promise.resolve([]);
  return {
    name,
    get: () => Promise.resolve(undefined),
    getMany: (_, keys) => Promise.resolve(keys.map(() => undefined)),
    entries: (_, keys) => Promise.resolve(keys.map(() => undefined)),
    find: nothing,
    findMany: (_table, _index, texts) => Promise.resolve(texts.map(() => undefined)),
    page: nothing,
    stored: async function* () {
      // Empty.
    },
    changesSince: nothing,
    count: () => Promise.resolve(0),
    keyAt: () => Promise.resolve(undefined),
    lastSeq: () => Promise.resolve(0),
    transaction: () => Promise.reject(why),
  };
}
