import { omitUndefined } from '../../../base/omit-undefined.ts';
import { Router } from 'express';
import { namespaceChange, namespaceQuery, namespaceRequest } from '../../../contract/wire/compose.ts';
import { namespaceAnswer } from './answers.ts';
import { composeSettings, nonBlank } from './bodies.ts';
import { assertEvaluable, jsonBody, mayWrite, OK, sortAndPage, type ComposeDeps } from './request.ts';
import { pathID } from '../../listeners/path-id.ts';

/** Corteza's calls not offered here: unknown addresses, not invalid ids. */
const NOT_OFFERED = /^\/(?:import|upload)$/;

/**
 * Serves workspaces: the list, and one's creation, reading, changes and deletion. Passes on Compose's calls that aren't
 * offered.
 */
export function composeNamespacesRouter({ lists, guard }: ComposeDeps): Router {
  const router = Router();

  router.get('/', guard.read, async (req, res) => {
    assertEvaluable(req);
    const { query = '', slug = '', ...asked } = namespaceQuery.parse(req.query);
    const text = query.toLowerCase();
    const found = (await lists.namespaces()).filter(
      (one) => (slug === '' || one.slug === slug) && `${one.name}\n${one.slug}`.toLowerCase().includes(text),
    );
    const page = sortAndPage(found, ({ namespaceID }) => namespaceID, 'slug', asked);
    const set = page.set.map((one) => namespaceAnswer(one, mayWrite(req)));
    const filter = { query, slug, count: set.length, ...page.filter };
    res.json({ response: { filter, set } });
  });

  router.post('/', guard.write, ...jsonBody, async (req, res) => {
    const { name, slug, enabled, ...settings } = namespaceRequest.parse(req.body);
    const input = { name, ...omitUndefined({ slug: nonBlank(slug), enabled }), ...composeSettings(settings) };
    const made = await lists.createNamespace(input);
    res.json({ response: namespaceAnswer(made, mayWrite(req)) });
  });

  router.all(NOT_OFFERED, (_req, _res, next) => next('router'));

  router.get('/:ns', guard.read, async (req, res) => {
    const namespace = await lists.namespace(pathID(req, 'ns'));
    res.json({ response: namespaceAnswer(namespace, mayWrite(req)) });
  });

  router.post('/:ns', guard.write, ...jsonBody, async (req, res) => {
    const { name, slug, enabled, updatedAt, ...settings } = namespaceChange.parse(req.body);
    const namespaceID = pathID(req, 'ns');
    const { compose = {} } = await lists.namespace(namespaceID);
    const change = omitUndefined({
      name,
      slug: nonBlank(slug),
      enabled,
      expectedUpdatedAt: updatedAt ?? undefined,
    });
    const changed = await lists.updateNamespace(namespaceID, {
      ...change,
      ...composeSettings(settings, compose),
    });
    res.json({ response: namespaceAnswer(changed, mayWrite(req)) });
  });

  router.delete('/:ns', guard.write, async (req, res) => {
    await lists.removeNamespace(pathID(req, 'ns'));
    res.json(OK);
  });

  return router;
}
