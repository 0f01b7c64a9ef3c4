import { Router } from 'express';
import { viewersOfColumns, viewersOfList } from '../../app/former-shares.ts';
import type { SettingsStore } from '../../app/settings.ts';
import type { Fixed } from '../../contract/app/calls.ts';
import type { ListDetail } from '../../contract/app/lists.ts';
import type { Federation } from '../../federation/federation.ts';
import { omit } from '../../base/omit.ts';
import { importKeyOf } from '../../lists/definitions/import-key.ts';
import type { Module } from '../../lists/definitions/model.ts';
import type { Lists } from '../../lists/lists.ts';
import { said } from '../../words/said.ts';
import { handleCall } from './handle-call.ts';

interface BinDeps {
  readonly lists: Lists;
  readonly federation: Federation;
  readonly settings: Pick<SettingsStore, 'current'>;
}

/**
 * Serves deleted lists and columns (`…/bin`), with restore, which names the partners that saw them, and purge; and rows
 * in damaged files (`…/salvage`), with recovery into a new list.
 */
export function binRouter(deps: BinDeps): Router {
  const { lists, federation, settings } = deps;
  const router = Router();

  handleCall(router, 'GET /app/bin', async ({ by }) => {
    const binned = await lists.binnedModules();
    binned.sort((one, other) => other.deletedAt.localeCompare(one.deletedAt));
    return {
      keepDays: settings.current().keepBinDays,
      lists: binned.map(({ module: { moduleID, name, fields }, rows, deletedAt, deletedBy }) => ({
        ...{ moduleID, name, rows, deletedAt },
        columns: fields.length,
        isOwn: deletedBy === by,
      })),
    };
  });
  handleCall(router, 'POST /app/bin/:m/restore', async ({ params, body }) => {
    const binned = (await lists.binnedModules()).find(({ module }) => module.moduleID === params.m);
    const replacing = await federation.mappings.findReplacing(params.m);
    const list = await lists.restoreModule(params.m, body.name);
    const since = binned?.deletedAt ?? '';
    return {
      ...{ list: listDetailOf(list), name: list.name },
      sharedBefore: await viewersOfList(federation, list, since),
      receivedElsewhere: await Promise.all(
        replacing.map(async ({ nodeID, composeModuleID }) => ({
          nodeID,
          partner: (await federation.nodes.get(nodeID)).name,
          listName: (await lists.module(composeModuleID)).name,
        })),
      ),
    };
  });
  handleCall(router, 'DELETE /app/bin/:m', ({ params }) => lists.purgeModule(params.m));

  handleCall(router, 'GET /app/lists/:m/bin', async ({ params }) => ({
    keepDays: settings.current().keepBinDays,
    columns: (await lists.binnedColumns(params.m)).map(({ field, values, deletedAt }) => ({
      ...{ fieldID: field.fieldID, label: field.label || field.name, kind: field.kind },
      ...{ values, deletedAt },
    })),
  }));
  handleCall(router, 'POST /app/lists/:m/bin/:f/restore', async ({ params: { m, f }, body, by }) => {
    const list = await lists.restoreColumn(m, f, { label: body.name, by });
    const column = list.fields.find(({ fieldID }) => fieldID === f);
    return {
      list: listDetailOf(list),
      name: column?.label ?? '',
      sharedBefore: await viewersOfColumns(federation, m, [f]),
      receivedElsewhere: [],
    };
  });
  handleCall(router, 'DELETE /app/lists/:m/bin/:f', ({ params: { m, f } }) => lists.purgeColumn(m, f));

  handleCall(router, 'GET /app/lists/:m/salvage', async ({ params }) => {
    const { values, ...found } = (await lists.salvage(params.m)) ?? { values: [], damagedLines: 0 };
    return { ...found, rows: values.length };
  });
  handleCall(router, 'POST /app/lists/:m/salvage', async ({ params, by, say }) => {
    const { name: list } = await lists.module(params.m);
    const made = await lists.recoverRows(params.m, say(said('list.salvaged-name', { list })), by);
    const { moduleID, name } = made.module;
    return { ...omit(made, 'module'), moduleID, name };
  });

  return router;
}

/** Returns a list for the window: without Compose's settings, with its last import's key columns. */
export const listDetailOf = ({ fields, ...module }: Module): Fixed<ListDetail> => ({
  ...omit(module, 'compose'),
  fields: fields.map((field) => ({ ...omit(field, 'compose'), options: omit(field.options, 'compose') })),
  importKey: importKeyOf({ ...module, fields }),
});
