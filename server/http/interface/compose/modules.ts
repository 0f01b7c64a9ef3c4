import { given } from '../../../base/given.ts';
import { Router } from 'express';
import { moduleChange, moduleQuery, moduleRequest } from '../../../contract/wire/compose.ts';
import { moduleAnswer } from './answers.ts';
import { composeSettings, fieldInput, filled } from './bodies.ts';
import { jsonBody, mayWrite, OK, pageOf, pathModule, type ComposeDeps } from './request.ts';
import { pathID } from '../../listeners/path-id.ts';

/** `…/module/` and `…/module/{m}`. */
export function composeModulesRouter({ lists, guard }: ComposeDeps): Router {
  const router = Router({ mergeParams: true });

  router.get('/', guard.read, async (req, res) => {
    const { query = '', handle = '', name = '', ...asked } = moduleQuery.parse(req.query);
    const { namespaceID } = await lists.namespace(pathID(req, 'ns'));
    const text = query.toLowerCase();
    const found = (await lists.modules(namespaceID)).filter(
      (one) =>
        (handle === '' || one.handle.toLowerCase() === handle.toLowerCase()) &&
        (name === '' || one.name === name) &&
        `${one.name}\n${one.handle}`.toLowerCase().includes(text),
    );
    const page = pageOf(found, ({ moduleID }) => moduleID, asked);
    const set = page.set.map((one) => moduleAnswer(one, mayWrite(req)));
    const filter = { namespaceID, query, handle, name, sort: 'id', count: set.length, ...page.filter };
    res.json({ response: { filter, set } });
  });

  router.post('/', guard.write, ...jsonBody, async (req, res) => {
    const { name, handle, fields, ...settings } = moduleRequest.parse(req.body);
    const named = { name, ...given({ handle: filled(handle) }) };
    const input = { ...named, fields: fields.map(fieldInput), ...composeSettings(settings) };
    const made = await lists.createModule(pathID(req, 'ns'), input);
    res.json({ response: moduleAnswer(made, mayWrite(req)) });
  });

  router.get('/:m', guard.read, async (req, res) => {
    res.json({ response: moduleAnswer(await pathModule(lists, req), mayWrite(req)) });
  });

  router.post('/:m', guard.write, ...jsonBody, async (req, res) => {
    const { name, handle, fields, updatedAt, ...settings } = moduleChange.parse(req.body);
    const { moduleID } = await pathModule(lists, req);
    const change = {
      ...given({ name, handle: filled(handle), fields: fields?.map(fieldInput) }),
      ...given({ expectedUpdatedAt: updatedAt ?? undefined }),
      ...composeSettings(settings),
    };
    res.json({ response: moduleAnswer(await lists.updateModule(moduleID, change), mayWrite(req)) });
  });

  router.delete('/:m', guard.write, async (req, res) => {
    const { moduleID } = await pathModule(lists, req);
    await lists.removeModule(moduleID);
    res.json(OK);
  });

  return router;
}
