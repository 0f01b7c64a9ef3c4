import { Router, type Request, type Response } from 'express';
import type { ColumnRequest } from '../../../contract/columns.ts';
import * as shape1 from '../../../contract/wire/shape1.ts';
import * as shape2 from '../../../contract/wire/shape2.ts';
import type { ExposureInput } from '../../../federation/sharing/exposure-parts.ts';
import type { Federation } from '../../../federation/federation.ts';
import type { Exposure, Mapping } from '../../../federation/model.ts';
import { Refusal } from '../../../base/refusal.ts';
import { jsonBody } from './bodies.ts';
import type { Guards } from './guards.ts';
import {
  definitionAnswer,
  exposedAnswer,
  exposedAnswerLive,
  mappingAnswer1,
  mappingAnswer2,
} from './module-answers.ts';
import { userID } from '../../auth/caller.ts';
import { queryID, isSelected, shapeParam } from './params.ts';
import { pathID } from '../../listeners/path-id.ts';

interface ModulesDeps {
  readonly federation: Federation;
  readonly guards: Guards;
}

/** Serves exposures, offers and mappings, below `/nodes/{n}/modules`. */
export function modulesRouter(deps: ModulesDeps): Router {
  const router = Router();
  addExposureRoutes(router, deps);
  addOfferRoutes(router, deps);
  addRemovalRoute(router, deps);
  return router;
}

/**
 * Adds the calls that share a list, and read, change and end a share, in shapes 1 and 2; a change by POST takes and
 * returns live servers' form.
 */
function addExposureRoutes(router: Router, { federation: { exposures }, guards }: ModulesDeps): void {
  router.put('/nodes/:n/modules', guards.edit, jsonBody, async (req, res) => {
    if (Array.isArray(req.body)) throw noListRefusal();
    const input = parseExposure1(req.body);
    const exposure = await exposures.expose(pathID(req, 'n'), input, userID(req));
    res.json({ response: exposedAnswer(exposure, 1) });
  });

  router.put('/nodes/:n/modules/:m', guards.edit, jsonBody, async (req, res) => {
    const [n, m, by] = [pathID(req, 'n'), pathID(req, 'm'), userID(req)];
    const fields = includedColumns(shape2.exposeRequest.parse(req.body));
    const existing = (await exposures.list(n)).find(({ moduleID }) => moduleID === m);
    const exposure = existing
      ? await exposures.change(n, m, { composeModuleID: existing.composeModuleID, fields, shape: 2 }, by)
      : await exposures.expose(n, { composeModuleID: m, fields, shape: 2 }, by);
    res.json({ response: exposedAnswer(exposure, 2) });
  });

  router
    .route('/nodes/:n/modules/:m/exposed')
    .get(guards.read, async (req, res) => {
      const exposure = await exposures.get(pathID(req, 'n'), pathID(req, 'm'));
      res.json({ response: exposedAnswer(exposure, shapeParam(req) ?? exposure.shape) });
    })
    .put(guards.edit, jsonBody, async (req, res) => {
      const exposure = await changeExposure(req);
      res.json({ response: exposedAnswer(exposure, exposure.shape) });
    })
    .post(guards.edit, jsonBody, async (req, res) => {
      if (Array.isArray(req.body)) throw arrayShapeRefusal();
      res.json({ response: exposedAnswerLive(await changeExposure(req)) });
    })
    .delete(guards.edit, async (req, res) => {
      await exposures.remove(pathID(req, 'n'), pathID(req, 'm'), userID(req));
      res.json({ response: null });
    });

  /** Changes a share by a body of either shape; a bare array (shape 2) sets only the columns. */
  async function changeExposure(req: Request): Promise<Exposure> {
    const [n, m] = [pathID(req, 'n'), pathID(req, 'm')];
    const { composeModuleID } = await exposures.get(n, m);
    const input: ExposureInput = Array.isArray(req.body)
      ? { composeModuleID, fields: includedColumns(shape2.exposeRequest.parse(req.body)), shape: 2 }
      : parseExposure1(req.body);
    return exposures.change(n, m, input, userID(req));
  }
}

/** Adds the calls that read an offered list, and read, set and end its mapping. */
function addOfferRoutes(router: Router, { federation: { shared, mappings }, guards }: ModulesDeps): void {
  router.get('/nodes/:n/modules/:m/shared', guards.read, async (req, res) => {
    const module = await shared.get(pathID(req, 'n'), pathID(req, 'm'));
    res.json({ response: definitionAnswer(module, shapeParam(req) ?? 1) });
  });

  router
    .route('/nodes/:n/modules/:m/mapped')
    .get(guards.read, async (req, res) => {
      const mapping = await mappings.get(pathID(req, 'n'), pathID(req, 'm'), queryID(req, 'composeModuleID'));
      await answerMapping(res, mapping, shapeParam(req) ?? mapping.shape);
    })
    .put(guards.edit, jsonBody, async (req, res) => {
      const mapping = await mappings.set(pathID(req, 'n'), pathID(req, 'm'), parseMapping(req));
      await answerMapping(res, mapping, mapping.shape);
    })
    .delete(guards.edit, async (req, res) => {
      await mappings.remove(pathID(req, 'n'), pathID(req, 'm'), queryID(req, 'composeModuleID'));
      res.json({});
    });

  /** Answers with a mapping in this shape. Throws if its offered list is unknown. */
  async function answerMapping(res: Response, mapping: Mapping, shape: 1 | 2): Promise<void> {
    const module = await shared.get(mapping.nodeID, mapping.federationModuleID);
    res.json({ response: shape === 1 ? mappingAnswer1(mapping) : mappingAnswer2(mapping, module) });
  }
}

