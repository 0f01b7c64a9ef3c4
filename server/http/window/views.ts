import { Router } from 'express';
import type { ListViews } from '../../lists/views/list-views.ts';
import { handleCall } from './handle-call.ts';

export interface ViewsDeps {
  readonly views: ListViews;
}

/** Returns the router of a list's saved views and its arrangement of columns: `/app/lists/:m/views`. */
export function viewsRouter({ views }: ViewsDeps): Router {
  const router = Router();
  handleCall(router, 'GET /app/lists/:m/views', ({ params }) => views.get(params.m));
  handleCall(router, 'PUT /app/lists/:m/columns', async ({ params, body }) => {
    await views.arrange(params.m, body);
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
