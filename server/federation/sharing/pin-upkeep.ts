import { isNaming } from '../../lists/rows/row-titles.ts';
import type { Lists } from '../../lists/lists.ts';
import type { ListsChange, Module } from '../../lists/definitions/model.ts';
import type { Partition } from '../../store/store.ts';
import type { FederationContext } from '../context.ts';
import { everyValue } from '../../store/every-entry.ts';
import type { Exposure } from '../model.ts';
import { EXPOSURES } from '../tables.ts';
import { keepTitles, pinsToStore, requestedPins, unpinTitles } from './exposure-pins.ts';

export interface PinUpkeep {
  /** Stores an older exposure's default titles, and has their changes recorded. */
  pinOne(exposure: Exposure, module: Module): Promise<void>;
  /**
   * Unpins columns that were deleted (also by their list) or can't be titles any more; our user chooses again
   * once they are back.
   */
  applyListChange(change: ListsChange): Promise<void>;
  /** Likewise in all shares, after changes missed by a crash. */
  applyMissedChanges(modules: Iterable<Module>): Promise<void>;
}

export const everyExposure = (system: Pick<Partition, 'page'>): AsyncGenerator<Exposure> =>
  everyValue(system, EXPOSURES);

/**
 * Creates the service that adapts the titles shown for references to changed lists. Titles that a list can't give any
 * more become "none chosen".
 */
export function createPinUpkeep(
  context: Pick<FederationContext, 'system' | 'notifyChanged'>,
  lists: Pick<Lists, 'modules' | 'keepTitles'>,
): PinUpkeep {
  const { system } = context;

  /**
   * In all shares sets title columns for which `isNameless` is true (by id) to "none chosen" and announces changed
   * shares.
   */
  async function unpinColumns(isNameless: (fieldID: string) => boolean): Promise<void> {
    for await (const known of everyExposure(system)) {
      if (!unpinTitles(known, isNameless)) continue;
      const { nodeID, moduleID } = known;
      const isChanged = await system.transaction(async (tx) => {
        const exposure = await tx.get(EXPOSURES, moduleID);
        const unpinned = exposure && unpinTitles(exposure, isNameless);
        if (!unpinned) return false;
        tx.put(EXPOSURES, moduleID, { ...exposure, ...unpinned });
        return true;
      });
      if (isChanged) context.notifyChanged({ kind: 'exposure', nodeID, moduleID });
    }
  }

  return {
    /**
     * Stores the default title columns of an older version's share, which has none stored. Keeps their titles before
     * that.
     */
    async pinOne({ moduleID, fieldIDs, titlePins }, module) {
      if (titlePins !== undefined) return;
      const pins = await requestedPins(lists, module, undefined);
      keepTitles(lists, module, pinsToStore(fieldIDs, pins));
      await system.transaction(async (tx) => {
        const exposure = await tx.get(EXPOSURES, moduleID);
        if (exposure?.titlePins !== undefined || !exposure) return;
        tx.put(EXPOSURES, moduleID, { ...exposure, titlePins: pinsToStore(exposure.fieldIDs, pins) });
      });
    },
    /**
     * After a list's change or deletion, unpins titles that its columns can't give any more, and announces those
     * shares. Once one is back, our user chooses again.
     */
    async applyListChange(change) {
      if (change.kind !== 'list') return;
      const before = change.change === 'removed' ? change.module : change.before;
      const now = new Set(change.change === 'removed' ? [] : namingIDs(change.module));
      const nameless = new Set(before && namingIDs(before).filter((fieldID) => !now.has(fieldID)));
      if (nameless.size > 0) await unpinColumns((fieldID) => nameless.has(fieldID));
    },
    /** Unpins in all shares the titles that none of these lists can give, after changes missed by a crash. */
    applyMissedChanges(modules) {
      const naming = new Set([...modules].flatMap(namingIDs));
      return unpinColumns((fieldID) => !naming.has(fieldID));
    },
  };
}

/** Returns the ids of columns that can be titles. */
const namingIDs = ({ fields }: Module): string[] =>
  fields.filter(({ kind }) => isNaming(kind)).map(({ fieldID }) => fieldID);
