import { crc32 } from 'node:zlib';
import type { Disk, DiskFile } from '../files/disk.ts';
import { writeAll } from '../files/disk-steps.ts';
import { controlLine, type Control, type Header } from '../files/format.ts';
import { SegmentCompactor, findFragmentedSegments } from './segment-compactor.ts';
import { ownLineOf, type RecordRef } from './record-ref.ts';
import { linesOfRun, groupIntoRuns } from './template-line.ts';
import { StoreError } from '../store.ts';
import type { TableState } from './table-state.ts';

const GROUP_BYTES = 128 * 1024;
/** One large fsync at the end would delay all others. */
const SYNC_EVERY_BYTES = 8 * 1024 * 1024;

export interface ConsistentView {
  readonly name: string;
  readonly last: number;
  readonly entries: number;
  readonly blocks: readonly (readonly RecordRef[])[];
}

/** Returns a partition's entries as of now, uncopied; later changes don't show. */
export function takeConsistentView(
  name: string,
  state: { lastSeq(): number; entries(): number; tables(): Iterable<readonly [string, TableState]> },
): ConsistentView {
  const blocks = [...state.tables()].flatMap(([, table]) => table.byKey.view());
  return { name, last: state.lastSeq(), entries: state.entries(), blocks };
}

export interface StoreWriter {
  control(body: Control): Promise<void>;
  appendEntries(view: ConsistentView): Promise<void>;
  /** Appends entries as one group, a line each; `last` is the file's last change. */
  appendGroup(slots: readonly RecordRef[], last: number): Promise<void>;
  /** Appends the closing line, fsyncs, closes. Returns the file's bytes. */
  finish(entries: number): Promise<number>;
  /** Closes without a closing line. */
  abandon(): Promise<void>;
}

/**
 * Creates a store file with its header. The result appends entries in groups, each with a control line with the
 * checksum of all before. Methods throw StoreError `closed` once `stopped` returns true.
 */
export async function createStoreWriter(
  disk: Disk,
  path: string,
  header: Header,
  stopped: () => boolean,
): Promise<StoreWriter> {
  const file: DiskFile = await disk.open(path, 'create');
  let position = 0;
  let synced = 0;
  let crc = 0;
  /** Appends bytes, with an fsync now and then. Throws StoreError `closed` once `stopped` returns true. */
  const appendBytes = async (data: Buffer): Promise<void> => {
    if (stopped()) throw new StoreError('closed', 'The store was closed before the file was complete.');
    await writeAll(file, [data], position);
    position += data.length;
    if (position - synced < SYNC_EVERY_BYTES) return;
    await file.sync();
    synced = position;
  };
  /** Appends a control line with the checksum of all before. */
  const writeControlLine = async (body: Header | Control): Promise<void> => {
    const made = controlLine(body, crc);
    crc = made.crc;
    await appendBytes(made.line);
  };
  try {
    await writeControlLine(header);
  } catch (error) {
    await file.close();
    throw error;
  }
  return {
    control: writeControlLine,
    /** Appends a view's entries in groups of about 128 KiB; copies lines out of sparse buffers, to free these. */
    async appendEntries({ blocks, last }) {
      const gatherer = new SegmentCompactor(await findFragmentedSegments(blocks));
      /** Appends the gathered lines with their control line, if there are any. */
      const flushGathered = async (): Promise<void> => {
        const ops = gatherer.count();
        if (ops === 0) return;
        const data = gatherer.takeAll();
        crc = crc32(data, crc);
        await appendBytes(data);
        await writeControlLine({ ops, last, durable: synced });
      };
      for (const runs of groupIntoRuns(blocks)) {
        for (const run of runs) {
          if ('key' in run) gatherer.add(run);
          else for (const line of linesOfRun(run)) gatherer.add(line);
        }
        if (gatherer.length() >= GROUP_BYTES) await flushGathered();
      }
      await flushGathered();
    },
    /** Appends these entries as one group with its control line. */
    async appendGroup(slots, last) {
      const gatherer = new SegmentCompactor(new Set());
      for (const slot of slots) gatherer.add(ownLineOf(slot));
      const data = gatherer.takeAll();
      crc = crc32(data, crc);
      await appendBytes(data);
      await writeControlLine({ ops: slots.length, last, durable: synced });
    },
    /** Writes the closing line with the number of entries, fsyncs and closes the file; returns its bytes. */
    async finish(entries) {
      await writeControlLine({ end: true, entries });
      await file.sync();
      await file.close();
      return position;
    },
    abandon: () => file.close(),
  };
}
