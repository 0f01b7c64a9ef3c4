import { isDerivedFromKey } from '../../base/installation-key.ts';
import { omit } from '../../base/omit.ts';
import { Refusal } from '../../base/refusal.ts';
import type { Lists } from '../../lists/lists.ts';
import type { Rows } from '../../lists/rows/rows.ts';
import type { Tx } from '../../store/store.ts';
import { said } from '../../words/said.ts';
import { nowOf, type FederationContext } from '../context.ts';
import type { Exposure, Node } from '../model.ts';
import { identityOf } from '../partners/pairing-state.ts';
import { EXPOSURES, NODES } from '../tables.ts';
import { resolveColumns } from './columns.ts';
import type { Conditions } from './conditions.ts';
import {
  changedAt,
  checkNameFree,
  conditionToStore,
  disclosedDefinition,
  latestExposureOf,
  formerExposureOf,
  nonEmpty,
  impossible,
  mustNotBeShared,
  reopenShare,
  unknownExposure,
  writtenMembers,
  type ExposureInput,
  type ListToShare,
} from './exposure-parts.ts';
import { keepTitles, requestedPins } from './exposure-pins.ts';
import { unusedIntervals, PRUNE_FROM } from './unshared-intervals.ts';

export interface ChoiceDeps {
  readonly context: Pick<FederationContext, 'system' | 'clock' | 'ids' | 'log' | 'notifyChanged'>;
  readonly lists: Lists;
  readonly conditions: Pick<Conditions, 'saveShare'>;
  /** Logs that a share gives other rows from now on. */
  readonly onRowsChosen: (exposure: Exposure) => Promise<void>;
}

/**
 * Shares a list and returns the share. Revives a withdrawn share's id, except for a live server. An `input` without
 * condition takes a former share's; a condition goes to the sharing log. Throws `impossible` for an unknown list or
 * column, `conflict` if it is shared already or the name taken.
 */
export async function shareList(
  deps: ChoiceDeps,
  nodeID: string,
  input: ExposureInput,
  by: string,
): Promise<Exposure> {
  const { context, lists, conditions } = deps;
  const list = await listToShare(deps, input);
  const { module } = list;
  const { moduleID } = module;
  const pins = await requestedPins(lists, module, input.titlePins);
  const now = nowOf(context);
  const rows = await lists.rows(moduleID);
  const find = (): Promise<Exposure | undefined> => shareOf(deps, nodeID, moduleID);
  const known = await find();
  const idle = await idleBefore(known, rows);
  const partner = await context.system.get(NODES, nodeID);
  const isLive = partner?.dialect === 'live';
  const earlier = partner && (await earlierExposureOf(deps, partner, moduleID));
  const first = earlier && { firstModuleID: earlier.firstModuleID ?? earlier.moduleID };
  const began = await rows.advanceClock();
  mustNotBeShared(known);
  /**
   * Returns the share to store, a withdrawn one reopened or a new one, and has changes of its titles recorded. Throws
   * `exposure.exists` (conflict) if it is open, `exposure.twin` for a taken name.
   */
  const buildShare = (all: readonly Exposure[]): Exposure => {
    const before = latestExposureOf(all, moduleID);
    mustNotBeShared(before);
    const former = before ?? formerExposureOf(all, moduleID);
    const chosen = {
      ...writtenMembers(input, list, pins, former ?? earlier),
      ...conditionToStore(input, module, former, now),
    };
    keepTitles(lists, module, chosen.titlePins);
    const at = changedAt(now, all);
    const again = before && { ...reopenShare(before, began, idle), ...chosen };
    const made = { moduleID: context.ids.next(), createdAt: at, createdBy: by };
    const exposure: Exposure =
      again === undefined
        ? { nodeID, ...chosen, ...made, began, ...first }
        : isLive
          ? { ...omit(again, 'updatedAt', 'updatedBy', 'chosenFor'), ...made }
          : { ...again, updatedAt: at, updatedBy: by };
    checkNameFree(exposure, all);
    return exposure;
  };
  const ever = await sharesWith(deps, nodeID);
  const wished =
    input.condition === undefined ? formerExposureOf(ever, moduleID)?.condition : input.condition;
  const exposure = await conditions.saveShare(moduleID, find, wished, () =>
    saveForPresentPartner(deps, nodeID, buildShare),
  );
  if (exposure.condition) await recordChoice(deps, exposure);
  return exposure;
}

