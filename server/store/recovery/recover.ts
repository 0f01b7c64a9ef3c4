import { join } from 'node:path';
import { removeIfExists } from '../files/disk-steps.ts';
import { journalName, listGenerations } from '../engine/generations.ts';
import { Journal } from '../engine/journal.ts';
import { findNewestChain } from './newest-chain.ts';
import type { PartitionState } from '../engine/partition-state.ts';
import type { LoadLocation } from '../files/store-location.ts';
import { moveAside, replaceDamaged, writeMigrated } from './repair.ts';
import { said } from '../../words/said.ts';

export interface Loaded {
  readonly state: PartitionState;
  /** Snapshot it was loaded from; older generations are needless. */
  readonly base: number;
  readonly snapshotBytes: number;
  readonly journalBytes: number;
  readonly journal: Journal;
  /** Among the partition's files. */
  readonly highest: number;
  readonly open: boolean;
}

/**
 * Loads a partition and the journal to continue. Repairs its files, with notices: truncates a torn end, rewrites older
 * versions, replaces damaged files. Throws StoreError `damaged`, `newer-version`, or the disk's.
 */
export async function loadPartition(place: LoadLocation): Promise<Loaded> {
  const { disk, folder, notice } = place;
  const found = await listGenerations(disk, folder);
  for (const name of found.leftovers) await removeIfExists(disk, join(folder, name));
  const { chain, badSnapshots } = await findNewestChain(place, found);
  const highest = Math.max(0, ...found.snapshots, ...found.journals);
  if (!chain?.tail) {
    const damaged = [...badSnapshots, ...(chain?.damaged ?? [])];
    // A vanished journal's number isn't reused: its mark would seem to apply.
    const number = Math.max(highest, place.mark?.journal ?? 0) + 1;
    return { ...(await replaceDamaged(place, chain?.state, damaged, number)), open: true };
  }
  if (chain.torn > 0) await truncateTornEnd(place, chain.tail.number, chain.tail.validLength);
  if (badSnapshots.length > 0) {
    const aside = await moveAside(place, badSnapshots);
    notice('restored-from-backup', aside[0] ?? folder, said('store.previous-copy'));
  }
  if (chain.old) return { ...(await writeMigrated(place, chain.state, highest + 1)), open: true };
  const journal = new Journal(place, chain.tail);
  await advanceMarkToState(place, journal, chain.state.lastSeq());
  return { ...chain, journal, highest, open: found.open };
}

/**
 * Advances the mark to the state that was read, as after a power cut; fsyncs the journal first. Nothing if the mark has
 * it. `last` is the state's last change.
 */
async function advanceMarkToState(place: LoadLocation, journal: Journal, last: number): Promise<void> {
  if (last <= (place.mark?.last ?? 0)) return;
  const file = await place.disk.open(join(place.folder, journalName(journal.number)), 'change');
  try {
    // If only the program stopped, the disk may lag.
    await file.sync();
  } finally {
    await file.close();
  }
  place.advanceMark(journal.highWaterMark(last));
}

/** Truncates a journal durably to its complete transactions, with a notice. */
async function truncateTornEnd(
  { disk, folder, mark, notice }: LoadLocation,
  number: number,
  validLength: number,
): Promise<void> {
  const path = join(folder, journalName(number));
  const file = await disk.open(path, 'change');
  try {
    await file.truncate(validLength);
    await file.sync();
  } finally {
    await file.close();
  }
  if (!mark) {
    notice('torn-tail', path, said('store.cut'));
    return;
  }
  notice('torn-tail', path, said('store.cut-nothing-missing'));
}
