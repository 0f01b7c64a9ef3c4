import { Router } from 'express';
import type { ListSummary } from '../../contract/app/lists.ts';
import { choicesQuery, listChange, listRequest, valuesQuery } from '../../contract/app/lists.ts';
import type { Federation } from '../../federation/federation.ts';
import type { Lists } from '../../lists/lists.ts';
import type { FieldInput, ModuleInput } from '../../lists/definitions/inputs.ts';
import type { Module } from '../../lists/definitions/model.ts';
import { Refusal } from '../../base/refusal.ts';
import { valuesInUse } from '../../lists/values/values-in-use.ts';
import { rowChoices } from '../../app/choices.ts';
import type { Guard } from './guard.ts';
import { pathID } from '../listeners/path-id.ts';
import { partnerNames } from '../../app/partner-names.ts';
import { rowsRouter } from './rows.ts';
import { said } from '../../words/said.ts';

/** More than these nobody reads through; who types finds the others by typing. */
const MOST_VALUES = 500;

interface ListsDeps {
  readonly lists: Lists;
  readonly federation: Federation;
  readonly guard: Guard;
}

/** `/app/lists`: lists with what the window shows of them. */
export function listsRouter(deps: ListsDeps): Router {
  const { lists, guard } = deps;
  const router = Router();

  router.get('/', guard.read, async (_req, res) => {
    const names = await partnerNames(deps.federation);
    const all = await lists.modules();
    res.json({ response: await Promise.all(all.map((module) => summary(deps, module, names))) });
  });

  router.post('/', guard.write, async (req, res) => {
    const body = listRequest.parse(req.body);
    const { namespaceID } = await lists.defaultNamespace();
    res.json({ response: await lists.createModule(namespaceID, body as ModuleInput) });
  });

  router.get('/:m', guard.read, async (req, res) => {
    res.json({ response: await lists.module(pathID(req, 'm')) });
  });

  router.get('/:m/choices', guard.read, async (req, res) => {
    const { search } = choicesQuery.parse(req.query);
    res.json({ response: await rowChoices(lists, pathID(req, 'm'), search) });
  });

  router.get('/:m/values', guard.read, async (req, res) => {
    const { column } = valuesQuery.parse(req.query);
    res.json({ response: await valuesInUse(await lists.rows(pathID(req, 'm')), column, MOST_VALUES) });
  });

  router.patch('/:m', guard.write, async (req, res) => {
    const { name, fields } = listChange.parse(req.body);
    const change: Partial<ModuleInput> = {
      ...(name === undefined ? {} : { name }),
      ...(fields === undefined ? {} : { fields: fields as FieldInput[] }),
    };
    res.json({ response: await lists.updateModule(pathID(req, 'm'), change) });
  });

  router.delete('/:m', guard.write, async (req, res) => {
    const moduleID = pathID(req, 'm');
    const sharedWith = await exposuresOf(deps.federation, moduleID);
    if (sharedWith.length > 0) {
      throw new Refusal('conflict', 'list.shared', said('list.shared'));
    }
    res.json({ response: await lists.removeModule(moduleID) });
  });

  router.use('/:m/rows', rowsRouter(deps));
  return router;
}

async function summary(
  { lists, federation }: ListsDeps,
  module: Module,
  names: ReadonlyMap<string, string>,
): Promise<ListSummary> {
  const counts = await (await lists.rows(module.moduleID)).counts();
  const partner = (nodeID: string): string => names.get(nodeID) ?? '';
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
    sharedWith: (await exposuresOf(federation, module.moduleID)).map((nodeID) => ({
      nodeID,
      partner: partner(nodeID),
    })),
    inBin: counts.inBin,
    ...(module.updatedAt === undefined ? {} : { updatedAt: module.updatedAt }),
  };
}

/** Our ids of the partners that may see something of this list now. */
async function exposuresOf(federation: Federation, moduleID: string): Promise<string[]> {
  const nodes = await federation.nodes.list();
  const exposed = await Promise.all(nodes.map(({ nodeID }) => federation.exposures.list(nodeID)));
  return exposed
    .flat()
    .filter((exposure) => exposure.composeModuleID === moduleID && exposure.deletedAt === undefined)
    .map((exposure) => exposure.nodeID);
}
