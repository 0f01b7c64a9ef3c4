import type { RestoredAnswer } from '../contract/app/lists.ts';
import type { FormerShare } from '../contract/app/sharing.ts';
import type { Federation } from '../federation/federation.ts';
import type { Exposure, Node } from '../federation/model.ts';
import type { Module } from '../lists/definitions/model.ts';
import type { Lists } from '../lists/lists.ts';
import { conditionAnswer } from './condition-answer.ts';

interface EverShared {
  readonly exposure: Exposure;
  readonly record: Node;
  /** The same office's new record after pairing again. Absent: not connected. */
  readonly connected?: Node;
}

/**
 * Returns all shares, even ended ones and removed partners', that apply to the office they were chosen for. Each with
 * its record and the office's connected record, if any.
 */
async function sharesEver({ nodes, exposures }: Federation): Promise<EverShared[]> {
  const records = await nodes.list({ deleted: true });
  const paired = records.filter(({ status, deletedAt }) => status === 'paired' && deletedAt === undefined);
  const ever = records.map(async (record) => {
    const { nodeID, installation } = record;
    const connected =
      paired.find((other) => other.nodeID === nodeID) ??
      paired.find((other) => installation !== undefined && other.installation === installation);
    const all = await exposures.listEver(nodeID);
    return all.map((exposure) => ({ exposure, record, ...(connected && { connected }) }));
  });
  return (await Promise.all(ever)).flat().filter(({ exposure }) => exposure.ofAnother !== true);
}

/**
 * Returns partners of shares that `isMeant` selects, once each, with their present record, marked if disconnected or
 * without rows. After them connected ones whose present shares showed a deleted column of these as titles.
 */
async function partnersOf(
  federation: Federation,
  { moduleID, fieldIDs }: { readonly moduleID: string; readonly fieldIDs: readonly string[] },
  isMeant: (share: EverShared) => boolean,
): Promise<RestoredAnswer['sharedBefore']> {
  const ever = await sharesEver(federation);
  const meant = ever.filter((share) => share.exposure.composeModuleID === moduleID && isMeant(share));
  const found = new Map(
    meant.map(({ exposure, record, connected }) => {
      const { nodeID, name } = connected ?? record;
      const noRows = exposure.broken !== undefined && exposure.deletedAt === undefined;
      const state = connected ? noRows && { noRows: true as const } : { disconnected: true as const };
      return [nodeID, { nodeID, partner: name, ...state }];
    }),
  );
  const titled = ever.flatMap(({ exposure, connected }) => {
    const { nodeID, composeModuleID, name, deletedAt, formerTitleIDs = [] } = exposure;
    const isMeant =
      connected?.nodeID === nodeID &&
      deletedAt === undefined &&
      formerTitleIDs.some((fieldID) => fieldIDs.includes(fieldID));
    const shownIn = { moduleID: composeModuleID, listName: name };
    return isMeant ? [{ nodeID, partner: connected.name, shownIn }] : [];
  });
  return [...found.values(), ...titled];
}

/** Returns partners that saw a list, or titles of its rows, until its deletion at `since`, ISO 8601. */
export const viewersOfList = (
  federation: Federation,
  { moduleID, fields }: Pick<Module, 'moduleID' | 'fields'>,
  since: string,
): Promise<RestoredAnswer['sharedBefore']> =>
  partnersOf(
    federation,
    { moduleID, fieldIDs: fields.map(({ fieldID }) => fieldID) },
    ({ exposure: { deletedAt = '' } }) => deletedAt >= since,
  );

/**
 * Returns partners that saw one of these columns, or rows chosen by it, until its deletion; not where our user had
 * stopped the share.
 */
export const viewersOfColumns = (
  federation: Federation,
  moduleID: string,
  fieldIDs: readonly string[],
): Promise<RestoredAnswer['sharedBefore']> =>
  partnersOf(federation, { moduleID, fieldIDs }, ({ exposure, connected }) => {
    const { nodeID, deletedAt, fieldIDs: shown, formerFieldIDs = [], condition, broken } = exposure;
    const chosenBy = broken && condition ? condition.parts.map(({ fieldID }) => fieldID) : [];
    // Disconnects and removed columns end shares too; others of a connected partner were stopped by our user.
    const isMeant =
      deletedAt === undefined ||
      connected?.nodeID !== nodeID ||
      shown.every((fieldID) => formerFieldIDs.includes(fieldID));
    return isMeant && [...formerFieldIDs, ...chosenBy].some((fieldID) => fieldIDs.includes(fieldID));
  });

/**
 * Creates a function that returns a list's present or last share with this partner, also under an earlier record of
 * the same office; undefined without one. Throws `node.unknown`.
 */
export async function latestShares(
  federation: Federation,
  ourOrSharedID: string,
): Promise<(moduleID: string) => Exposure | undefined> {
  const { nodeID } = await federation.nodes.get(ourOrSharedID);
  const isOurs = ({ exposure, connected }: EverShared): boolean =>
    exposure.nodeID === nodeID || connected?.nodeID === nodeID;
  const own = (await sharesEver(federation)).filter(isOurs).map(({ exposure }) => exposure);
  const present = own.filter((share) => share.nodeID === nodeID);
  return (moduleID) => {
    const isOfList = ({ composeModuleID }: Exposure): boolean => composeModuleID === moduleID;
    return present.findLast(isOfList) ?? own.findLast(isOfList);
  };
}

/**
 * Returns, by list, the partner's last share if that ended or was with an earlier record of the same office. Only of
 * present lists.
 */
export async function formerShares(
  { federation, lists }: { readonly federation: Federation; readonly lists: Lists },
  ourOrSharedID: string,
): Promise<FormerShare[]> {
  const latestOf = await latestShares(federation, ourOrSharedID);
  const open = new Set(
    (await federation.exposures.list(ourOrSharedID)).map(({ composeModuleID }) => composeModuleID),
  );
  return (await lists.modules()).flatMap(({ moduleID, name, fields }) => {
    const latest = latestOf(moduleID);
    if (!latest || open.has(moduleID)) return [];
    const condition = conditionAnswer(latest.condition, fields);
    const shared = [...latest.fieldIDs, ...(latest.formerFieldIDs ?? [])];
    const fieldIDs = fields.map(({ fieldID }) => fieldID).filter((fieldID) => shared.includes(fieldID));
    return [{ moduleID, listName: name, fieldIDs, ...(condition ? { condition } : {}) }];
  });
}
