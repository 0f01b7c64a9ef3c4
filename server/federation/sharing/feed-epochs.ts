import { randomBytes } from 'node:crypto';
import type { Rows } from '../../lists/rows/rows.ts';
import type { Partition, Table } from '../../store/store.ts';
import { sha256 } from '../../base/hashes.ts';
import type { Exposure, Node } from '../model.ts';

/** By the list's id: names the present line of change numbers, and the greatest number that was seen in it. */
const FEED_LINES: Table<Line> = { name: 'feed-line' };

interface Line {
  readonly id: string;
  readonly seq: number;
}

/** The store skips 2^20 numbers a second when changes were lost or a backup was put back (`seqAfterLoss`). */
const JUMP = 2 ** 19;
const NOTED_EVERY = 2 ** 18;

/** What rows are told with: whoever read them before has to read them once more. */
const TELLS = 'places';

/**
 * Names of what a change feed follows. Another name means that numbers got before say nothing any more: the
 * columns changed, or the store went back to an older state, and rows have to be read from the beginning.
 */
export interface FeedEpochs {
  get(exposure: Exposure, node: Node, lastSeq: number): Promise<string>;
  /**
   * Names the state of the list up to this number, the greatest that is told, to be sent back with the one that was read
   * up to: {@link isKnown}. What was written behind it says nothing of what was told, and its state is not told either.
   */
  state(exposure: Exposure, rows: Numbered, seq: number): Promise<string>;
  /**
   * Whether the list still holds what a partner read up to this number when the list was in that state. It does not
   * when an older copy of it was put back meanwhile, whatever was written since.
   */
  isKnown(exposure: Exposure, rows: Numbered, state: string, seq: number): Promise<boolean>;
}

type Numbered = Pick<Rows, 'lastSeq' | 'runAt' | 'isOfRun'>;

export function createFeedEpochs(system: Partition): FeedEpochs {
  /** A jump of the numbers, or a step back, begins a new line. */
  async function lineOf(composeModuleID: string, lastSeq: number): Promise<string> {
    const stepFrom = (known: Line | undefined): number => (known ? lastSeq - known.seq : -1);
    const known = await system.get(FEED_LINES, composeModuleID);
    if (known && stepFrom(known) >= 0 && stepFrom(known) < NOTED_EVERY) return known.id;
    return system.transaction(async (tx) => {
      // Whoever asked at the same moment was given a name already: it is one for all.
      const present = await tx.get(FEED_LINES, composeModuleID);
      const step = stepFrom(present);
      const goesOn = present && step >= 0 && step < JUMP;
      const id = goesOn ? present.id : randomBytes(12).toString('hex');
      if (!goesOn || step >= NOTED_EVERY) tx.put(FEED_LINES, composeModuleID, { id, seq: lastSeq });
      return id;
    });
  }

  return {
    async get(exposure, node, lastSeq) {
      const line = await lineOf(exposure.composeModuleID, lastSeq);
      const columns = exposure.fields.map(({ name, kind, isMulti }) => [name, kind, isMulti]);
      const { moduleID, fieldIDs, titlePins = {} } = exposure;
      // Those of columns that are not shared any more show nothing, and go when something else is chosen.
      const shown = Object.entries(titlePins).filter(([fieldID]) => fieldIDs.includes(fieldID));
      const pins = shown.length === 0 ? [] : [Object.fromEntries(shown)];
      const text = JSON.stringify([TELLS, line, moduleID, columns, fieldIDs, node.installation, ...pins]);
      return sha256(text).slice(0, 32);
    },
    async state({ composeModuleID }, rows, seq) {
      return `${TELLS}.${await lineOf(composeModuleID, await rows.lastSeq())}.${await rows.runAt(seq)}`;
    },
    async isKnown({ composeModuleID }, rows, state, seq) {
      const [tells, line, run = ''] = state.split('.');
      // Read with a version that told otherwise: that nothing is known by its number, the epoch says.
      if (tells !== TELLS) return true;
      return line === (await lineOf(composeModuleID, await rows.lastSeq())) && rows.isOfRun(run, seq);
    },
  };
}
