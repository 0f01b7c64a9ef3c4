import { omitUndefined } from '../../base/omit-undefined.ts';
import { Refusal } from '../../base/refusal.ts';
import { Router } from 'express';
import type { ListSummary } from '../../contract/app/lists.ts';
import type { Federation } from '../../federation/federation.ts';
import type { Exposure } from '../../federation/model.ts';
import { pinnedColumns } from '../../federation/sharing/exposure-pins.ts';
import type { Lists } from '../../lists/lists.ts';
import type { FieldInput, ModuleInput } from '../../lists/definitions/inputs.ts';
import type { Module } from '../../lists/definitions/model.ts';
import { freeTitle } from '../../lists/definitions/names.ts';
import type { Sync } from '../../sync/sync.ts';
import { findPinnedField } from '../../lists/rows/pinned-titles.ts';
import type { SettingsStore } from '../../app/settings.ts';
import { searchLists, rowChoices, findValuesInUse } from '../../app/search-lists.ts';
import { languageOf } from '../listeners/language.ts';
import { abortOnClose } from '../listeners/abort-on-close.ts';
import { handleCall } from './handle-call.ts';
import { binRouter, listDetailOf } from './bin.ts';
import { partnerNames } from '../../app/partner-names.ts';
import { rowsRouter } from './rows.ts';
import type { ListViews } from '../../lists/views/list-views.ts';
import { said } from '../../words/said.ts';

/** Others are found by typing. */
const MAX_VALUES = 500;

interface ListsDeps {
  readonly lists: Lists;
  readonly federation: Federation;
  readonly sync: Sync;
  readonly settings: Pick<SettingsStore, 'current'>;
}

/**
 * Serves lists: summaries, creation, changes, deletion into the bin, values to choose from, and the search in all of
 * them; also their bins and rows.
 */
export function listsRouter(deps: ListsDeps): Router {
  const { lists } = deps;
  const router = Router();

  handleCall(router, 'GET /app/lists', async () => {
    const names = await partnerNames(deps.federation);
    const all = await lists.modules();
    const exposures = await listExposures(deps.federation);
    const viewers = { names, exposures, titles: titlesByPartner(exposures, all) };
    return Promise.all(all.map((module) => summarizeList(deps, module, viewers)));
  });
  handleCall(router, 'GET /app/search', ({ query: { text }, req }) =>
    searchLists(lists, { text, language: languageOf(req) }, abortOnClose(req)),
  );
  handleCall(router, 'POST /app/lists', async ({ body }) => {
    const { namespaceID } = await lists.defaultNamespace();
    const assertNameAllowed = (): Promise<void> => assertNameFree(lists, namespaceID, body.name);
    return listDetailOf(await lists.createModule(namespaceID, body as ModuleInput, assertNameAllowed));
  });
  handleCall(router, 'GET /app/lists/:m', async ({ params }) => listDetailOf(await lists.module(params.m)));
  handleCall(router, 'GET /app/lists/:m/choices', ({ params, query }) =>
    rowChoices(lists, params.m, query.search),
  );
  handleCall(router, 'GET /app/lists/:m/values', async ({ params, query }) =>
    findValuesInUse(await lists.rows(params.m), query.column, MAX_VALUES),
  );
  handleCall(router, 'PATCH /app/lists/:m', async ({ params, body: { name, fields, seen }, by }) => {
    const before = await lists.module(params.m);
    // Added meanwhile, as in another window.
    const unseen = seen ? before.fields.filter(({ fieldID }) => !seen.includes(fieldID)) : [];
    const all = fields && [...keepComposeOptions(fields as FieldInput[], before), ...unseen];
    const change: Partial<ModuleInput> = {
      ...(name === undefined ? {} : { name }),
      ...(all === undefined ? {} : { fields: all }),
    };
    const { namespaceID } = before;
    /**
     * Throws `list.taken` (409) if another list has the new name. A list that shares its name already, as scripts may
     * name any, can keep it.
     */
    const assertNewNameFree = async (): Promise<void> => {
      if (name !== undefined && name !== before.name)
        await assertNameFree(lists, namespaceID, name, before.moduleID);
    };
    return listDetailOf(await lists.updateModule(params.m, change, by, assertNewNameFree));
  });
  handleCall(router, 'DELETE /app/lists/:m', ({ params, by }) => lists.removeModule(params.m, by));

  router.use(binRouter(deps));
  router.use(rowsRouter(deps));
  return router;
}

/** Throws the refusal `list.taken` if a list of the workspace, other than `moduleID`, has the name, in any case. */
async function assertNameFree(
  lists: Lists,
  namespaceID: string,
  name: string,
  moduleID?: string,
): Promise<void> {
  const others = (await lists.modules(namespaceID)).filter((other) => other.moduleID !== moduleID);
  const taken = others.map((other) => other.name);
  if (freeTitle(name, taken) !== name)
    throw new Refusal('conflict', 'list.taken', said('list.name-taken', { list: name }));
}

