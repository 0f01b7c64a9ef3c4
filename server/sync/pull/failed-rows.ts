import { everyEntry } from '../../store/every-entry.ts';
import type { Store } from '../../store/store.ts';
import { listPartition } from '../../lists/rows/row-table.ts';
import type { ListStates } from '../status/list-states.ts';
import type { SyncFederation } from '../ports.ts';
import { FAILED, type FailedRow } from '../tables.ts';
import type { ListLocks } from './list-locks.ts';
import type { RunResult } from './pull-partner.ts';
import { findMappedTargets } from './targets.ts';

export interface WaitingRow extends FailedRow {
  readonly moduleID: string;
}

export const MAX_FAILED = 100;
const MAX_IN_MEMORY = 10;

interface FailedRowsDeps {
  readonly store: Store;
  readonly federation: Pick<SyncFederation, 'mappings'>;
  readonly states: ListStates;
  readonly turns: ListLocks;
  readonly pull: (nodeID: string) => Promise<RunResult>;
  readonly onStatus: (nodeID: string) => void;
}

/** By local offer id. User actions preempt a running pull. */
export class FailedRows {
  readonly #deps: FailedRowsDeps;

  constructor(deps: FailedRowsDeps) {
    this.#deps = deps;
  }

  /** Returns the first 100 failed rows of one offer, or of all. */
  async list(nodeID: string, sharedModuleID?: string): Promise<WaitingRow[]> {
    const found: WaitingRow[] = [];
    for (const target of await findMappedTargets(this.#deps.federation, nodeID, sharedModuleID)) {
      for await (const row of this.#rowsIn(target.sharedModuleID, target.moduleID)) {
        if (found.length === MAX_FAILED) return found;
        found.push({ ...row, moduleID: target.moduleID });
      }
    }
    return found;
  }

  /** Returns how many rows of all lists the last pulls couldn't apply. */
  async count(nodeID: string): Promise<number> {
    const counts = (await findMappedTargets(this.#deps.federation, nodeID)).map(
      ({ sharedModuleID, moduleID }) => this.#deps.states.get(sharedModuleID, moduleID)?.couldNotApply ?? 0,
    );
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /** Retries failed rows by pulling all of a partner's lists. */
  retry(nodeID: string): Promise<RunResult> {
    return this.#deps.pull(nodeID);
  }

  /**
   * Forgets the failed rows of an offer (our id) under its lock, which interrupts a pull, and reports the status.
   * Returns their number. They come again when the partner changes them.
   */
  async discard(nodeID: string, offerID: string): Promise<number> {
    const { federation, turns, onStatus } = this.#deps;
    let forgotten = 0;
    for (const { sharedModuleID, moduleID } of await findMappedTargets(federation, nodeID, offerID))
      forgotten += await turns.runDecision(sharedModuleID, () => this.#discardIn(sharedModuleID, moduleID));
    onStatus(nodeID);
    return forgotten;
  }

  /** Yields an offer's failed rows in one of our lists. */
  async *#rowsIn(sharedModuleID: string, moduleID: string): AsyncGenerator<FailedRow> {
    const partition = await this.#deps.store.partition(listPartition(moduleID));
    for await (const { value } of everyEntry(partition, FAILED, MAX_IN_MEMORY))
      if (value.sharedModuleID === sharedModuleID) yield value;
  }

  /** Deletes an offer's failed rows of one list and sets their count in its state to 0; returns their number. */
  async #discardIn(sharedModuleID: string, moduleID: string): Promise<number> {
    const { store, states } = this.#deps;
    const partition = await store.partition(listPartition(moduleID));
    const forgotten = await partition.transaction(async (tx) => {
      const rows = await tx.find(FAILED, 'shared', sharedModuleID);
      for (const { key } of rows) tx.delete(FAILED, key);
      return rows.length;
    });
    const state = states.get(sharedModuleID, moduleID);
    if (state) await states.put({ ...state, couldNotApply: 0 });
    return forgotten;
  }
}
