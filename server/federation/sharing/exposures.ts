import { Refusal } from '../../base/refusal.ts';
import type { Lists } from '../../lists/lists.ts';
import { said } from '../../words/said.ts';
import { findNode } from '../context.ts';
import type { Exposure } from '../model.ts';
import { EXPOSURES } from '../tables.ts';
import type { Conditions } from './conditions.ts';
import { changeShare, shareList, withdrawShare, type ChoiceDeps } from './exposure-choices.ts';
import { unknownExposure, type ExposureInput } from './exposure-parts.ts';
import { createExposureUpkeep, type ExposureUpkeep } from './exposure-upkeep.ts';

/** Shares: what each partner may see (protocol: exposed module). `ourOrSharedID`: as in `findNode`. */
export interface Exposures extends ExposureUpkeep {
  /**
   * Returns open shares, oldest first; with `withdrawn` all.
   * @throws Refusal `node.unknown`
   */
  list(ourOrSharedID: string, options?: { readonly withdrawn?: boolean }): Promise<Exposure[]>;
  /** Returns all shares, even ended ones or a removed partner's. */
  listEver(nodeID: string): Promise<Exposure[]>;
  /** Returns a list's open shares with all partners. */
  ofList(composeModuleID: string): Promise<Exposure[]>;
  /**
   * Returns an open share.
   * @throws Refusal `not-found` (`exposure.unknown`) for another partner's, `gone` (`exposure.withdrawn`)
   */
  get(ourOrSharedID: string, moduleID: string): Promise<Exposure>;
  /**
   * Shares a list.
   * @throws Refusal `conflict` if shared or the name taken, `impossible` for an unknown list or column
   */
  expose(ourOrSharedID: string, input: ExposureInput, by: string): Promise<Exposure>;
  /**
   * Changes a share's columns, names and rows.
   * @throws Refusal like `expose`; `not-found`, `gone`
   */
  change(ourOrSharedID: string, moduleID: string, input: ExposureInput, by: string): Promise<Exposure>;
  /**
   * Withdraws the share from the next request on.
   * @throws Refusal `not-found`, `gone`
   */
  remove(ourOrSharedID: string, moduleID: string, by: string): Promise<Exposure>;
}

/** Creates the store of shares. `onRowsChosen` is called when a share includes other rows than before. */
export function createExposures(
  context: ChoiceDeps['context'],
  lists: Lists,
  conditions: Pick<Conditions, 'saveShare' | 'resetRowFilters'>,
  onRowsChosen: ChoiceDeps['onRowsChosen'] = () => Promise.resolve(),
): Exposures {
  const { system } = context;
  const deps = { context, lists, conditions, onRowsChosen };
  const upkeep = createExposureUpkeep(context, lists, conditions);
  const exposures: Exposures = {
    applyListChange: (change) => upkeep.applyListChange(change),
    applyMissedChanges: () => upkeep.applyMissedChanges(),

    /** Returns all shares, even ended ones or a removed partner's. */
    async listEver(nodeID) {
      return (await system.find(EXPOSURES, 'node', nodeID)).map(({ value }) => value);
    },

    /** Returns a partner's open shares, with `withdrawn` all; oldest first. Throws `node.unknown`. */
    async list(ourOrSharedID, options = {}) {
      const { nodeID } = await findNode(system, ourOrSharedID);
      const all = await exposures.listEver(nodeID);
      return options.withdrawn === true ? all : all.filter(({ deletedAt }) => deletedAt === undefined);
    },

    /** Returns a list's open shares with all partners. */
    async ofList(composeModuleID) {
      const all = (await system.find(EXPOSURES, 'compose', composeModuleID)).map(({ value }) => value);
      return all.filter(({ deletedAt }) => deletedAt === undefined);
    },

    /**
     * Returns an open share. Throws `node.unknown`, `not-found`, also for another partner's, or `exposure.withdrawn`
     * (gone).
     */
    async get(ourOrSharedID, moduleID) {
      const { nodeID } = await findNode(system, ourOrSharedID);
      const exposure = await system.get(EXPOSURES, moduleID);
      if (exposure?.nodeID !== nodeID) throw unknownExposure(moduleID);
      if (exposure.deletedAt !== undefined)
        throw new Refusal('gone', 'exposure.withdrawn', said('share.withdrawn'));
      return exposure;
    },

    expose: async (ourOrSharedID, input, by) =>
      shareList(deps, (await findNode(system, ourOrSharedID)).nodeID, input, by),
    change: async (ourOrSharedID, moduleID, input, by) =>
      changeShare(deps, await exposures.get(ourOrSharedID, moduleID), input, by),
    remove: async (ourOrSharedID, moduleID, by) =>
      withdrawShare(deps, await exposures.get(ourOrSharedID, moduleID), by),
  };
  return exposures;
}