/**
 * Returns the columns, changed ones with the options that the window doesn't send: those that only Compose clients set,
 * and a number's precision of 0.
 */
const keepComposeOptions = (drafts: readonly FieldInput[], { fields }: Module): FieldInput[] =>
  drafts.map((draft) => {
    const old = fields.find(({ fieldID }) => fieldID === draft.fieldID);
    if (!draft.options || !old) return draft;
    const { compose, precision } = old.options;
    const isWhole = precision === 0 && draft.kind === 'Number' && draft.options.precision === undefined;
    return {
      ...draft,
      options: { ...draft.options, ...omitUndefined({ compose }), ...(isWhole && { precision }) },
    };
  });

interface Viewers {
  readonly names: ReadonlyMap<string, string>;
  readonly exposures: readonly Exposure[];
  /** By partner: ids of the columns sent for references. */
  readonly titles: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Returns a list with its counts, and the partners that see it, see its titles, or sent its rows. */
async function summarizeList(
  { lists }: ListsDeps,
  module: Module,
  { names, exposures, titles }: Viewers,
): Promise<ListSummary> {
  const counts = await lists.counts(module.moduleID);
  const isUnreadable = await lists.isUnreadable(module.moduleID);
  const partner = (nodeID: string): string => names.get(nodeID) ?? '';
  const sharedWith = exposures
    .filter(({ composeModuleID }) => composeModuleID === module.moduleID)
    .map(({ nodeID, fieldIDs, condition }) => ({
      nodeID,
      partner: partner(nodeID),
      sees: [...fieldIDs],
      chosenBy: [...new Set(condition?.parts.map(({ fieldID }) => fieldID))],
    }));
  const titlesFor = [...titles].map(([nodeID, pins]) => {
    const shared = new Set(sharedWith.find((share) => share.nodeID === nodeID)?.sees);
    const sees = module.fields.map(({ fieldID }) => fieldID);
    return {
      ...{ nodeID, partner: partner(nodeID), chosenBy: [] },
      sees: sees.filter((fieldID) => pins.has(fieldID) && !shared.has(fieldID)),
    };
  });
  return {
    moduleID: module.moduleID,
    namespaceID: module.namespaceID,
    name: module.name,
    handle: module.handle,
    columns: module.fields.length,
    rows: counts.total,
    received: Object.entries(counts.received).map(([nodeID, rows]) => ({
      nodeID,
      partner: partner(nodeID),
      rows,
    })),
    sharedWith,
    titlesFor: titlesFor.filter(({ sees }) => sees.length > 0),
    inBin: counts.inBin,
    ...(isUnreadable ? { isUnreadable } : {}),
    ...(module.updatedAt === undefined ? {} : { updatedAt: module.updatedAt }),
  };
}

/** Returns, by partner, the ids of columns whose values it sees as titles of references. */
function titlesByPartner(
  exposures: readonly Exposure[],
  modules: readonly Module[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const { nodeID, composeModuleID, fieldIDs, titlePins } of exposures) {
    const pins = found.get(nodeID) ?? new Set();
    const { fields = [] } = modules.find(({ moduleID }) => moduleID === composeModuleID) ?? {};
    const shared = fields.filter(({ fieldID }) => fieldIDs.includes(fieldID));
    for (const { target, pin } of pinnedColumns({ fields: shared }, titlePins)) {
      const list = modules.find(({ moduleID }) => moduleID === target);
      // A column that since refers to another list shows nothing by the former title.
      if (list && findPinnedField(list, pin)) pins.add(pin);
    }
    found.set(nodeID, pins);
  }
  return found;
}

/** Returns all partners' open shares. */
async function listExposures(federation: Federation): Promise<Exposure[]> {
  const nodes = await federation.nodes.list();
  const exposed = await Promise.all(nodes.map(({ nodeID }) => federation.exposures.list(nodeID)));
  return exposed.flat();
}

export interface ViewsDeps {
  readonly views: ListViews;
}

/** Serves a list's saved views (adding, changing, removing, restoring) and column arrangement. */
export function viewsRouter({ views }: ViewsDeps): Router {
  const router = Router();
  handleCall(router, 'GET /app/lists/:m/views', ({ params }) => views.get(params.m));
  handleCall(router, 'PUT /app/lists/:m/columns', async ({ params, body }) => {
    await views.saveLayout(params.m, body);
    return views.get(params.m);
  });
  handleCall(router, 'POST /app/lists/:m/views', ({ params, body }) => views.add(params.m, body));
  handleCall(router, 'PUT /app/lists/:m/views/:v', ({ params, body }) =>
    views.change(params.m, params.v, body),
  );
  handleCall(router, 'DELETE /app/lists/:m/views/:v', ({ params }) => views.remove(params.m, params.v));
  handleCall(router, 'POST /app/lists/:m/views/:v/restore', ({ params }) =>
    views.restore(params.m, params.v),
  );
  return router;
}
