import type { Adapter } from 'lowdb';
import { Compaction } from './compaction.ts';
import { asStoreError } from '../files/disk-steps.ts';
import { prepareJournal, type Group, type Journal } from './journal.ts';
import { createPartitionState, type PartitionState } from './partition-state.ts';
import type { PartitionLocation } from '../files/store-location.ts';
import { loadPartition } from '../recovery/recover.ts';
import { createStaged, type Staged } from './staged.ts';
import type { StoreError } from '../store.ts';
import { createMutex } from '../../base/concurrency/mutex.ts';

/** Group commit: transactions sharing one write and fsync. */
export interface Batch {
  staged: Staged;
  readonly groups: Group[];
  /** This batch, or one beneath it, couldn't be written. */
  failure?: StoreError;
  written?: Promise<void>;
}

/** lowdb's data for one partition. */
export interface PartitionData {
  state: PartitionState;
  inFlight: Batch | undefined;
  /** Collects transactions. */
  waiting: Batch;
  /** While set, a written batch is merging into `state`: wait before reading. */
  applying: Promise<void> | undefined;
}

function createEmptyBatch(): Batch {
  return { staged: createStaged(), groups: [] };
}

/** Returns the empty data of a partition that isn't loaded. */
export function createPartitionData(): PartitionData {
  return {
    state: createPartitionState(),
    inFlight: undefined,
    waiting: createEmptyBatch(),
    applying: undefined,
  };
}

export class JournalAdapter implements Adapter<PartitionData> {
  readonly #place: PartitionLocation;
  #data = createPartitionData();
  #journal: Journal | undefined;
  #compaction: Compaction | undefined;
  #highest = 0;
  #dirty = false;
  /** Serialises journal writes and replacements. */
  readonly #inTurn = createMutex();

  constructor(place: PartitionLocation) {
    this.#place = place;
  }

  /**
   * Loads the newest valid state and repairs the files; later writes change the returned object. Throws StoreError
   * `damaged` or `newer-version`.
   */
  async read(): Promise<PartitionData> {
    const loaded = await loadPartition(this.#place);
    this.#data = { ...createPartitionData(), state: loaded.state };
    ({ journal: this.#journal, highest: this.#highest, open: this.#dirty } = loaded);
    this.#compaction = new Compaction(this.#place, loaded, {
      state: () => this.#data.state,
      rotate: (prepare) =>
        this.#inTurn(async () => {
          const fresh = this.#journal?.empty() ? this.#journal : await this.#newJournal();
          prepare();
          return fresh.number;
        }),
    });
    return this.#data;
  }

  /**
   * Appends all waiting transactions, with one fsync for all callers; resolves once they are durable, rejects if that
   * fails. Without any, waits for those being written.
   */
  write({ waiting, inFlight }: PartitionData): Promise<void> {
    if (waiting.groups.length === 0) return inFlight?.written ?? Promise.resolve();
    return (waiting.written ??= this.#inTurn(() => this.#writeBatch(waiting)));
  }

  /** Writes a snapshot, or joins a running compaction; a no-op before `read`. */
  compact(): Promise<void> {
    return this.#compaction?.run() ?? Promise.resolve();
  }

  /** Stops compaction, writes the closing line if needed, and closes the files. */
  async close(): Promise<void> {
    await this.#compaction?.stop();
    await this.#inTurn(async () => {
      try {
        if (this.#dirty) await this.#journal?.seal(this.#data.state.lastSeq());
      } finally {
        await this.#journal?.close();
      }
    });
  }

  /** Creates the next journal, and closes the old one, never written again once the new one's rename was tried. */
  async #newJournal(): Promise<Journal> {
    this.#dirty = true;
    const publish = await prepareJournal(this.#place, this.#highest + 1, this.#data.state.lastSeq());
    const old = this.#journal;
    this.#journal = undefined;
    this.#highest += 1;
    try {
      this.#journal = await publish();
    } finally {
      await old?.close();
    }
    this.#compaction?.countReplacedJournal();
    return this.#journal;
  }

  /**
   * Drops the batch, the changes waiting behind it, and the journal; throws a StoreError, with which their writes
   * reject and which the disk's health records.
   */
  async #abandonBatch(batch: Batch, error: unknown): Promise<never> {
    const failure = asStoreError(error);
    this.#place.writability.recordFailure(failure);
    batch.failure = failure;
    this.#data.waiting.failure = failure;
    this.#data.inFlight = undefined;
    this.#data.waiting = createEmptyBatch();
    // After a failed fsync, don't trust that journal.
    const given = this.#journal;
    this.#journal = undefined;
    await given?.discardTail().catch(() => undefined);
    throw failure;
  }

  /**
   * Appends a batch with one fsync, advances the high-water mark, updates the memory, then compacts in the background
   * if the journals are too large. A failure rejects by {@link #abandonBatch}.
   */
  async #writeBatch(batch: Batch): Promise<void> {
    if (batch.failure) throw batch.failure;
    this.#data.inFlight = batch;
    this.#data.waiting = createEmptyBatch();
    try {
      this.#dirty = true;
      const target = this.#journal ?? (await this.#newJournal());
      await target.append(batch.groups);
      this.#place.writability.recordSuccess();
      this.#place.advanceMark(target.highWaterMark(batch.groups.at(-1)?.last ?? this.#data.state.lastSeq()));
    } catch (error) {
      await this.#abandonBatch(batch, error);
    }
    const applied = this.#data.state.apply(
      batch.staged,
      batch.groups.at(-1)?.last ?? this.#data.state.lastSeq(),
    );
    this.#data.applying = applied;
    await applied;
    this.#data.applying = undefined;
    this.#data.inFlight = undefined;
    this.#compaction?.startIfOutgrown(this.#journal?.bytes() ?? 0);
  }
}
