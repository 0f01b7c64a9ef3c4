import { randomBytes } from 'node:crypto';
import { createYielder } from '../../base/yield.ts';
import { listPartition } from '../../lists/rows/row-table.ts';
import type { Entry, Store } from '../../store/store.ts';
import type { SyncFederation } from '../ports.ts';
import { QUARANTINED, rowKey, type QuarantinedRow } from '../tables.ts';
import { digestRow, digestOfRows, type ReviewItem } from './classify.ts';
import { findMappedTargets } from '../pull/targets.ts';

const AT_ONCE = 500;

interface WaitingLossesDeps {
  readonly store: Store;
  readonly federation: Pick<SyncFederation, 'mappings'>;
}

export class Review {
  readonly #deps: WaitingLossesDeps;
  /** Restored data reuses sequence numbers, so they compare only within a run. */
  readonly #run = randomBytes(6).toString('base64url');
  /** By offer and local list ({@link rowKey}). */
  readonly #foundLast = new Map<string, ReadonlyMap<string, ReviewItem>>();

  constructor(deps: WaitingLossesDeps) {
    this.#deps = deps;
  }

  /** Returns an array for each list that the offer fills. */
  async itemsByList(nodeID: string, sharedModuleID: string): Promise<ReviewItem[][]> {
    const found: ReviewItem[][] = [];
    for (const target of await findMappedTargets(this.#deps.federation, nodeID, sharedModuleID))
      found.push(await this.itemsInList(target.sharedModuleID, target.moduleID));
    return found;
  }

  /**
   * Returns an offer's rows in one of our lists that need approval, by key; the same objects while unchanged. They load
   * the whole row on demand.
   */
  async itemsInList(sharedModuleID: string, moduleID: string): Promise<ReviewItem[]> {
    const partition = await this.#deps.store.partition(listPartition(moduleID));
    const before = this.#foundLast.get(rowKey(sharedModuleID, moduleID));
    const found = new Map<string, ReviewItem>();
    const pause = createYielder();
    const next = (after?: string): Promise<Entry<QuarantinedRow>[]> =>
      partition.page(QUARANTINED, { limit: AT_ONCE, ...(after === undefined ? {} : { after }) });
    for (let page = await next(); page.length > 0; page = await next(page.at(-1)?.key)) {
      for (const entry of page) {
        const known = before?.get(entry.key);
        const waits = known?.seq === entry.seq ? known : this.#toItem(entry, sharedModuleID, moduleID);
        if (waits) found.set(entry.key, waits);
        await pause();
      }
    }
    if (found.size > 0) this.#foundLast.set(rowKey(sharedModuleID, moduleID), found);
    else this.#foundLast.delete(rowKey(sharedModuleID, moduleID));
    return [...found.values()];
  }

  /**
   * Returns the text by which an approval names these rows: their digest, this run, and each list's latest sequence
   * number.
   */
  createMark(waiting: readonly (readonly ReviewItem[])[]): string {
    const newest = waiting.map((rows) => rows.reduce((latest, { seq }) => Math.max(latest, seq), 0));
    return [digestOfRows(waiting.flat()), this.#run, ...newest].join(' ');
  }

  /** Returns whether a mark covers all of these rows: it is theirs, or one of this run that has them, among others. */
  matchesMark(waiting: readonly (readonly ReviewItem[])[], mark: string): boolean {
    const [rows, shownIn, ...newest] = mark.split(' ');
    if (rows === digestOfRows(waiting.flat())) return true;
    const isOld = ({ seq }: ReviewItem, at: number): boolean => seq <= Number(newest[at] ?? 0);
    return shownIn === this.#run && waiting.every((list, at) => list.every((row) => isOld(row, at)));
  }

  /**
   * Returns the row for review, with a digest and a loader of the whole; undefined if it is another offer's or needs no
   * approval.
   */
  #toItem(
    { key, seq, value }: Entry<QuarantinedRow>,
    sharedModuleID: string,
    moduleID: string,
  ): ReviewItem | undefined {
    if (value.sharedModuleID !== sharedModuleID || value.asked !== true) return undefined;
    const { recordID, kind, ours } = value;
    const whole = async (): Promise<QuarantinedRow | undefined> =>
      (await this.#deps.store.partition(listPartition(moduleID))).get(QUARANTINED, key);
    return { recordID, kind, ...(ours ? { ours } : {}), moduleID, digest: digestRow(value), seq, whole };
  }
}
