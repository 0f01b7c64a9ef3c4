import { isNaming } from '../../lists/rows/row-titles.ts';
import type { Lists } from '../../lists/lists.ts';
import type { ListsChange, Module } from '../../lists/definitions/model.ts';
import type { Partition } from '../../store/store.ts';
import type { FederationContext } from '../context.ts';
import { everyValue } from '../../store/every-entry.ts';
import type { Exposure } from '../model.ts';
import { EXPOSURES } from '../tables.ts';
import { keepTitles, titlePinsFor, pinsFor, unpinTitles } from './exposure-pins.ts';

/** Keeps the titles of references as they were chosen, whatever happens to the naming columns. */
export interface PinUpkeep {
  /** Pins the former default of an exposure from before pins, so that nothing else takes its place. */
  pinOne(exposure: Exposure, module: Module): Promise<void>;
  /**
   * A column that stops holding names, for example because it refers to a third list, is no title from then
   * on: if it holds texts again, these aren't the ones that were chosen.
   */
  follow(change: ListsChange): Promise<void>;
  /** Does the same for changes that a crash prevented from being followed. */
  followAll(modules: Iterable<Module>): Promise<void>;
}

/** Yields all exposures with all partners, including ended ones. */
export const everyExposure = (system: Pick<Partition, 'page'>): AsyncGenerator<Exposure> =>
  everyValue(system, EXPOSURES);

/** Creates the service that keeps chosen title columns as they are. */
export function createPinUpkeep(
  context: Pick<FederationContext, 'system' | 'changed'>,
  lists: Pick<Lists, 'modules' | 'keepTitles'>,
): PinUpkeep {
  const { system } = context;

  /**
   * Replaces, in all shares, the pins of these columns by "none chosen" and notifies listeners of each change.
   * @param nameless ids of columns that can't be titles
   */
  async function unpin(nameless: ReadonlySet<string>): Promise<void> {
    if (nameless.size === 0) return;
    for await (const { nodeID, moduleID } of everyExposure(system)) {
      const isChanged = await system.transaction(async (tx) => {
        const exposure = await tx.get(EXPOSURES, moduleID);
        const titlePins = unpinTitles(exposure?.titlePins, nameless);
        if (!exposure || !titlePins) return false;
        tx.put(EXPOSURES, moduleID, { ...exposure, titlePins });
        return true;
      });
      if (isChanged) context.changed({ kind: 'exposure', nodeID, moduleID });
    }
  }

  return {
    /** Stores the default title columns of an exposure that has no pins stored, and tracks their changes. */
    async pinOne({ moduleID, fieldIDs, titlePins }, module) {
      if (titlePins !== undefined) return;
      const pins = await pinsFor(lists, module, undefined);
      keepTitles(lists, module, titlePinsFor(fieldIDs, pins));
      await system.transaction(async (tx) => {
        const exposure = await tx.get(EXPOSURES, moduleID);
        if (exposure?.titlePins !== undefined || !exposure) return;
        tx.put(EXPOSURES, moduleID, { ...exposure, titlePins: titlePinsFor(exposure.fieldIDs, pins) });
      });
    },
    /** Unpins the columns of a changed list that could be titles before the change and can't now. */
    async follow(change) {
      if (change.kind !== 'list' || change.change !== 'changed' || !change.before) return;
      const named = new Set(change.before.fields.filter(({ kind }) => isNaming(kind)).map(idOf));
      const nameless = namelessOf(change.module).filter((fieldID) => named.has(fieldID));
      await unpin(new Set(nameless));
    },
    followAll: (modules) => unpin(new Set([...modules].flatMap(namelessOf))),
  };
}

const idOf = ({ fieldID }: Module['fields'][number]): string => fieldID;

const namelessOf = ({ fields }: Module): string[] => fields.filter(({ kind }) => !isNaming(kind)).map(idOf);
