import { Router } from 'express';
import { openApiDocument } from '../../contract/openapi/document.ts';
import { OPERATIONS } from '../../contract/openapi/operations.ts';

/** `/openapi.json`: the interface in OpenAPI 3.1, public. Generated on first use. */
export function openApiRouter(version: string): Router {
  const router = Router();
  let document: string | undefined;
  router.get('/openapi.json', (_req, res) => {
    document ??= JSON.stringify(openApiDocument(OPERATIONS, version));
    res.type('json').send(document);
  });
  return router;
}