/**
 * Changes a share's columns, names and rows; another choice of rows goes to the sharing log. Throws `impossible` for
 * another list or unknown columns, `not-found` if withdrawn, `conflict` for a taken name.
 */
export async function changeShare(
  deps: ChoiceDeps,
  { nodeID, moduleID, composeModuleID }: Exposure,
  input: ExposureInput,
  by: string,
): Promise<Exposure> {
  const { context, lists, conditions } = deps;
  if (input.composeModuleID !== composeModuleID) throw impossible('exposure.other-list', said('share.stays'));
  const list = await listToShare(deps, input);
  const { module } = list;
  const pins = await requestedPins(lists, module, input.titlePins);
  let [isOurs, isOther] = [false, false];
  /**
   * Returns the changed share, and has changes of its titles recorded. Sets `isOther` if its condition differs,
   * `isOurs` if partners won't see the change. Throws `not-found`, `exposure.twin`.
   */
  const buildShare = (all: readonly Exposure[]): Exposure => {
    const before = requireOpenShare(all, moduleID);
    const fresh = {
      ...writtenMembers(input, list, pins, before),
      ...conditionToStore(input, module, before, nowOf(context)),
    };
    keepTitles(lists, module, fresh.titlePins);
    const named = {
      handle: nonEmpty(input.handle) ?? before.handle,
      name: nonEmpty(input.name) ?? before.name,
    };
    const exposure = {
      ...omit(before, 'retyped', 'formerFieldIDs', 'formerTitleIDs', 'broken', 'unmirrored'),
      ...fresh,
      ...named,
    };
    checkNameFree(exposure, all);
    isOther = JSON.stringify(before.condition) !== JSON.stringify(exposure.condition);
    isOurs = disclosedDefinition(before) === disclosedDefinition(exposure);
    // Only changed definitions set a time.
    return isOurs ? exposure : { ...exposure, updatedAt: changedAt(nowOf(context), all), updatedBy: by };
  };
  const find = (): Promise<Exposure | undefined> => context.system.get(EXPOSURES, moduleID);
  const exposure = await conditions.saveShare(composeModuleID, find, input.condition, () =>
    saveForPresentPartner(deps, nodeID, buildShare, () => isOurs),
  );
  if (isOther) await recordChoice(deps, exposure);
  return exposure;
}

/**
 * Ends a share from the next request on, and returns it. Then stores when by the list's logical clock; errors of that
 * are only logged. Throws `not-found` if withdrawn already.
 */
export async function withdrawShare(
  deps: ChoiceDeps,
  { nodeID, moduleID, composeModuleID }: Exposure,
  by: string,
): Promise<Exposure> {
  const { context, conditions } = deps;
  /** Returns the open share as ended now by this user, without `retyped`. Throws `not-found` without one. */
  const closeExposure = (_tx: Tx, all: readonly Exposure[]): Exposure => ({
    ...omit(requireOpenShare(all, moduleID), 'retyped'),
    ...{ deletedAt: nowOf(context), updatedBy: by },
  });
  const find = (): Promise<Exposure | undefined> => context.system.get(EXPOSURES, moduleID);
  const removed = await conditions.saveShare(composeModuleID, find, undefined, () =>
    saveShare(deps, nodeID, closeExposure),
  );
  await recordEnd(deps, removed);
  return removed;
}

/** Returns the open share of this id. Throws `not-found` for an unknown or withdrawn one. */
function requireOpenShare(all: readonly Exposure[], moduleID: string): Exposure {
  const exposure = all.find((each) => each.moduleID === moduleID);
  if (!exposure || exposure.deletedAt !== undefined) throw unknownExposure(moduleID);
  return exposure;
}

/**
 * Returns list and columns, after pending column changes. Throws `impossible` for an unknown list or one of another
 * workspace, and for no, unknown or repeated columns.
 */
async function listToShare({ lists }: ChoiceDeps, input: ExposureInput): Promise<ListToShare> {
  await lists.caughtUp();
  const module = await lists.module(input.composeModuleID).catch((error: unknown) => {
    if (error instanceof Refusal && error.kind === 'not-found') return undefined;
    throw error;
  });
  if (!module)
    throw impossible('list.unknown', said('list.unknown-number', { number: input.composeModuleID }));
  if (input.composeNamespaceID !== undefined && input.composeNamespaceID !== module.namespaceID)
    throw impossible('list.other-workspace', said('list.other-workspace'));
  const columns = resolveColumns(input.fields, module.fields);
  if (columns.fields.length === 0) throw impossible('exposure.no-columns', said('share.no-column'));
  return { module, columns };
}

