import express, { Router } from 'express';
import type { Role } from '../../../server/federation/partners/identity.ts';
import type { Disclosure } from '../../../server/federation/sharing/ledger.ts';
import type { PartnerCalls } from '../../../server/federation/ports.ts';
import { guard } from '../../../server/http/window/guard.ts';
import { createFailedLoginLimiter } from '../../../server/http/auth/failed-login-limiter.ts';
import { bearerAuth } from '../../../server/http/auth/auth.ts';
import { errorHandler, notFound, requireReadableQuery } from '../../../server/http/listeners/errors.ts';
import { compressAnswers } from '../../../server/http/interface/federation-app.ts';
import { composeRouter } from '../../../server/http/interface/compose.ts';
import { federationRouter } from '../../../server/http/interface/federation.ts';
import type { FieldInput } from '../../../server/lists/definitions/inputs.ts';
import type { Module, Values } from '../../../server/lists/definitions/model.ts';
import { systemClock, type Clock } from '../../../server/base/clock.ts';
import { createIds, type Ids } from '../../../server/base/ids.ts';
import { serveOnce } from './http.ts';
import { openParts, type OwnParts } from './parts.ts';

/** What came back over HTTP. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; undefined when it is none. */
  readonly body: unknown;
}

export interface HttpCall {
  readonly token?: string | undefined;
  /** Sent as JSON; a string and bytes are sent as they are. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Parts of an office with their interface on a real port of loopback, without a pull engine. */
export interface HttpOffice extends OwnParts {
  /** Without a path: `http://127.0.0.1:12345`. */
  readonly origin: string;
  /** Writes the ledger's lines, which `served` has at once: a test may have that take its time, or fail. */
  readonly ledger: { write: () => Promise<void> };
  /** There is no pull that would have to come to its end, unless a test has one. */
  readonly pulls: { settled: () => Promise<void> };
  /** Partners whose questions stayed open, each time that this showed. */
  readonly called: readonly string[];
  userToken(role: Role): string;
  call(method: string, path: string, more?: HttpCall): Promise<HttpAnswer>;
  /** A list with rows in the default workspace. */
  list(name: string, fields: readonly FieldInput[], rows: readonly Values[]): Promise<Module>;
}

export async function httpCall(url: string, method: string, more: HttpCall = {}): Promise<HttpAnswer> {
  const { token, body } = more;
  const answer = await fetch(url, {
    method,
    redirect: 'manual',
    headers: {
      accept: 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...more.headers,
    },
    ...(body === undefined ? {} : { body: asSent(body) }),
  });
  const text = await answer.text();
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    parsed = undefined;
  }
  return { status: answer.status, headers: answer.headers, text, body: parsed };
}

function asSent(body: unknown): BodyInit {
  if (Buffer.isBuffer(body)) return new Uint8Array(body);
  return typeof body === 'string' ? body : JSON.stringify(body);
}

async function mustSucceed(answer: Promise<HttpAnswer>): Promise<void> {
  const { status, text } = await answer;
  if (status !== 200) throw Object.assign(new Error(text), { name: 'PartnerRefused', status });
}

/** Speaks to partners as the interface writes it, in shape 1. */
const plainCalls: PartnerCalls = {
  async handshake({ baseURL }, { nodeURI, token, nodeIDB, sharedNodeID, own }) {
    const body = { nodeURI, token, nodeIDB, footbridge: own };
    await mustSucceed(httpCall(`${baseURL}/nodes/${sharedNodeID}/handshake`, 'POST', { body }));
    return { footbridge: true, baseURL };
  },
  async complete({ baseURL, sharedNodeID }, { heldToken, token }) {
    const more = { token: heldToken, body: { token } };
    await mustSucceed(httpCall(`${baseURL}/nodes/${sharedNodeID}/handshake-complete`, 'POST', more));
    return baseURL;
  },
  goodbye: () => Promise.resolve(),
};

export async function startHttpOffice(
  name: string,
  options: {
    readonly clock?: Clock;
    readonly ids?: Ids;
    readonly calls?: PartnerCalls;
    readonly inMemory?: boolean;
  } = {},
): Promise<HttpOffice> {
  const clock = options.clock ?? systemClock;
  const ids = options.ids ?? createIds(clock);
  const ledger = { write: () => Promise.resolve() };
  const pulls = { settled: () => Promise.resolve() };
  const served: Disclosure[] = [];
  const called: string[] = [];
  const own = { origin: '' };
  const parts = await openParts({
    ...{ clock, ids, inMemory: options.inMemory ?? false },
    secrets: {
      seal: (plain) => Promise.resolve(Buffer.from(plain).toString('base64')),
      open: (sealed) => Promise.resolve(Buffer.from(sealed, 'base64').toString()),
    },
    calls: options.calls ?? plainCalls,
    office: { installation: `installation-${name}`, name: () => name },
    ownAddress: () => ({ listener: `${own.origin}/federation` }),
    onServed(disclosure) {
      served.push(disclosure);
      return ledger.write();
    },
  });
  const { lists, federation } = parts;

  const app = express();
  app.set('etag', false);
  app.use(compressAnswers());
  const attempts = createFailedLoginLimiter(clock, 1000);
  app.use(bearerAuth({ verify: (token) => federation.tokens.verify(token), attempts }));
  const routes = Router().use(
    federationRouter({
      federation,
      attempts,
      called: (nodeID) => called.push(nodeID),
      management: (_req, _res, next) => next(),
      sync: {
        syncNow: () =>
          Promise.resolve({ created: 0, updated: 0, deleted: 0, unchanged: 0, failed: 0, modules: [] }),
        status: (nodeID) =>
          Promise.resolve({
            nodeID,
            state: 'up-to-date',
            cause: 'well',
            reason: '',
            also: [],
            awaited: false,
            line: 'open',
            live: false,
            lists: [],
            history: [],
          }),
        settled: () => pulls.settled(),
      },
      onSyncFailed: () => undefined,
    }),
  );
  routes.use('/compose', composeRouter({ lists, guard }));
  app.use(requireReadableQuery);
  app.use('/api', routes);
  app.use(routes);
  app.use(notFound, errorHandler({ error: (...details: unknown[]) => console.error(...details) }));
  const { port, close } = await serveOnce(app);
  const origin = `http://127.0.0.1:${port}`;
  own.origin = origin;

  return {
    ...parts,
    origin,
    served,
    ledger,
    pulls,
    called,
    userToken: (role) => federation.tokens.issueUserToken(role, 3_600_000),
    call: (method, path, more) => httpCall(origin + path, method, more),
    async list(title, fields, rows) {
      const { namespaceID } = await lists.defaultNamespace();
      const module = await lists.createModule(namespaceID, { name: title, fields });
      await (await lists.rows(module.moduleID)).createMany(rows, '1');
      return module;
    },
    async close() {
      await close();
      await parts.close();
    },
  };
}

/** Pairs `a` (inviter) with `b` through their services. */
export async function pairOffices(a: HttpOffice, b: HttpOffice): Promise<{ idA: string; idB: string }> {
  const { nodeID: idA } = await a.federation.nodes.create(
    { name: 'b', baseURL: `${b.origin}/federation` },
    '1',
  );
  const { uri } = await a.federation.invites.create(idA);
  const { nodeID: idB } = await b.federation.invites.accept(uri, {}, '1');
  await b.federation.pairing.pair(idB);
  await a.federation.pairing.confirm(idA);
  return { idA, idB };
}
