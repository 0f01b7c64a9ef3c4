import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import type { Disk, DiskFile } from '../files/disk.ts';
import { asStoreError, writeAll } from '../files/disk-steps.ts';
import type { Mark } from './mark.ts';
import { MARKS_FILE, markLines, writeMarks, type MarksEnd } from './marks-file.ts';
import type { StoreError } from '../store.ts';
import type { NotedReach } from './withdrawals/withdrawals.ts';
import type { Reach } from './withdrawals/reach.ts';
import { createMutex } from '../../base/concurrency/mutex.ts';

/**
 * How far each partition has come, kept outside of them, so that a file, a folder or a tail that went back is
 * missed. The marks themselves are numbered in rounds, and what is written to a partition names the round: so it
 * shows as well when it is the marks that went back.
 */
export interface Marks extends NotedReach {
  of(partition: string): Mark | undefined;
  /**
   * Number of the present round, which is on the disk; to be asked for before anything is written. A round lasts
   * a minute or longer, and has a higher number than all before it.
   */
  round(): Promise<number>;
  /**
   * Notes what is on the disk already. Written at once but without an fsync of its own, and nobody waits: a
   * power cut may take the newest marks with it, which then promise less than there is and never more.
   */
  reached(partition: string, mark: Mark): void;
  /** Resolves when the partition is forgotten on the disk as well. */
  forget(partition: string): Promise<void>;
  /** Resolves when all marks are on the disk, or when it is known that they cannot be. */
  close(): Promise<void>;
}

interface Place {
  readonly disk: Disk;
  readonly clock: Clock;
  /** The store's folder. */
  readonly folder: string;
  readonly failed: (error: StoreError, doing: string) => void;
}

/** A new round begins, and the file is written anew, with the first mark after so long or behind so many bytes. */
const ROUND_MS = 60_000;
const ROUND_BYTES = 1024 * 1024;

/** @param start the marks to go on from, and the number of the highest round that was found anywhere */
export function createMarks(
  place: Place,
  start: { round: number; marks: ReadonlyMap<string, Mark>; withdrawn: Reach | undefined },
): Marks {
  const { disk, clock, folder } = place;
  const marks = new Map(start.marks);
  const changed = new Set<string>();
  let { withdrawn } = start;
  let hasWithdrawn = false;
  let round = start.round;
  let begun: Promise<void> | undefined;
  let file: DiskFile | undefined;
  let end: MarksEnd = { size: 0, crc: 0 };
  let added = 0;
  let until = 0;
  let adding = false;
  let hasNews = false;

  const inLane = createMutex();
  const tell = (error: unknown): void =>
    place.failed(asStoreError(error), 'note how far its parts have come');
  const shut = async (): Promise<void> => {
    const open = file;
    file = undefined;
    await open?.close();
  };
  const nextRound = async (): Promise<void> => {
    await shut();
    changed.clear();
    hasWithdrawn = false;
    end = await writeMarks(place, round + 1, marks, withdrawn);
    round += 1;
    added = 0;
    until = clock.monotonic() + ROUND_MS;
    file = await disk.open(join(folder, MARKS_FILE), 'change');
  };
  /** Behind what was added last: a line of which only a part got to the disk is written over. */
  const add = async (): Promise<void> => {
    if (!file || added > ROUND_BYTES || clock.monotonic() > until) return nextRound();
    const entries = [...changed].flatMap((name) => {
      const mark = marks.get(name);
      return mark ? [[name, mark] as const] : [];
    });
    const withReach = hasWithdrawn;
    const { lines, crc } = markLines(entries, withReach ? withdrawn : undefined, end.crc);
    changed.clear();
    hasWithdrawn = false;
    try {
      await writeAll(file, lines, end.size);
    } catch (error) {
      for (const [name] of entries) changed.add(name);
      hasWithdrawn ||= withReach;
      throw error;
    }
    const bytes = lines.reduce((sum, { length }) => sum + length, 0);
    end = { size: end.size + bytes, crc };
    added += bytes;
  };

  const isBehind = (): boolean => changed.size > 0 || hasWithdrawn;
  const addSoon = (): void => {
    hasNews = true;
    if (adding) return;
    adding = true;
    inLane(async () => {
      adding = false;
      if (isBehind()) await add();
    }).catch(tell);
  };

  return {
    of: (partition) => marks.get(partition),
    async round() {
      const beginning = (begun ??= inLane(async () => {
        if (!file) await nextRound();
      }));
      beginning.catch(() => (begun = undefined));
      await beginning;
      return round;
    },
    reached(partition, mark) {
      marks.set(partition, mark);
      changed.add(partition);
      addSoon();
    },
    withdrawnReach: () => withdrawn,
    withdrawnReached(reach) {
      if (withdrawn?.book === reach.book && withdrawn.no === reach.no) return;
      withdrawn = reach;
      hasWithdrawn = true;
      addSoon();
    },
    forget: (partition) =>
      inLane(async () => {
        if (marks.delete(partition)) await nextRound();
      }),
    close: () =>
      inLane(async () => {
        if (!begun && !hasNews) return;
        try {
          if (isBehind() || !file) await add();
          await file?.sync();
        } finally {
          await shut();
        }
      }).catch(tell),
  };
}
