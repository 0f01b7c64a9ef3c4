import type { SharedModule } from '../../federation/model.ts';
import type { IncomingRow } from '../../lists/definitions/model.ts';
import type { Rows } from '../../lists/rows/rows.ts';
import { sourceFrom } from '../../lists/rows/sources.ts';
import { compareTimes, laterOf } from '../../lists/values/times.ts';
import type { Partition } from '../../store/store.ts';
import { REJECTED_DELETIONS, rowKey, type RejectedDeletion } from '../tables.ts';
import type { PulledPage } from './pages.ts';

/** Opens the record of an offer's rows that our user kept although the partner deleted or emptied them. */
export async function openRejectedDeletions(
  partition: Partition,
  rows: Rows,
  shared: Pick<SharedModule, 'nodeID' | 'moduleID'>,
): Promise<RejectedDeletions> {
  const found = await partition.find(REJECTED_DELETIONS, 'shared', shared.moduleID);
  return new RejectedDeletions(
    partition,
    rows,
    shared,
    new Map(found.map(({ value }) => [value.recordID, value])),
  );
}

export class RejectedDeletions {
  /** By the partner's row id. */
  readonly byID: Map<string, RejectedDeletion>;
  readonly #partition: Partition;
  readonly #rows: Rows;
  readonly #shared: Pick<SharedModule, 'nodeID' | 'moduleID'>;

  constructor(
    partition: Partition,
    rows: Rows,
    shared: Pick<SharedModule, 'nodeID' | 'moduleID'>,
    byID: Map<string, RejectedDeletion>,
  ) {
    this.#partition = partition;
    this.#rows = rows;
    this.#shared = shared;
    this.byID = byID;
  }

  /**
   * Returns a page's rows; if the read repeats known rows, without versions that our user rejected and, unless read by
   * time, without versions of kept rows that aren't newer than ours.
   */
  async filterStale(
    sent: readonly IncomingRow[],
    { whole, resync, byTime }: Omit<PulledPage, 'records' | 'bad'>,
  ): Promise<readonly IncomingRow[]> {
    if (this.byID.size === 0 || !(whole || resync || byTime)) return sent;
    const records = sent.filter((record) => !this.#isRejectedVersion(record));
    const asked = byTime ? [] : records.filter(({ recordID }) => this.byID.has(recordID));
    if (asked.length === 0) return records;
    const { nodeID } = this.#shared;
    const ids = asked.map(({ recordID }) => recordID);
    const ours = await this.#rows.findReceived(nodeID, ids);
    const old = new Set(
      asked.filter(({ updatedAt, deletedAt }, at) => {
        const row = ours[at];
        const known = row && sourceFrom(row, nodeID);
        return (
          known && compareTimes(laterOf(updatedAt, deletedAt), laterOf(known.updatedAt, known.deletedAt)) <= 0
        );
      }),
    );
    return records.filter((record) => !old.has(record));
  }

  /** Returns whether this is the very version that our user rejected. */
  #isRejectedVersion({ recordID, updatedAt, deletedAt }: IncomingRow): boolean {
    const at = this.byID.get(recordID)?.at;
    return at !== undefined && compareTimes(at, laterOf(updatedAt, deletedAt)) === 0;
  }

  /**
   * Deletes records of kept rows that were deleted here, or that a list which went back sent again by another id; from
   * memory first.
   */
  async deleteObsolete(): Promise<void> {
    if (this.byID.size === 0) return;
    const ids = [...this.byID.keys()];
    const ours = await this.#rows.findReceived(this.#shared.nodeID, ids);
    const again = ids.filter((recordID, at) => {
      const row = ours[at];
      return row ? row.deletedAt !== undefined : this.byID.get(recordID)?.wentBack === true;
    });
    if (again.length === 0) return;
    for (const recordID of again) this.byID.delete(recordID);
    await this.#partition.transaction((tx) => {
      for (const recordID of again) tx.delete(REJECTED_DELETIONS, rowKey(this.#shared.moduleID, recordID));
    });
  }
}
