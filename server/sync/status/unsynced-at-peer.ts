import { forwardedSource } from '../../federation/sharing/visibility.ts';
import type { Node } from '../../federation/model.ts';
import { createYielder } from '../../base/yield.ts';
import type { Lists } from '../../lists/lists.ts';
import { listPartition } from '../../lists/rows/row-table.ts';
import { sourceFrom } from '../../lists/rows/sources.ts';
import type { Store } from '../../store/store.ts';
import { QUARANTINED, REJECTED_DELETIONS } from '../tables.ts';
import { countUnsettled } from './rejected-counts.ts';
import type { ListState, ListStates } from './list-states.ts';

/** Rows that a partner lost and that we don't send it. */
export interface UnsyncedAtPeer {
  /** Deletions that need approval here. */
  readonly lost: number;
  /** Deletions our user rejected. */
  readonly apart: number;
}

type Partner = Pick<Node, 'nodeID' | 'installation'>;

const NONE: UnsyncedAtPeer = { lost: 0, apart: 0 };
const BATCH_ROWS = 500;

/**
 * Returns a function that counts a list's rows that a partner lost and doesn't get back from us: they came through that
 * partner, are gone at another partner too, and exist only here. It caches the last counts.
 */
export function createUnsyncedAtPeer(deps: {
  readonly store: Pick<Store, 'partition'>;
  readonly lists: Pick<Lists, 'rows'>;
  readonly states: Pick<ListStates, 'ofList'>;
}): (moduleID: string, partner: Partner) => Promise<UnsyncedAtPeer> {
  const { store, lists, states } = deps;
  const counted = new Map<string, { readonly as: string; readonly missed: UnsyncedAtPeer }>();

  /**
   * Counts what the partner lost too: quarantined rows (`lost`), and those our user kept (`apart`). `others` are the
   * list's states with other partners, whose data went back.
   */
  async function countUnsynced(
    moduleID: string,
    others: readonly ListState[],
    partner: Partner,
  ): Promise<UnsyncedAtPeer> {
    const partition = await store.partition(listPartition(moduleID));
    let { lost, apart } = NONE;
    for (const { sharedModuleID, nodeID, brake, ...counts } of others) {
      const quarantined = brake?.wentBack ? await partition.find(QUARANTINED, 'shared', sharedModuleID) : [];
      const rejected =
        countUnsettled(counts) > 0 ? await partition.find(REJECTED_DELETIONS, 'shared', sharedModuleID) : [];
      lost += await countNoLongerSent(moduleID, nodeID, rolledBackIDs(quarantined), partner);
      apart += Math.min(
        await countNoLongerSent(moduleID, nodeID, rolledBackIDs(rejected), partner),
        countUnsettled(counts),
      );
    }
    return { lost, apart };
  }

  /**
   * Counts those of the rows `ids`, of the other partner `nodeID`, that are live and aren't sent to `partner`: their
   * sources lead through it, but it isn't one itself.
   */
  async function countNoLongerSent(
    moduleID: string,
    nodeID: string,
    ids: readonly string[],
    partner: Partner,
  ): Promise<number> {
    const pause = createYielder();
    const rows = await lists.rows(moduleID);
    let found = 0;
    for (let at = 0; at < ids.length; at += BATCH_ROWS) {
      for (const row of await rows.findReceived(nodeID, ids.slice(at, at + BATCH_ROWS)))
        if (
          row &&
          row.deletedAt === undefined &&
          !sourceFrom(row, partner.nodeID) &&
          !forwardedSource(row, partner)
        )
          found++;
      await pause();
    }
    return found;
  }

  return async (moduleID, partner) => {
    const others = states
      .ofList(moduleID)
      .filter(
        (state) =>
          state.nodeID !== partner.nodeID && ((state.brake?.wentBack ?? 0) > 0 || countUnsettled(state) > 0),
      );
    if (partner.installation === undefined || others.length === 0) return NONE;
    const lastSeq = await (await lists.rows(moduleID)).lastSeq();
    const as = JSON.stringify([partner.installation, lastSeq, others]);
    const known = counted.get(moduleID);
    if (known?.as === as) return known.missed;
    const found = await countUnsynced(moduleID, others, partner);
    counted.set(moduleID, { as, missed: found });
    return found;
  };
}

/** Returns ids of quarantined rows that went back at the partner. */
function rolledBackIDs(
  rows: readonly { readonly value: { readonly recordID: string; readonly wentBack?: true } }[],
): string[] {
  return rows.filter(({ value }) => value.wentBack === true).map(({ value }) => value.recordID);
}
