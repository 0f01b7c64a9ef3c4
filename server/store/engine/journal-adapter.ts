import type { Adapter } from 'lowdb';
import { createCompaction, type Compaction } from './compaction.ts';
import { asStoreError } from '../files/disk-steps.ts';
import { prepareJournal, type Group, type Journal } from './journal.ts';
import { createPartitionState, type PartitionState } from './partition-state.ts';
import type { PartitionPlace } from '../files/place.ts';
import { loadPartition } from '../recovery/recover.ts';
import { createStaged, type Staged } from './staged.ts';
import type { StoreError } from '../store.ts';
import { createMutex } from '../../base/concurrency/mutex.ts';

/** Transactions that will share one write and one fsync. */
export interface Batch {
  staged: Staged;
  readonly groups: Group[];
  /** Set when it, or one that it builds on, could not be written. */
  failure?: StoreError;
  written?: Promise<void>;
}

/** What lowdb holds for one partition. */
export interface PartitionData {
  state: PartitionState;
  /** On its way to the disk. */
  inFlight: Batch | undefined;
  /** Gathers what will go next. */
  waiting: Batch;
  /** Set while a written batch is being taken over into `state`, which must not be read before it is done. */
  applying: Promise<void> | undefined;
}

/** A batch with nothing in it. */
function createBatch(): Batch {
  return { staged: createStaged(), groups: [] };
}

/** An empty partition's data. */
export function createPartitionData(): PartitionData {
  return { state: createPartitionState(), inFlight: undefined, waiting: createBatch(), applying: undefined };
}

/**
 * lowdb's adapter for one partition. `read` loads the newest good state; `write` resolves when everything
 * that was waiting at the time of the call is fsynced, one fsync for all callers that wait at the same time.
 * When writing fails, all that is not on the disk is dropped, and every caller concerned gets the error.
 */
export interface JournalAdapter extends Adapter<PartitionData> {
  read(): Promise<PartitionData>;
  /** Waits for writes and compaction, notes that all is well, and closes the files. */
  close(): Promise<void>;
  /** Compacts now, whatever the sizes; resolves when the snapshot is written. */
  compact(): Promise<void>;
}

/** The adapter for the partition in `place.folder`. */
export function createJournalAdapter(place: PartitionPlace): JournalAdapter {
  let data = createPartitionData();
  let journal: Journal | undefined;
  let compaction: Compaction | undefined;
  let highest = 0;
  let dirty = false;

  /** One after the other: whatever writes to, or exchanges, the journal. */
  const inLane = createMutex();
  const newJournal = async (): Promise<Journal> => {
    dirty = true;
    const publish = await prepareJournal(place, highest + 1, data.state.lastSeq());
    const old = journal;
    journal = undefined;
    highest += 1;
    try {
      journal = await publish();
    } finally {
      await old?.close();
    }
    compaction?.rotated();
    return journal;
  };
  const drop = async (batch: Batch, error: unknown): Promise<never> => {
    const failure = asStoreError(error);
    place.writability.failed(failure);
    batch.failure = failure;
    data.waiting.failure = failure;
    data.inFlight = undefined;
    data.waiting = createBatch();
    // What a failed fsync leaves on the disk is unknown: that journal is not trusted again.
    const given = journal;
    journal = undefined;
    await given?.cut().catch(() => undefined);
    throw failure;
  };
  const drain = async (batch: Batch): Promise<void> => {
    if (batch.failure) throw batch.failure;
    data.inFlight = batch;
    data.waiting = createBatch();
    try {
      dirty = true;
      const target = journal ?? (await newJournal());
      await target.append(batch.groups);
      place.writability.worked();
      place.reached(target.mark(batch.groups.at(-1)?.last ?? data.state.lastSeq()));
    } catch (error) {
      await drop(batch, error);
    }
    const applied = data.state.apply(batch.staged, batch.groups.at(-1)?.last ?? data.state.lastSeq());
    data.applying = applied;
    await applied;
    data.applying = undefined;
    data.inFlight = undefined;
    compaction?.grown(journal?.bytes() ?? 0);
  };

  return {
    async read() {
      const loaded = await loadPartition(place);
      data = { ...createPartitionData(), state: loaded.state };
      ({ journal, highest, open: dirty } = loaded);
      compaction = createCompaction(place, loaded, {
        state: () => data.state,
        rotate: (prepare) =>
          inLane(async () => {
            const fresh = journal?.empty() ? journal : await newJournal();
            prepare();
            return fresh.number;
          }),
      });
      return data;
    },
    write({ waiting, inFlight }) {
      if (waiting.groups.length === 0) return inFlight?.written ?? Promise.resolve();
      return (waiting.written ??= inLane(() => drain(waiting)));
    },
    compact: () => compaction?.run() ?? Promise.resolve(),
    async close() {
      await compaction?.stop();
      await inLane(async () => {
        try {
          if (dirty) await journal?.seal(data.state.lastSeq());
        } finally {
          await journal?.close();
        }
      });
    },
  };
}
