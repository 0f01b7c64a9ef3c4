import type { Disk } from '../../files/disk.ts';
import { partitionAtRest } from '../at-rest.ts';
import { readRevocations } from './read-revocations.ts';
import { positionIn, type LogPosition } from './log-position.ts';
import { trustLevel } from './trust-level.ts';

/** Returns advice on the revocation log before the next start; undefined if all is well. */
export async function adviceOnRevocations(
  dataDir: string,
  disk: Disk,
  // How far it was noted before anything else was read: a running node is ahead by now, never behind.
  found: {
    readonly noted: LogPosition | undefined;
    readonly wentBack: boolean;
    /** The log has a note before the data has it. */
    readonly isInUse: boolean;
  },
): Promise<string | undefined> {
  const state = await partitionAtRest(dataDir, 'system', disk);
  const system = state && positionIn(state);
  const file = await readRevocations(disk, dataDir);
  const verdict = trustLevel({ file, system, ...found });
  const isBehind = system?.book === file.reach.book && system.no < file.reach.no;
  if (verdict === 'file') return isBehind && !found.isInUse ? OLDER : undefined;
  return verdict === 'system'
    ? 'The list of what you have withdrawn, withdrawn.jsonl, is missing, damaged or older than it should be. If you have the newer file, put it back now. Otherwise the next start begins it anew, and everything stays as it is.'
    : 'Your partners and what you share are older than they were, or may be, and the list of what you have withdrawn, withdrawn.jsonl, is not as new as it was. If you have the newer files, put all of them back now. Otherwise partners can’t read anything until you review what you share with each, and signed-in windows are signed out.';
}

const OLDER =
  'The data is older than the list of what you have withdrawn, withdrawn.jsonl: an older copy was put back, or the program was ended in the middle of a change. If you have the newer files, put all of them back. Otherwise what was withdrawn, revoked or paused stays so, and the next start says so.';