/**
 * Adds the call that removes a share or a mapping: the selected one, else whichever has the id, else it fails as for a
 * share. Answers 409 if both have the id and none is selected, 400 for two selectors.
 */
function addRemovalRoute(router: Router, { federation, guards }: ModulesDeps): void {
  const { exposures, mappings } = federation;
  router.delete('/nodes/:n/modules/:m', guards.edit, async (req, res) => {
    const [n, m] = [pathID(req, 'n'), pathID(req, 'm')];
    const composeModuleID = queryID(req, 'composeModuleID');
    const what = (await chooseRemoval(federation, req, n, m)) ?? 'exposed';
    if (what === 'exposed') await exposures.remove(n, m, userID(req));
    else await mappings.remove(n, m, composeModuleID);
    res.json({});
  });
}

/**
 * Returns which of the share and the mapping with id `m` to remove: the selected, else the existing one, if any. Throws
 * `query.selector`: 400 for two selectors, 409 if both exist and none is selected.
 */
async function chooseRemoval(
  { exposures, mappings }: Federation,
  req: Request,
  n: string,
  m: string,
): Promise<'exposed' | 'mapped' | undefined> {
  const wantsExposed = isSelected(req, 'exposed');
  const wantsMapped = isSelected(req, 'shared') || isSelected(req, 'mapped');
  if (wantsExposed && wantsMapped)
    throw new Refusal('malformed', 'query.selector', 'Give one selector: ?exposed or ?shared.');
  if (wantsExposed) return 'exposed';
  if (wantsMapped) return 'mapped';
  const isExposed = (await exposures.list(n)).some(({ moduleID }) => moduleID === m);
  const isMapped = (await mappings.list(n)).some(({ federationModuleID }) => federationModuleID === m);
  if (isExposed && isMapped)
    throw new Refusal(
      'conflict',
      'query.selector',
      'Both exist under this id. Say which: ?exposed or ?shared.',
    );
  return isMapped ? 'mapped' : isExposed ? 'exposed' : undefined;
}

/** Parses a share in shape 1. Throws ZodError. */
function parseExposure1(body: unknown): ExposureInput {
  const { composeModuleID, composeNamespaceID, name, handle, fields, condition } =
    shape1.exposeRequest.parse(body);
  return {
    composeModuleID,
    ...(composeNamespaceID === undefined ? {} : { composeNamespaceID }),
    ...(name === undefined ? {} : { name }),
    ...(handle === undefined ? {} : { handle }),
    fields: includedColumns(fields),
    ...(condition === undefined ? {} : { condition }),
    shape: 1,
  };
}

/** Returns the requested columns without those excluded by `value: false`. */
function includedColumns(fields: readonly ColumnRequest[]): { name: string; label?: string }[] {
  return fields
    .filter(({ value }) => value !== false)
    .map(({ name, label }) => ({ name, ...(label === undefined ? {} : { label }) }));
}

/**
 * Parses a mapping in either shape; the query or the body names our list. Throws ZodError, or 400 if they name
 * different ones.
 */
function parseMapping(req: Request): Parameters<Federation['mappings']['set']>[2] {
  const inQuery = queryID(req, 'composeModuleID');
  if (Array.isArray(req.body)) {
    const fields = shape2.mapRequest.parse(req.body);
    return { ...(inQuery === undefined ? {} : { composeModuleID: inQuery }), fields, shape: 2 };
  }
  const { composeModuleID, composeNamespaceID, fields } = shape1.mapRequest.parse(req.body);
  if (inQuery !== undefined && inQuery !== composeModuleID)
    throw new Refusal('malformed', 'mapping.two-lists', 'Body and composeModuleID name different lists.');
  return {
    composeModuleID,
    ...(composeNamespaceID === undefined ? {} : { composeNamespaceID }),
    fields,
    shape: 1,
  };
}

const arrayShapeRefusal = (): Refusal =>
  new Refusal('malformed', 'expose.array', 'A bare array is shape 2, which changes what is shared with PUT.');

/** Returns the error `expose.no-list` (400) for a bare array without a list's id. */
const noListRefusal = (): Refusal =>
  new Refusal(
    'malformed',
    'expose.no-list',
    'A bare array goes to …/modules/{id}, with the id of the list that is to be shared.',
  );
