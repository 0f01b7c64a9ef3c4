import { Router } from 'express';
import type { Share } from '../../contract/app/sharing.ts';
import { descriptorOf, type RequestedColumn } from '../../federation/sharing/columns.ts';
import { pinsToStore, requestedPins } from '../../federation/sharing/exposure-pins.ts';
import type { Federation } from '../../federation/federation.ts';
import { groupByColumn } from '../../federation/sharing/outgoing.ts';
import type { Ledger } from '../../federation/sharing/ledger.ts';
import type { Exposure } from '../../federation/model.ts';
import type { SharePreview } from '../../federation/sharing/share-preview.ts';
import type { Lists } from '../../lists/lists.ts';
import type { Field, Module, Values } from '../../lists/definitions/model.ts';
import { toCondition, EVERY_ROW } from '../../lists/query/condition.ts';
import { conditionAnswer } from '../../app/condition-answer.ts';
import { formerShares, latestShares } from '../../app/former-shares.ts';
import { handleCall } from './handle-call.ts';
import { shareTitles, countDanglingReferences } from '../../app/share-titles.ts';

const PREVIEW_ROWS = 20;

interface SharesDeps {
  readonly federation: Federation;
  readonly lists: Lists;
  readonly eye: SharePreview;
  readonly ledger: Ledger;
}

/**
 * Serves what a partner may see, by list: present and former shares, setting and ending one, and a preview of rows with
 * how many the partner would see and lose.
 */
export function sharesRouter(deps: SharesDeps): Router {
  const { federation, lists, eye } = deps;
  const { exposures } = federation;
  const router = Router();

  handleCall(router, 'GET /app/partners/:n/shares', async ({ params }) =>
    Promise.all((await exposures.list(params.n)).map((exposure) => shareAnswer(deps, exposure))),
  );
  handleCall(router, 'PUT /app/partners/:n/shares/:m', async ({ params: { n, m }, body, by }) => {
    const input = {
      composeModuleID: m,
      fields: body.fields.map(parseColumn),
      shape: 1 as const,
      ...(body.titles === undefined ? {} : { titlePins: body.titles }),
      ...(body.condition === undefined ? {} : { condition: body.condition }),
    };
    const shown = await findExposure(federation, n, m);
    const exposure = shown
      ? await exposures.change(n, shown.moduleID, input, by)
      : await exposures.expose(n, input, by);
    return shareAnswer(deps, exposure);
  });
  handleCall(router, 'DELETE /app/partners/:n/shares/:m', async ({ params: { n, m }, by }) => {
    const shown = await findExposure(federation, n, m);
    if (shown) await exposures.remove(n, shown.moduleID, by);
  });
  handleCall(router, 'GET /app/partners/:n/former-shares', ({ params }) => formerShares(deps, params.n));
  handleCall(router, 'GET /app/partners/:n/shares/:m/preview', async ({ params, query }) => {
    const module = await lists.module(params.m);
    const isWanted = ({ fieldID, name }: Field): boolean =>
      query.fields.includes(fieldID) || query.fields.includes(name);
    const before = (await latestShares(federation, params.n))(module.moduleID);
    const requested = await requestedPins(lists, module, query.titles);
    const pins = pinsToStore(idsOf(module.fields), requested, before);
    const node = await federation.nodes.get(params.n);
    const condition = query.condition && toCondition(query.condition, module.fields);
    const choice = { fieldIDs: idsOf(module.fields.filter(isWanted)), titlePins: pins, condition };
    const { fields, rows, whole } = await eye.preview(node, module.moduleID, choice, PREVIEW_ROWS);
    const shown = fields.map(({ name }) => name);
    const hidden = module.fields.map(({ name }) => name).filter((name) => !shown.includes(name));
    const nowhere = await countDanglingReferences(lists, module.moduleID, module.fields.filter(isWanted));
    const titles = await shareTitles(lists, module.fields, pins);
    const ofRows = await eye.count(node, module.moduleID);
    const total = condition ? await eye.count(node, module.moduleID, condition) : ofRows;
    const all = (await lists.counts(module.moduleID)).total;
    const shared = await findExposure(federation, params.n, module.moduleID);
    const takenBack =
      shared &&
      (await eye.countRevoked(node, module.moduleID, shared.condition ?? EVERY_ROW, condition ?? EVERY_ROW));
    return {
      shown,
      hidden,
      rows: rows.map(({ recordID, values }, i) => ({
        recordID,
        seen: groupByColumn(values),
        stays: pickValues(whole[i]?.values ?? {}, hidden),
      })),
      references: Object.fromEntries(await lists.references(module.moduleID, whole)),
      titles: titles.map((title) => ({ ...title, nowhere: nowhere.get(title.fieldID) ?? 0 })),
      total,
      ofRows,
      rowsStay: Math.max(0, all - ofRows),
      takenBack: takenBack ?? 0,
    };
  });

  return router;
}

