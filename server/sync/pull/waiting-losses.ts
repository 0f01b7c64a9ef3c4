import { randomBytes } from 'node:crypto';
import { createYielder } from '../../base/yield.ts';
import { listPartition } from '../../lists/rows/row-table.ts';
import type { Entry, Store } from '../../store/store.ts';
import type { SyncFederation } from '../ports.ts';
import { HELD, rowKey, type HeldRow } from '../tables.ts';
import { digestOf, markOf, type WaitingLoss } from './held.ts';
import { targetsOf } from './targets.ts';

const AT_ONCE = 500;

interface WaitingLossesDeps {
  readonly store: Store;
  readonly federation: Pick<SyncFederation, 'mappings'>;
}

/**
 * Finds the rows that wait for a yes, and marks them, so that a yes is to what was shown. One of which no pull has come
 * to its end since is not among them: it may go as one of few.
 */
export class WaitingLosses {
  readonly #deps: WaitingLossesDeps;
  /** Change numbers say what is new only while this runs: older data that is put back has some of them again. */
  readonly #run = randomBytes(6).toString('base64url');
  /** As they were found last: only what is new since is read then. By offer and list of ours. */
  readonly #foundLast = new Map<string, ReadonlyMap<string, WaitingLoss>>();

  constructor(deps: WaitingLossesDeps) {
    this.#deps = deps;
  }

  /** Of one offer, by list of ours, each as it is now. */
  async of(nodeID: string, sharedModuleID: string): Promise<WaitingLoss[][]> {
    const found: WaitingLoss[][] = [];
    for (const target of await targetsOf(this.#deps.federation, nodeID, sharedModuleID))
      found.push(await this.in(target.sharedModuleID, target.moduleID));
    return found;
  }

  /** Those of an offer in one list of ours. */
  async in(sharedModuleID: string, moduleID: string): Promise<WaitingLoss[]> {
    const partition = await this.#deps.store.partition(listPartition(moduleID));
    const before = this.#foundLast.get(rowKey(sharedModuleID, moduleID));
    const found = new Map<string, WaitingLoss>();
    const pause = createYielder();
    const next = (after?: string): Promise<Entry<HeldRow>[]> =>
      partition.page(HELD, { limit: AT_ONCE, ...(after === undefined ? {} : { after }) });
    for (let page = await next(); page.length > 0; page = await next(page.at(-1)?.key)) {
      for (const entry of page) {
        const known = before?.get(entry.key);
        const waits = known?.seq === entry.seq ? known : this.#askedAbout(entry, sharedModuleID, moduleID);
        if (waits) found.set(entry.key, waits);
        await pause();
      }
    }
    if (found.size > 0) this.#foundLast.set(rowKey(sharedModuleID, moduleID), found);
    else this.#foundLast.delete(rowKey(sharedModuleID, moduleID));
    return [...found.values()];
  }

  /** What they are, and up to which change of each list. */
  mark(waiting: readonly (readonly WaitingLoss[])[]): string {
    const newest = waiting.map((rows) => rows.reduce((latest, { seq }) => Math.max(latest, seq), 0));
    return [markOf(waiting.flat()), this.#run, ...newest].join(' ');
  }

  /** Whether these are those that the mark stands for, or some of them. */
  areAmong(waiting: readonly (readonly WaitingLoss[])[], mark: string): boolean {
    const [rows, shownIn, ...newest] = mark.split(' ');
    if (rows === markOf(waiting.flat())) return true;
    const isOld = ({ seq }: WaitingLoss, at: number): boolean => seq <= Number(newest[at] ?? 0);
    return shownIn === this.#run && waiting.every((list, at) => list.every((row) => isOld(row, at)));
  }

  #askedAbout(
    { key, seq, value }: Entry<HeldRow>,
    sharedModuleID: string,
    moduleID: string,
  ): WaitingLoss | undefined {
    if (value.sharedModuleID !== sharedModuleID || value.asked !== true) return undefined;
    const { recordID, kind, ours } = value;
    const whole = async (): Promise<HeldRow | undefined> =>
      (await this.#deps.store.partition(listPartition(moduleID))).get(HELD, key);
    return { recordID, kind, ...(ours ? { ours } : {}), moduleID, digest: digestOf(value), seq, whole };
  }
}
