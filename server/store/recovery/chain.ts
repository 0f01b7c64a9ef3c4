import { join } from 'node:path';
import type { Disk } from '../files/disk.ts';
import { FORMAT_VERSION, type Header } from '../files/format.ts';
import { journalName, snapshotName, type Generations } from '../engine/generations.ts';
import type { Tail } from '../engine/journal.ts';
import { isAtMark, type HighWaterMark } from './high-water-mark.ts';
import { migrateOperations, type Migrations } from '../engine/migrations.ts';
import { createPartitionState, type PartitionState } from '../engine/partition-state.ts';
import { readHeader, readStoreFile } from '../files/reader.ts';

/** A snapshot, or the empty start, with its journals. */
export interface Chain {
  readonly state: PartitionState;
  /** Snapshot number; 0: the empty start. */
  readonly base: number;
  readonly snapshotBytes: number;
  readonly journalBytes: number;
  /** Where the last journal continues, if possible. */
  readonly tail: Tail | undefined;
  /** Unfinished bytes after the tail. */
  readonly torn: number;
  /** Some file has an older format. */
  readonly old: boolean;
  /** The first damaged journal and all later, unused ones. */
  readonly damaged: readonly string[];
}

export interface ChainPlace {
  readonly disk: Disk;
  readonly folder: string;
  readonly partition: string;
  readonly migrations: Migrations;
  readonly mark?: HighWaterMark | undefined;
}

/**
 * Loads snapshot `base` (0: the empty state) and its journals up to the first damage; `damaged` names that journal and
 * all later ones. Undefined if the snapshot is damaged.
 */
export async function loadChain(
  place: ChainPlace,
  found: Generations,
  base: number,
): Promise<Chain | undefined> {
  const state = createPartitionState();
  const snapshot =
    base === 0 ? { bytes: 0, version: FORMAT_VERSION } : await loadSnapshot(place, base, state);
  if (!snapshot) return undefined;
  const known = { state, base, snapshotBytes: snapshot.bytes };
  let old = snapshot.version < FORMAT_VERSION;
  const journals = found.journals.filter((number) => number >= Math.max(base, 1));
  const other = await journalOffMark(place, journals);
  let journalBytes = 0;
  let tail: Tail | undefined;
  let torn = 0;
  for (const [i, number] of journals.entries()) {
    const following = journals[i + 1];
    const read = await loadJournal(place, number, following, state);
    const last = following === undefined;
    const goesOn = last ? !read?.lostDurable && (found.open || read?.closed) : read?.reached;
    const reaches = !last || state.lastSeq() >= (place.mark?.last ?? 0);
    const whole = read !== undefined && goesOn === true && reaches && number !== other;
    if (read) {
      journalBytes += read.validLength;
      old ||= read.version < FORMAT_VERSION;
    }
    if (!whole) {
      const damaged = journals.slice(i).map(journalName);
      return { ...known, journalBytes, tail: undefined, torn: 0, old, damaged };
    }
    if (last) {
      tail = { number, validLength: read.validLength, crc: read.crc, empty: read.empty };
      torn = read.size - read.validLength;
    }
  }
  const damaged = tail ? [] : [journalName(Math.max(base, 1))];
  return { ...known, journalBytes, tail, torn, old, damaged };
}

/**
 * Returns the marked journal if it lacks the marked bytes, as an older copy does; undefined if it has them, or isn't
 * there.
 */
async function journalOffMark(
  { disk, folder, mark }: ChainPlace,
  journals: readonly number[],
): Promise<number | undefined> {
  if (!mark || !journals.includes(mark.journal)) return undefined;
  return (await isAtMark(disk, join(folder, journalName(mark.journal)), mark)) ? undefined : mark.journal;
}

/**
 * Loads a snapshot into `state`; undefined, with `state` perhaps half filled, if it is incomplete or another
 * partition's.
 */
async function loadSnapshot(
  place: ChainPlace,
  number: number,
  state: PartitionState,
): Promise<{ bytes: number; version: number } | undefined> {
  let entries = -1;
  const reading = await readStoreFile(place.disk, join(place.folder, snapshotName(number)), {
    /** Replays a group into the state; notes the closing line. */
    receiveGroup(operations, control, { after, version }) {
      if ('end' in control) entries = control.entries;
      else state.replay(migrateOperations(operations, version, place.migrations), after);
      return true;
    },
  });
  const { header, closed } = reading;
  const whole = header?.footbridge === 'snapshot' && header.partition === place.partition && closed;
  if (!whole || entries !== state.entries()) return undefined;
  state.skipTo(header.after);
  return { bytes: reading.size, version: header.version };
}

interface JournalReading {
  readonly version: number;
  readonly validLength: number;
  readonly size: number;
  readonly crc: number;
  readonly empty: boolean;
  readonly closed: boolean;
  readonly lostDurable: boolean;
  /** Continued by the next journal. */
  readonly reached: boolean;
}

/**
 * Replays a journal into `state`, up to the start of journal `following`. Undefined if it continues another state or
 * partition. Throws StoreError `newer-version`, and the disk's errors.
 */
async function loadJournal(
  { disk, folder, partition, migrations }: ChainPlace,
  number: number,
  following: number | undefined,
  state: PartitionState,
): Promise<JournalReading | undefined> {
  const until =
    following === undefined
      ? undefined
      : (await readHeader(disk, join(folder, journalName(following))))?.after;
  const before = state.lastSeq();
  const fits = ({ footbridge, partition: owner, after }: Header): boolean =>
    footbridge === 'journal' && owner === partition && after === before;
  const reading = await readStoreFile(disk, join(folder, journalName(number)), {
    /** Replays a group; returns false where the following journal begins, or if the file doesn't continue `state`. */
    receiveGroup(operations, control, header) {
      if (!fits(header) || !('ops' in control) || (until !== undefined && control.last > until)) return false;
      state.replay(migrateOperations(operations, header.version, migrations), control.last);
      return true;
    },
  });
  const { header, validLength, size, last } = reading;
  if (!header || !fits(header)) return undefined;
  // An unreadable next journal has the damage.
  const reached = until === undefined ? validLength === size : state.lastSeq() === until;
  return { ...reading, version: header.version, empty: last === before, reached };
}