const idsOf = (fields: readonly Field[]): string[] => fields.map(({ fieldID }) => fieldID);

/** The window sends ids, of digits; others names. */
const parseColumn = (text: string): RequestedColumn =>
  /^\d+$/.test(text) ? { fieldID: text, name: text } : { name: text };

/** Returns the list's open share with a partner, if any. */
async function findExposure(
  federation: Federation,
  ourOrSharedID: string,
  moduleID: string,
): Promise<Exposure | undefined> {
  const exposures = await federation.exposures.list(ourOrSharedID);
  return exposures.find((exposure) => exposure.composeModuleID === moduleID);
}

/**
 * Returns an open share for the window. Counts rows that may be sent, 0 for an unreadable list, and those that were.
 */
async function shareAnswer(
  { federation, lists, eye, ledger }: SharesDeps,
  exposure: Exposure,
): Promise<Share> {
  const module: Module = await lists.module(exposure.composeModuleID);
  const names = new Set(exposure.fields.map(({ name }) => name));
  const node = await federation.nodes.get(exposure.nodeID);
  const { condition: by } = exposure;
  const condition = conditionAnswer(by, module.fields);
  const isUnreadable = await lists.isUnreadable(module.moduleID);
  const ofRows = isUnreadable ? 0 : await eye.count(node, module.moduleID);
  const pinned = await federation.liveDefinitions.pinned(exposure, node);
  const sent = (await ledger.totals(exposure.nodeID)).get(exposure.moduleID);
  return {
    exposureID: exposure.moduleID,
    moduleID: module.moduleID,
    listName: module.name,
    fields: exposure.fields.map((field) => ({ ...field })),
    fieldIDs: [...exposure.fieldIDs],
    titles: await shareTitles(
      lists,
      module.fields.filter(({ fieldID }) => exposure.fieldIDs.includes(fieldID)),
      exposure.titlePins ?? {},
    ),
    hidden: module.fields.filter(({ name }) => !names.has(name)).map(descriptorOf),
    formerFieldIDs: idsOf(module.fields).filter(
      (fieldID) =>
        exposure.formerFieldIDs?.includes(fieldID) === true && !exposure.fieldIDs.includes(fieldID),
    ),
    ...(pinned ? { pinned: [...pinned.columns], pinnedName: pinned.name } : {}),
    ...(condition ? { condition } : {}),
    rows: by && !isUnreadable ? await eye.countShared(node, exposure) : ofRows,
    ofRows,
    rowsSent: sent?.rows ?? 0,
    ...(sent === undefined ? {} : { lastServedAt: sent.lastServedAt }),
  };
}

/** Returns the values of these columns, without those that have none. */
function pickValues(values: Values, names: readonly string[]): Record<string, string[]> {
  return Object.fromEntries(
    names.filter((name) => name in values).map((name) => [name, [...(values[name] ?? [])]]),
  );
}
