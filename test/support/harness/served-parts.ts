import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { Router } from 'express';
import type { Federation } from '../../../server/federation/federation.ts';
import type { Role } from '../../../server/federation/partners/identity.ts';
import type { Disclosure } from '../../../server/federation/sharing/ledger.ts';
import type { FederationChange, PartnerCalls } from '../../../server/federation/ports.ts';
import { guard } from '../../../server/http/window/guard.ts';
import { createAttempts } from '../../../server/http/auth/attempts.ts';
import { bearerAuth } from '../../../server/http/auth/auth.ts';
import { errorHandler, notFound } from '../../../server/http/listeners/errors.ts';
import { compressed } from '../../../server/http/interface/federation-app.ts';
import { composeRouter } from '../../../server/http/interface/compose.ts';
import { federationRouter } from '../../../server/http/interface/federation.ts';
import { openLists, type Lists } from '../../../server/lists/lists.ts';
import type { FieldInput } from '../../../server/lists/definitions/inputs.ts';
import type { Module, Values } from '../../../server/lists/definitions/model.ts';
import { systemClock, type Clock } from '../../../server/base/clock.ts';
import { createIds, type Ids } from '../../../server/base/ids.ts';
import { openStore, type DiskStore } from '../../../server/store/engine/open-store.ts';
import { temporaryFolder, temporaryFolderInMemory } from './temporary-folder.ts';
import { testFederation } from './parts.ts';

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
  /** Sent as JSON; a string is sent as it is. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An office with its interface on a real port of loopback: store, lists and federation, without a sync engine. */
export interface HttpOffice {
  /** Without a path: `http://127.0.0.1:12345`. */
  readonly origin: string;
  readonly federation: Federation;
  readonly lists: Lists;
  readonly store: DiskStore;
  readonly served: Disclosure[];
  /** Writes the ledger's lines, which `served` has at once: a test may have that take its time, or fail. */
  readonly ledger: { write: () => Promise<void> };
  readonly changes: FederationChange[];
  /** There is no pull that would have to come to its end, unless a test has one. */
  readonly pulls: { settled: () => Promise<void> };
  userToken(role: Role): string;
  call(method: string, path: string, more?: HttpCall): Promise<HttpAnswer>;
  /** A list with rows in the default workspace. */
  list(name: string, fields: readonly FieldInput[], rows: readonly Values[]): Promise<Module>;
  /** Resolves once shares and matchings have followed what became of the lists so far. */
  settled(): Promise<void>;
  close(): Promise<void>;
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
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
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
  const folder = await (options.inMemory ? temporaryFolderInMemory() : temporaryFolder());
  const store = await openStore({ dataDir: folder.path, clock });
  const ids = options.ids ?? createIds(clock);
  const served: Disclosure[] = [];
  const ledger = { write: () => Promise.resolve() };
  const pulls = { settled: () => Promise.resolve() };
  const changes: FederationChange[] = [];
  const held: { federation?: Federation; origin: string } = { origin: '' };
  const unsettled = new Set<Promise<void>>();
  const lists = await openLists({
    store,
    clock,
    ids,
    onChange: (change) => {
      const following = held.federation?.listsChanged(change) ?? Promise.resolve();
      const ended = following.finally(() => unsettled.delete(ended));
      unsettled.add(ended);
      return ended;
    },
  });
  const federation = await testFederation({
    store,
    lists,
    clock,
    ids,
    secrets: {
      seal: (plain) => Promise.resolve(Buffer.from(plain).toString('base64')),
      open: (sealed) => Promise.resolve(Buffer.from(sealed, 'base64').toString()),
    },
    calls: options.calls ?? plainCalls,
    office: { installation: `installation-${name}`, name: () => name },
    ownAddress: () => ({ listener: `${held.origin}/federation` }),
    onChange: (change) => void changes.push(change),
    onServed: (disclosure) => {
      served.push(disclosure);
      return ledger.write();
    },
  });
  held.federation = federation;

  const app = express();
  app.set('etag', false);
  app.use(compressed());
  const attempts = createAttempts(clock, 1000);
  app.use(bearerAuth({ verify: (token) => federation.tokens.verify(token), attempts }));
  const routes = Router().use(
    federationRouter({
      federation,
      attempts,
      management: (_req, _res, next) => next(),
      sync: {
        syncNow: () =>
          Promise.resolve({ created: 0, updated: 0, deleted: 0, unchanged: 0, failed: 0, modules: [] }),
        status: () => Promise.resolve({ reason: '', also: [], lists: [] }),
        settled: () => pulls.settled(),
      },
      onSyncFailed: () => undefined,
    }),
  );
  routes.use('/compose', composeRouter({ lists, guard }));
  app.use('/api', routes);
  app.use(routes);
  app.use(notFound, errorHandler({ error: (...details: unknown[]) => console.error(...details) }));
  const server = createServer(app);
  // On a busy machine a request may be on its way over a connection that the server has just found idle too long.
  server.keepAliveTimeout = 120_000;
  server.listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  held.origin = origin;

  return {
    origin,
    federation,
    lists,
    store,
    served,
    ledger,
    changes,
    pulls,
    userToken: (role) => federation.tokens.issueUserToken(role, 3_600_000),
    call: (method, path, more) => httpCall(origin + path, method, more),
    async list(title, fields, rows) {
      const { namespaceID } = await lists.defaultNamespace();
      const module = await lists.createModule(namespaceID, { name: title, fields });
      await (await lists.rows(module.moduleID)).createMany(rows, '1');
      return module;
    },
    async settled() {
      while (unsettled.size > 0) await Promise.all(unsettled);
    },
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      await store.close();
      await folder.remove();
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
