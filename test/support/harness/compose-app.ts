import express from 'express';
import { onTestFinished } from 'vitest';
import type { Role } from '../../../server/federation/partners/identity.ts';
import { requireUser } from '../../../server/http/auth/auth.ts';
import { setCaller } from '../../../server/http/auth/caller.ts';
import { composeRouter } from '../../../server/http/interface/compose.ts';
import { errorHandler, notFound } from '../../../server/http/listeners/errors.ts';
import { serveOnce } from './http.ts';
import { httpCall, type HttpAnswer } from './served-parts.ts';
import { testLists, type TestLists } from './lists.ts';
import { pairedNode } from '../data/paired-node.ts';

export interface ComposeApp extends TestLists {
  /** Sends as a user of the role that `as` says, or as a partner; strings and bytes go as they are, the rest as JSON. */
  readonly call: (
    method: string,
    path: string,
    body?: unknown,
    as?: { role?: Role | 'partner'; type?: string },
  ) => Promise<HttpAnswer>;
}

/** A partner, as its node token makes it known. */
const PARTNER = pairedNode({ nodeID: '9', footbridge: false });

/** The Compose routes alone, on real lists, over real HTTP. The role travels in a header. */
export async function composeApp(): Promise<ComposeApp> {
  const setup = await testLists();
  const app = express();
  app.use((req, _res, next) => {
    const role = req.get('x-role') as Role | 'partner' | undefined;
    if (role === 'partner') setCaller(req, { kind: 'node', node: PARTNER });
    else if (role) setCaller(req, { kind: 'user', userID: '77', role });
    next();
  });
  const guard = { read: requireUser('viewer'), write: requireUser('editor') };
  app.use('/compose', composeRouter({ lists: setup.lists, guard }));
  app.use(notFound, errorHandler({ error: (...details: unknown[]) => console.error(...details) }));
  const { port, close } = await serveOnce(app);
  onTestFinished(close);

  return {
    ...setup,
    call: (method, path, body, { role = 'editor', type } = {}) =>
      httpCall(`http://127.0.0.1:${port}/compose${path}`, method, {
        body,
        headers: {
          'x-role': role,
          connection: 'close',
          ...(type === undefined ? {} : { 'content-type': type }),
        },
      }),
  };
}