/**
 * Saves and announces a share like {@link saveShare}, marked with the partner's present identity (`chosenFor`): it
 * never applies to another office.
 */
function saveForPresentPartner(
  deps: ChoiceDeps,
  nodeID: string,
  body: (all: readonly Exposure[]) => Exposure,
  ours?: () => boolean,
): Promise<Exposure> {
  /** Returns the share that `body` makes, with the partner's present identity; without one if none is known. */
  const withIdentity = async (tx: Tx, all: readonly Exposure[]): Promise<Exposure> => {
    const partner = await tx.get(NODES, nodeID);
    const chosenFor = partner && identityOf(partner);
    const exposure = omit(body(all), 'chosenFor');
    return chosenFor === undefined ? exposure : { ...exposure, chosenFor };
  };
  return saveShare(deps, nodeID, withIdentity, ours);
}

/**
 * Stores what `body` makes of the partner's shares, even ended ones, and notifies listeners. `ours`, called once
 * stored, says that only our user sees the change.
 */
async function saveShare(
  { context }: ChoiceDeps,
  nodeID: string,
  body: (tx: Tx, all: readonly Exposure[]) => Exposure | Promise<Exposure>,
  ours: () => boolean = () => false,
): Promise<Exposure> {
  const saved = await context.system.transaction(async (tx) => {
    const all = (await tx.find(EXPOSURES, 'node', nodeID)).map(({ value }) => value);
    const exposure = await body(tx, all);
    tx.put(EXPOSURES, exposure.moduleID, exposure);
    return exposure;
  });
  const change = { kind: 'exposure', nodeID, moduleID: saved.moduleID } as const;
  context.notifyChanged(ours() ? { ...change, ours: true } : change);
  return saved;
}

/** Returns all shares with this partner, even ended ones; oldest first. */
const sharesWith = async ({ context }: ChoiceDeps, nodeID: string): Promise<Exposure[]> =>
  (await context.system.find(EXPOSURES, 'node', nodeID)).map(({ value }) => value);

/** Returns this list's latest share with this partner, even withdrawn; undefined if it was never shared. */
const shareOf = async (
  deps: ChoiceDeps,
  nodeID: string,
  composeModuleID: string,
): Promise<Exposure | undefined> => latestExposureOf(await sharesWith(deps, nodeID), composeModuleID);

/**
 * Returns the list's latest exposure to the partner's installation under another record; undefined unless a key proves
 * the installation.
 */
async function earlierExposureOf(
  { context }: ChoiceDeps,
  { nodeID, installation }: Node,
  composeModuleID: string,
): Promise<Exposure | undefined> {
  if (installation === undefined || !isDerivedFromKey(installation)) return undefined;
  return (await context.system.find(EXPOSURES, 'compose', composeModuleID)).findLast(
    ({ value }) => value.nodeID !== nodeID && value.chosenFor === installation && !value.ofAnother,
  )?.value;
}

/** Records in the sharing log which rows were chosen. A failure is only logged: each later entry has the condition. */
async function recordChoice({ context, onRowsChosen }: ChoiceDeps, exposure: Exposure): Promise<void> {
  await onRowsChosen(exposure).catch((error: unknown) =>
    context.log.warn({ err: error }, 'that other rows were chosen is not in the ledger'),
  );
}

/**
 * Advances the list's logical clock and stores it as a share's end, unless the share was renewed meanwhile. An error is
 * only logged: then the system clock's time counts.
 */
async function recordEnd(
  { context, lists }: ChoiceDeps,
  { moduleID, composeModuleID, deletedAt }: Exposure,
): Promise<void> {
  try {
    const ended = await (await lists.rows(composeModuleID)).advanceClock();
    await context.system.transaction(async (tx) => {
      const exposure = await tx.get(EXPOSURES, moduleID);
      if (exposure?.deletedAt === deletedAt && exposure) tx.put(EXPOSURES, moduleID, { ...exposure, ended });
    });
  } catch (error) {
    context.log.info({ err: error }, 'the end of a share is kept by the clock alone');
  }
}

/** Returns the beginnings of unshared intervals that no row depends on; none while there are few. */
async function idleBefore(before: Exposure | undefined, rows: Rows): Promise<ReadonlySet<string>> {
  const { gaps = [] } = before ?? {};
  const idle = gaps.length < PRUNE_FROM ? [] : await unusedIntervals(gaps, rows);
  return new Set([...idle].map(({ from }) => from));
}
