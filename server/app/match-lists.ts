import type { Federation } from '../federation/federation.ts';
import type { Mapping } from '../federation/model.ts';
import type { Field } from '../lists/definitions/model.ts';
import type { Lists } from '../lists/lists.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { Refusal } from '../base/refusal.ts';
import type { UndoMatching } from '../lists/rows/undo.ts';
import type { Matching } from '../lists/rows/undo-log.ts';
import type { Sync } from '../sync/sync.ts';
import { said } from '../words/said.ts';

interface MatchDeps {
  readonly federation: Pick<Federation, 'mappings' | 'shared'>;
  readonly lists: Pick<Lists, 'rows' | 'isUnreadable'>;
  readonly sync: Pick<Sync, 'poke' | 'whenIdle' | 'forgetList'>;
}

const matchingOf = ({ fields }: Mapping): Matching =>
  fields.map(({ origin, destination }) => ({ origin: origin.name, destination: destination.name }));

const nameOf = ({ name }: { readonly name: string }): string => name;

/** Stores the matches as the offer's mapping into a list; those of `binned` columns wait for them to be restored. */
async function setMatching(
  { federation }: Pick<MatchDeps, 'federation'>,
  offer: { readonly nodeID: string; readonly sharedModuleID: string },
  moduleID: string,
  matching: Matching,
  binned: readonly Field[] = [],
): Promise<void> {
  await federation.mappings.set(offer.nodeID, offer.sharedModuleID, {
    composeModuleID: moduleID,
    binned,
    fields: matching.map(({ origin, destination }) => ({
      origin: { name: origin },
      destination: { name: destination },
    })),
    shape: 1,
  });
}

/**
 * Maps an offer (`offer`: our id or the partner's) to our list, or changes the mapping; logs an undo step and starts a
 * sync. Throws `Refusal`.
 */
export async function matchList(
  deps: MatchDeps,
  ourOrSharedID: string,
  offer: string,
  { moduleID, matches, by }: { readonly moduleID: string; readonly matches: Matching; readonly by: string },
): Promise<void> {
  const { federation, lists, sync } = deps;
  const { nodeID, moduleID: sharedModuleID, name } = await federation.shared.get(ourOrSharedID, offer);
  const known = (await federation.mappings.list(ourOrSharedID)).find(
    (mapping) => mapping.federationModuleID === sharedModuleID && mapping.composeModuleID === moduleID,
  );
  await setMatching(deps, { nodeID, sharedModuleID }, moduleID, matches);
  const change = {
    nodeID,
    sharedModuleID,
    became: matches,
    ...omitUndefined({ was: known && matchingOf(known) }),
  };
  await (await lists.rows(moduleID)).logMatching(change, name, by);
  sync.poke(nodeID);
}

/**
 * Ends all mappings of an offer, with a step in each readable list's undo log. `rows: 'bin'` moves rows that only this
 * partner brings to the bin, and returns their number (`keep`: 0). Throws `mapping.mixed` (409) if another offer's rows
 * would go too.
 */
export async function unmatchList(
  deps: MatchDeps,
  ourOrSharedID: string,
  offer: string,
  { rows, by }: { readonly rows: 'keep' | 'bin'; readonly by: string },
): Promise<{ readonly rows: number }> {
  const { federation, lists, sync } = deps;
  const { name, moduleID: offerID } = await federation.shared.get(ourOrSharedID, offer);
  if (rows === 'bin') assertUnmixed(await federation.mappings.list(ourOrSharedID), offerID);
  let moved = 0;
  for (const mapping of await federation.mappings.remove(ourOrSharedID, offer)) {
    const { nodeID, composeModuleID, federationModuleID: sharedModuleID } = mapping;
    if (await lists.isUnreadable(composeModuleID)) continue;
    if (rows === 'bin') await stopReading(sync, nodeID, composeModuleID);
    const change = { nodeID, sharedModuleID, was: matchingOf(mapping) };
    moved += await (await lists.rows(composeModuleID)).logMatching(change, name, by, rows);
  }
  return { rows: moved };
}

/** Throws `mapping.mixed` (409) if another of these mappings' offers fills the same list: rows don't record theirs. */
function assertUnmixed(mappings: readonly Mapping[], offer: string): void {
  const into = mappings.filter(({ federationModuleID }) => federationModuleID === offer);
  const isMixed = mappings.some(
    ({ federationModuleID, composeModuleID }) =>
      federationModuleID !== offer && into.some((each) => each.composeModuleID === composeModuleID),
  );
  if (isMixed) throw new Refusal('conflict', 'mapping.mixed', said('match.mixed'));
}

/** Waits for a page being applied, then deletes the checkpoint: a new mapping reads from the beginning. */
async function stopReading(sync: MatchDeps['sync'], nodeID: string, moduleID: string): Promise<void> {
  await sync.whenIdle(nodeID);
  await sync.forgetList(nodeID, moduleID);
}

/**
 * Returns the undo of a mapping step: it restores `was`, as far as its columns exist or are binned, and has the partner
 * pulled; or removes a new mapping with its checkpoint. Nothing for a removed partner. Throws `undo.matching-gone` (409)
 * if no column exists any more, `undo.matching-elsewhere` (409) if the offer fills another list.
 */
export const createMatchingUndo =
  (deps: {
    readonly federation: Pick<Federation, 'mappings' | 'shared' | 'nodes'>;
    readonly sync: MatchDeps['sync'];
    readonly lists: Pick<Lists, 'module' | 'binnedColumns'>;
  }): UndoMatching =>
  async (moduleID, { nodeID, sharedModuleID, was }) => {
    const { federation, lists, sync } = deps;
    // A partner the user disconnected has no mappings.
    if (!(await federation.nodes.list()).some((node) => node.nodeID === nodeID)) return;
    const present = (await federation.mappings.list(nodeID)).filter(
      (mapping) => mapping.federationModuleID === sharedModuleID,
    );
    const isMatched = present.some((mapping) => mapping.composeModuleID === moduleID);
    if (was) {
      const [other] = present;
      if (other && !isMatched) {
        const { name: list } = await lists.module(other.composeModuleID);
        throw new Refusal('conflict', 'undo.matching-elsewhere', said('undo.matching-elsewhere', { list }));
      }
      const offered = new Set((await federation.shared.get(nodeID, sharedModuleID)).fields.map(nameOf));
      // Read before the present columns, so that one restored meanwhile is in one of both.
      const binned = (await lists.binnedColumns(moduleID)).map(({ field }) => field);
      const ours = new Set([...(await lists.module(moduleID)).fields, ...binned].map(nameOf));
      const there = was.filter(({ origin, destination }) => offered.has(origin) && ours.has(destination));
      if (there.length === 0) throw new Refusal('conflict', 'undo.matching-gone', said('undo.matching-gone'));
      await setMatching(deps, { nodeID, sharedModuleID }, moduleID, there, binned);
      sync.poke(nodeID);
      return;
    }
    if (isMatched) await federation.mappings.remove(nodeID, sharedModuleID, moduleID);
    await stopReading(sync, nodeID, moduleID);
  };
