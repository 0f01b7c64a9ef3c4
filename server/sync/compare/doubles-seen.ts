import type { Lists } from '../../lists/lists.ts';
import type { SyncFederation } from '../ports.ts';
import type { ListStates } from '../status/list-states.ts';
import { findDoubles, type Doubled } from './doubles.ts';

interface DoublesSeenDeps {
  readonly lists: Lists;
  readonly federation: Pick<SyncFederation, 'nodes' | 'mappings' | 'tokens'>;
  readonly states: ListStates;
  readonly onStatus: (nodeID: string) => void;
}

export type DoublesSeen = (
  nodeID: string,
  sharedModuleID: string,
  moduleID: string,
) => Promise<readonly Doubled[]>;

/** Rows that are there twice, as they are looked at: how many are left is noted, so that it is told no longer than true. */
export function createDoublesSeen(deps: DoublesSeenDeps): DoublesSeen {
  const { lists, federation, states, onStatus } = deps;
  /** One looks at a page after the other: the last ones are kept while nothing in the list changes. */
  let last: { readonly key: string; readonly found: readonly Doubled[] } | undefined;

  async function note(nodeID: string, key: readonly [string, string], left: number): Promise<void> {
    const state = states.get(...key);
    if (state?.doubles === undefined || (state.doublesLeft ?? state.doubles) === left) return;
    await states.put({ ...state, doublesLeft: left });
    onStatus(nodeID);
  }

  return async (nodeID, sharedModuleID, moduleID) => {
    const mapping = (await federation.mappings.list(nodeID)).find(
      ({ federationModuleID, composeModuleID }) =>
        federationModuleID === sharedModuleID && composeModuleID === moduleID,
    );
    if (!mapping) return [];
    const rows = await lists.rows(moduleID);
    const names = new Set((await lists.module(moduleID)).fields.map(({ name }) => name));
    const columns = mapping.fields
      .filter(({ parked, destination }) => parked === undefined && names.has(destination.name))
      .map(({ destination }) => destination.name);
    const installation = await federation.tokens.installation(await federation.nodes.get(nodeID));
    const key = JSON.stringify([
      nodeID,
      sharedModuleID,
      moduleID,
      columns,
      installation,
      await rows.lastSeq(),
    ]);
    if (last?.key !== key) last = { key, found: await findDoubles(rows, { nodeID, installation }, columns) };
    const { found } = last;
    await note(nodeID, [sharedModuleID, moduleID], found.length);
    return found;
  };
}
