import { isNaming } from '../../lists/rows/row-titles.ts';
import type { Lists } from '../../lists/lists.ts';
import type { ListsChange, Module } from '../../lists/definitions/model.ts';
import type { Partition } from '../../store/store.ts';
import type { FederationContext } from '../context.ts';
import { everyValue } from '../../store/every-entry.ts';
import type { Exposure } from '../model.ts';
import { EXPOSURES } from '../tables.ts';
import { keepTitles, pinsToStore, requestedPins, unpinTitles } from './exposure-pins.ts';

/** Keeps the titles of references as they were chosen. */
export interface PinUpkeep {
  /** Stores the default titles of an exposure of an older version, and makes the lists record their changes. */
  pinOne(exposure: Exposure, module: Module): Promise<void>;
  /** Unpins columns that can't be titles any more: if one holds texts again, these aren't the chosen ones. */
  applyListChange(change: ListsChange): Promise<void>;
  /** Unpins such columns after changes that a crash prevented from being followed. */
  followAll(modules: Iterable<Module>): Promise<void>;
}

/** Yields all exposures with all partners, ended ones included. */
export const everyExposure = (system: Pick<Partition, 'page'>): AsyncGenerator<Exposure> =>
  everyValue(system, EXPOSURES);

/** Creates the service that updates shares' title columns when lists change. */
export function createPinUpkeep(
  context: Pick<FederationContext, 'system' | 'notifyChanged'>,
  lists: Pick<Lists, 'modules' | 'keepTitles'>,
): PinUpkeep {
  const { system } = context;

  /** Replaces these title columns, by id, by "none chosen" in all shares; notifies listeners of each changed share. */
  async function unpinColumns(nameless: ReadonlySet<string>): Promise<void> {
    if (nameless.size === 0) return;
    for await (const { nodeID, moduleID } of everyExposure(system)) {
      const isChanged = await system.transaction(async (tx) => {
        const exposure = await tx.get(EXPOSURES, moduleID);
        const titlePins = unpinTitles(exposure?.titlePins, nameless);
        if (!exposure || !titlePins) return false;
        tx.put(EXPOSURES, moduleID, { ...exposure, titlePins });
        return true;
      });
      if (isChanged) context.notifyChanged({ kind: 'exposure', nodeID, moduleID });
    }
  }

  return {
    /** Stores an older exposure's default titles, if it has none, and makes the lists record their changes. */
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
    /** Unpins the columns of a changed list that could be titles before the change but can't now. */
    async applyListChange(change) {
      if (change.kind !== 'list' || change.change !== 'changed' || !change.before) return;
      const named = new Set(change.before.fields.filter(({ kind }) => isNaming(kind)).map(idOf));
      const nameless = namelessOf(change.module).filter((fieldID) => named.has(fieldID));
      await unpinColumns(new Set(nameless));
    },
    followAll: (modules) => unpinColumns(new Set([...modules].flatMap(namelessOf))),
  };
}

const idOf = ({ fieldID }: Module['fields'][number]): string => fieldID;

const namelessOf = ({ fields }: Module): string[] => fields.filter(({ kind }) => !isNaming(kind)).map(idOf);
