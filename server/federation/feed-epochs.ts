import { randomBytes } from 'node:crypto';
import type { Partition, Table } from '../store/store.ts';
import { sha256 } from './hashes.ts';
import type { Exposure, Node } from './model.ts';

/** By the list's id: names the present line of change numbers, and the greatest number that was seen in it. */
const FEED_LINES: Table<{ readonly id: string; readonly seq: number }> = { name: 'feed-line' };

/** The store skips 2^20 numbers a second when changes were lost or a backup was put back (`seqAfterLoss`). */
const JUMP = 2 ** 19;
const NOTED_EVERY = 2 ** 18;

/**
 * Names of what a change feed follows. Another name means that numbers got before say nothing any more: the
 * columns changed, or the store went back to an older state, and rows have to be read from the beginning.
 */
export interface FeedEpochs {
  of(exposure: Exposure, node: Node, lastSeq: number): Promise<string>;
}

export function createFeedEpochs(system: Partition): FeedEpochs {
  /** A jump of the numbers, or a step back, begins a new line. */
  async function lineOf(composeModuleID: string, lastSeq: number): Promise<string> {
    const known = await system.get(FEED_LINES, composeModuleID);
    const step = known ? lastSeq - known.seq : undefined;
    if (known && step !== undefined && step >= 0 && step < NOTED_EVERY) return known.id;
    const goesOn = known && step !== undefined && step >= 0 && step < JUMP;
    const id = goesOn ? known.id : randomBytes(12).toString('hex');
    await system.transaction((tx) => tx.put(FEED_LINES, composeModuleID, { id, seq: lastSeq }));
    return id;
  }

  return {
    async of(exposure, node, lastSeq) {
      const line = await lineOf(exposure.composeModuleID, lastSeq);
      const columns = exposure.fields.map(({ name, kind, isMulti }) => [name, kind, isMulti]);
      const { moduleID, fieldIDs, titlePins = {} } = exposure;
      const pins = Object.keys(titlePins).length === 0 ? [] : [titlePins];
      const text = JSON.stringify([line, moduleID, columns, fieldIDs, node.installation, ...pins]);
      return sha256(text).slice(0, 32);
    },
  };
}
