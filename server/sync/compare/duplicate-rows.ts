import type { Rows } from '../../lists/rows/rows.ts';
import type { Lists } from '../../lists/lists.ts';
import type { SyncFederation } from '../ports.ts';
import type { ListStates } from '../status/list-states.ts';
import { findDuplicates, type Duplicate } from './duplicates.ts';

interface DuplicateFinderDeps {
  readonly lists: Pick<Lists, 'rows' | 'module'>;
  readonly federation: Pick<SyncFederation, 'nodes' | 'mappings' | 'tokens'>;
  readonly states: ListStates;
  readonly onStatus: (nodeID: string) => void;
}

/** Each before the arrived row, in the list's earlier order. */
export interface DuplicateRows {
  readonly recordIDs: readonly string[];
  readonly which: ReadonlyMap<string, 'before' | 'came'>;
  readonly pairs: readonly Duplicate[];
  readonly columns: readonly string[];
}

/**
 * Finds a partner's rows that equal rows in our list, and stores how many remain of the first pull's. Callers
 * read page by page, so the same rows give the same object.
 */
export type FindDuplicateRows = (
  nodeID: string,
  sharedModuleID: string,
  moduleID: string,
) => Promise<DuplicateRows>;

/** Valid up to this change of the list. */
interface LastResult {
  readonly key: string;
  readonly seq: number;
  readonly pairs: readonly Duplicate[];
  readonly rows: DuplicateRows;
}

export const NO_DUPLICATES: DuplicateRows = { recordIDs: [], which: new Map(), pairs: [], columns: [] };
const MAX_CHANGES = 10_000;

/**
 * Creates the search for duplicates, which reuses its last result while the list only loses rows. Each search stores
 * how many remain.
 */
export function createDuplicateFinder(deps: DuplicateFinderDeps): FindDuplicateRows {
  const { lists, federation, states, onStatus } = deps;
  let last: LastResult | undefined;

  /** Stores and reports how many duplicates remain; a no-op if unchanged or the first pull found none. */
  async function recordRemaining(
    nodeID: string,
    key: readonly [string, string],
    left: number,
  ): Promise<void> {
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
    if (!mapping) return NO_DUPLICATES;
    const rows = await lists.rows(moduleID);
    const names = new Set((await lists.module(moduleID)).fields.map(({ name }) => name));
    const columns = mapping.fields
      .filter(({ parked, destination }) => parked === undefined && names.has(destination.name))
      .map(({ destination }) => destination.name);
    const installation = await federation.tokens.installation(await federation.nodes.get(nodeID));
    const key = JSON.stringify([nodeID, sharedModuleID, moduleID, columns, installation]);
    const seq = await rows.lastSeq();
    const known = last?.key === key ? last : undefined;
    let now = known;
    if (now?.seq !== seq) {
      const pairs =
        (known && (await remainingPairs(rows, known))) ??
        (await findDuplicates(rows, { nodeID, installation }, columns));
      now = { key, seq, pairs, rows: pairs === known?.pairs ? known.rows : describePairs(pairs, columns) };
      last = now;
    }
    await recordRemaining(nodeID, [sharedModuleID, moduleID], now.pairs.length);
    return now.rows;
  };
}

/**
 * Returns the pairs left if only rows of these pairs were deleted since; undefined if the list must be scanned (other
 * or too many changes).
 */
async function remainingPairs(
  rows: Pick<Rows, 'changesSince'>,
  { pairs, rows: { which }, seq }: LastResult,
): Promise<readonly Duplicate[] | undefined> {
  const changed = await rows.changesSince({ afterSeq: seq }, MAX_CHANGES);
  if (changed.length === 0) return pairs;
  const gone = new Set<string>();
  for (const { key, value } of changed) {
    if (value.deletedAt === undefined || !which.has(key)) return undefined;
    gone.add(key);
  }
  if (changed.length === MAX_CHANGES) return undefined;
  return pairs.flatMap(({ before, came }) => {
    const left = before.filter((recordID) => !gone.has(recordID));
    return left.length === 0 || gone.has(came) ? [] : [{ before: left, came }];
  });
}

/** Returns the pairs with all row ids, and which row of each came with the partner. */
function describePairs(pairs: readonly Duplicate[], columns: readonly string[]): DuplicateRows {
  const which = new Map(
    pairs.flatMap(({ before, came }) => [
      ...before.map((recordID) => [recordID, 'before'] as const),
      [came, 'came'] as const,
    ]),
  );
  return { recordIDs: [...which.keys()], which, pairs, columns };
}
