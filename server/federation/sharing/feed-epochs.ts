import { randomBytes } from 'node:crypto';
import type { Rows } from '../../lists/rows/rows.ts';
import type { Partition, Table } from '../../store/store.ts';
import { sha256 } from '../../base/hashes.ts';
import type { Exposure, Node } from '../model.ts';

/** A list's present run of sequence numbers, with the greatest seen. */
const FEED_LINES: Table<Line> = { name: 'feed-line' };

interface Line {
  readonly id: string;
  readonly seq: number;
}

/** The store skips 2^20 numbers per lost second, or after a restore (`seqAfterLoss`). */
const JUMP = 2 ** 19;
const NOTED_EVERY = 2 ** 18;

/** Change it when readers of earlier versions must read again. */
const TELLS = 'places';

/** A new epoch, by other columns or an older store, makes the partner read from the beginning. */
export interface FeedEpochs {
  /** Returns the present epoch; stores a new one if the list's `lastSeq` jumped or went back. */
  get(exposure: Exposure, node: Node, lastSeq: number): Promise<string>;
  /** Returns an opaque name of the list's state up to this number, whatever follows. */
  state(exposure: Exposure, rows: Numbered, seq: number): Promise<string>;
  /**
   * Returns whether the list still has that state up to `seq`; not after a restore. True for older versions'
   * states, whose epoch differs anyway.
   */
  isKnown(exposure: Exposure, rows: Numbered, state: string, seq: number): Promise<boolean>;
}

type Numbered = Pick<Rows, 'lastSeq' | 'runAt' | 'isOfRun'>;

/** Creates the names by which a partner recognises that our change numbers don't continue; stored in `system`. */
export function createFeedEpochs(system: Partition): FeedEpochs {
  /**
   * Returns the name of the list's run of change numbers; begins another if they jump, or fall below the stored one.
   */
  async function runIDOf(composeModuleID: string, lastSeq: number): Promise<string> {
    const stepFrom = (known: Line | undefined): number => (known ? lastSeq - known.seq : -1);
    const known = await system.get(FEED_LINES, composeModuleID);
    if (known && stepFrom(known) >= 0 && stepFrom(known) < NOTED_EVERY) return known.id;
    return system.transaction(async (tx) => {
      // A concurrent request may have made it.
      const present = await tx.get(FEED_LINES, composeModuleID);
      const step = stepFrom(present);
      const goesOn = present && step >= 0 && step < JUMP;
      const id = goesOn ? present.id : randomBytes(12).toString('hex');
      if (!goesOn || step >= NOTED_EVERY) tx.put(FEED_LINES, composeModuleID, { id, seq: lastSeq });
      return id;
    });
  }

  return {
    /** Returns a digest of the run of numbers, shared columns, titles and the partner's installation. */
    async get(exposure, node, lastSeq) {
      const line = await runIDOf(exposure.composeModuleID, lastSeq);
      const columns = exposure.fields.map(({ name, kind, isMulti }) => [name, kind, isMulti]);
      const { moduleID, fieldIDs, titlePins = {} } = exposure;
      // Unshared columns show no titles.
      const shown = Object.entries(titlePins).filter(([fieldID]) => fieldIDs.includes(fieldID));
      const pins = shown.length === 0 ? [] : [Object.fromEntries(shown)];
      const text = JSON.stringify([TELLS, line, moduleID, columns, fieldIDs, node.installation, ...pins]);
      return sha256(text).slice(0, 32);
    },
    /** Returns a text by which {@link isKnown} finds out later whether the list went back. */
    async state({ composeModuleID }, rows, seq) {
      return `${TELLS}.${await runIDOf(composeModuleID, await rows.lastSeq())}.${await rows.runAt(seq)}`;
    },
    /** Returns whether our data still continues the `state` a partner had at `seq`; true for another form of state. */
    async isKnown({ composeModuleID }, rows, state, seq) {
      const [tells, line, run = ''] = state.split('.');
      if (tells !== TELLS) return true;
      return line === (await runIDOf(composeModuleID, await rows.lastSeq())) && rows.isOfRun(run, seq);
    },
  };
}
