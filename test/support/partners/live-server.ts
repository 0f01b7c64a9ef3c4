import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import jwt from 'jsonwebtoken';
import { createLivePuller, type LivePuller } from './live-puller.ts';
import { nextID, type LiveNode, type LiveRecord } from './live-records.ts';

export interface LiveField {
  readonly kind: string;
  readonly name: string;
  readonly label: string;
  readonly isMulti: boolean;
}

export interface LiveExposure {
  readonly moduleID: string;
  readonly composeModuleID: string;
  readonly composeNamespaceID: string;
  readonly name: string;
  readonly handle: string;
  readonly fields: LiveField[];
  readonly createdAt: number;
  deletedAt?: number;
}

/**
 * A stand-in for a live server of the 2022.3 line, made from what was recorded of one: its paths with exact
 * slashes, its errors under status 200, its text/plain records, its two-hour tokens, its way of pairing, and in
 * {@link LivePuller} its way of pulling, with all the faults that a partner has to live with.
 */
export interface LiveServer {
  readonly base: string;
  readonly puller: LivePuller;
  /** Records of the one list it has. */
  readonly records: LiveRecord[];
  /** While true it shows its start-up page on every path. */
  starting: boolean;
  /** What 2022.9 and later answer instead of records. */
  recordsBroken: boolean;
  /** Ids of Compose modules that its administrator deleted; a 2024.9 then answers no records, under status 200. */
  readonly deletedModules: Set<string>;
  /** As 2021.3.0 to 2021.3.4 did, what is read for sync comes without the `response` around it. */
  unwrapped: boolean;
  /** Comes before its own answers, and may take over any of them: what stands in front of it, or its own troubles. */
  trouble: RequestHandler | undefined;
  /** Said under status 200 to whoever reads for sync. */
  failure: string | undefined;
  /** What was asked for, path and query, oldest first. */
  readonly requests: string[];
  /** Seconds that its tokens live. */
  tokenLifetime: number;
  readonly exposures: LiveExposure[];
  /** As administrator: a node for a partner, and the link for it. */
  createNode(partnerBase: string): LiveNode;
  invite(nodeID: string): string;
  /** As administrator of B: pastes a link and pairs. Answers what the administrator sees. */
  acceptAndPair(uri: string): Promise<{ node: LiveNode; error?: string }>;
  confirm(nodeID: string): Promise<string | undefined>;
  expose(name: string, fields: LiveField[], handle?: string): LiveExposure;
  /** For a partner's fresh record: what was exposed is exposed again, under new ids of its own. */
  exposeAgain(): void;
  put(recordID: string | undefined, values: Record<string, string | string[]>): LiveRecord;
  remove(recordID: string): void;
  /** Lets a second pass by its clock: it tells changes of one second from those of the next only. */
  passSecond(): void;
  /** A token as it gives one to a partner. */
  issueToken(): string;
  /** Forgets all tokens that it issued, as a change of its secret does. */
  revokeTokens(): void;
  nodes: LiveNode[];
  close(): Promise<void>;
}

const SOMEBODY = '523396881913479269';

const iso = (time: number): string => new Date(time * 1000).toISOString().replace('.000Z', 'Z');

export async function startLiveServer(): Promise<LiveServer> {
  const secret = randomBytes(32).toString('hex');
  const tokens = new Set<string>();
  const nodes: LiveNode[] = [];
  const records: LiveRecord[] = [];
  const exposures: LiveExposure[] = [];
  let secondsAhead = 0;
  const seconds = (): number => Math.floor(Date.now() / 1000) + secondsAhead;
  const app = express();
  app.disable('etag');
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  const live: LiveServer = {
    base: `http://127.0.0.1:${port}/api/federation`,
    puller: createLivePuller(() => live),
    nodes,
    records,
    exposures,
    starting: false,
    recordsBroken: false,
    deletedModules: new Set(),
    unwrapped: false,
    trouble: undefined,
    failure: undefined,
    requests: [],
    tokenLifetime: 7200,
    createNode(baseURL) {
      const nodeID = nextID();
      const node: LiveNode = {
        nodeID,
        sharedNodeID: '0',
        status: 'pending',
        baseURL,
        pairToken: '',
        authToken: '',
      };
      nodes.push(node);
      return node;
    },
    invite(nodeID) {
      const node = nodeOf(nodeID);
      node.pairToken = createHash('sha256').update(randomBytes(16)).digest('hex').slice(0, 32);
      return `http://${nodeID}:${node.pairToken}@127.0.0.1:${port}/api/federation?name=Server+A`;
    },
    async acceptAndPair(uri) {
      const url = new URL(uri);
      const node = live.createNode(`${url.protocol}//${url.host}/${url.pathname.replace(/^\/|\/$/g, '')}`);
      node.sharedNodeID = url.username;
      node.pairToken = url.password;
      const body = { pairToken: node.pairToken, authToken: issue(), sharedNodeID: node.sharedNodeID };
      const error = await post(`${node.baseURL}/nodes/${node.sharedNodeID}/handshake`, body);
      if (error === undefined) node.status = 'pair_requested';
      return error === undefined ? { node } : { node, error };
    },
    async confirm(nodeID) {
      const node = nodeOf(nodeID);
      const url = `${node.baseURL}/nodes/${node.sharedNodeID}/handshake-complete`;
      const error = await post(url, { authToken: issue() }, node.authToken);
      if (error === undefined) node.status = 'paired';
      return error;
    },
    expose(name, fields, handle = name.toLowerCase()) {
      const [moduleID, composeModuleID, composeNamespaceID] = [nextID(), nextID(), nextID()];
      const ids = { moduleID, composeModuleID, composeNamespaceID };
      const exposure: LiveExposure = { ...ids, name, handle, fields, createdAt: seconds() };
      exposures.push(exposure);
      return exposure;
    },
    exposeAgain() {
      for (const old of exposures.splice(0)) exposures.push({ ...old, moduleID: nextID() });
    },
    put(recordID, given) {
      const values = Object.entries(given).flatMap(([name, texts]) =>
        [texts].flat().map((value) => ({ name, value })),
      );
      const known = records.find((record) => record.recordID === recordID);
      if (!known) {
        const record: LiveRecord = { recordID: nextID(), values, createdAt: seconds(), federated: false };
        records.push(record);
        return record;
      }
      known.values = values;
      known.updatedAt = seconds();
      return known;
    },
    remove(recordID) {
      const record = records.find((each) => each.recordID === recordID);
      if (record) record.deletedAt = seconds();
    },
    passSecond() {
      secondsAhead++;
    },
    issueToken: () => issue(),
    revokeTokens: () => tokens.clear(),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  function nodeOf(nodeID: string): LiveNode {
    const node = nodes.find((each) => each.nodeID === nodeID);
    if (!node) throw new Error('node does not exist');
    return node;
  }

  /** HS512, two hours, and its `jti` has to be in the server's table. */
  function issue(): string {
    const jti = randomBytes(12).toString('base64url');
    tokens.add(jti);
    const claims = {
      clientID: nextID(),
      jti,
      roles: [nextID()],
      scope: 'api',
      sub: nextID(),
      aud: ['federation'],
    };
    return jwt.sign(claims, secret, {
      algorithm: 'HS512',
      expiresIn: live.tokenLifetime,
      issuer: 'cortezaproject.org',
    });
  }

  serve(app, live, { nodes, tokens, secret });
  return live;
}

/** The server looks at the status alone: an error under 200 counts as success with it, and so it does here. */
async function post(url: string, body: object, token?: string): Promise<string | undefined> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Go-http-client/1.1',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    });
    await answer.text();
    return answer.status === 200 ? undefined : 'pairing failed, remote host retuned non-200 response';
  } catch (error) {
    return `Post "${url}": ${String(error)}`;
  }
}

interface Inside {
  readonly nodes: LiveNode[];
  readonly tokens: ReadonlySet<string>;
  readonly secret: string;
}

const OK = { success: { message: 'OK' } };

function serve(app: Express, live: LiveServer, inside: Inside): void {
  const { nodes } = inside;
  app.enable('strict routing');
  app.use((request, response, next) => {
    live.requests.push(request.originalUrl);
    if (!live.starting) {
      next();
      return;
    }
    response.setHeader('refresh', '15; url=/');
    response.type('text/plain').send('Corteza server initializing\n\n[PASS] store\n[FAIL] activation');
  });
  app.use((request, response, next) => {
    if (live.trouble) void live.trouble(request, response, next);
    else next();
  });
  app.use(express.json());
  const router = express.Router({ strict: true });
  app.use('/api/federation', router);

  router.get('/nodes/', (request, response) => {
    if (mayEnter(request, response)) fail(response, request, 'not allowed to search or list nodes');
  });
  router.post('/nodes/:n/handshake', (request, response) => {
    const { pairToken, authToken, sharedNodeID } = request.body as Record<string, string>;
    // The path's id is not looked at.
    const node = nodes.find(({ nodeID }) => nodeID === sharedNodeID);
    if (!node) {
      fail(response, request, 'node does not exist');
      return;
    }
    if (node.pairToken !== pairToken) {
      fail(response, request, 'pairing token invalid');
      return;
    }
    Object.assign(node, { authToken, sharedNodeID: node.nodeID, status: 'pair_requested' });
    response.json(OK);
  });
  router.post('/nodes/:n/handshake-complete', (request, response) => {
    if (!mayEnter(request, response)) return;
    const node = nodes.find(({ sharedNodeID }) => sharedNodeID === request.params.n);
    if (!node) {
      fail(response, request, 'node does not exist');
      return;
    }
    Object.assign(node, { authToken: (request.body as { authToken: string }).authToken, status: 'paired' });
    response.json(OK);
  });
  router.get('/nodes/:n/modules/exposed/', (request, response) => {
    if (maySync(request, response)) structure(live, request, response);
  });
  router.get('/nodes/:n/modules/exposed/records/', (request, response) => {
    if (!maySync(request, response)) return;
    const href = ({ moduleID }: LiveExposure): string =>
      `/nodes/${request.params.n}/modules/${moduleID}/records/`;
    const set = live.exposures.map((each) => ({ type: 'GET', rel: 'Federation Module', href: href(each) }));
    response.json({ response: set.length === 0 ? false : { set } });
  });
  router.get('/nodes/:n/modules/:m/records/', (request, response) => {
    if (maySync(request, response)) recordsPage(live, request, response);
  });
  app.get('/api/compose/namespace/:ns/module/:m/record/', (request, response) => {
    if (mayEnter(request, response)) composePage(live, request, response);
  });
  app.use((_, response) => {
    response
      .status(404)
      .type('html')
      .send('<!doctype html><title>Page not found | Corteza</title><h1>404</h1>');
  });

  function maySync(request: Request, response: Response): boolean {
    if (!mayEnter(request, response)) return false;
    if (live.failure === undefined) return true;
    fail(response, request, live.failure);
    return false;
  }

  function mayEnter(request: Request, response: Response): boolean {
    const [, token] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? [];
    if (token === undefined) {
      fail(response, request, 'not allowed to manage this node');
      return false;
    }
    try {
      const { jti } = jwt.verify(token, inside.secret, { algorithms: ['HS512'] }) as { jti: string };
      if (inside.tokens.has(jti)) return true;
      response.status(401).json({ error: { message: 'unauthorized', meta: { type: 'unauthorized' } } });
    } catch (error) {
      const message = error instanceof jwt.TokenExpiredError ? 'token is expired' : 'token is unauthorized';
      response.status(500);
      if (wantsJSON(request)) response.json({ error: { message } });
      else response.type('text/plain').send(`Error: ${message}`);
    }
    return false;
  }
}

const wantsJSON = (request: Request): boolean => request.headers.accept === 'application/json';

/** Status 200; as text with dashes unless JSON was asked for. */
function fail(response: Response, request: Request, message: string): void {
  if (wantsJSON(request) || request.method === 'POST') response.json({ error: { message } });
  else
    response
      .setHeader('content-type', 'plain/text')
      .end(`Error: ${message}\n--------\nresource: federation:node\n`);
}

function structure(live: LiveServer, request: Request, response: Response): void {
  const { page, nextPage, limit, lastSync } = paged(live.exposures, request, ({ moduleID }) => moduleID);
  const set = page.map(({ createdAt, deletedAt, ...exposure }) => ({
    ...exposure,
    nodeID: request.params.n,
    createdAt: iso(createdAt),
    createdBy: SOMEBODY,
    ...(deletedAt === undefined ? {} : { deletedAt: iso(deletedAt) }),
  }));
  const ids = { nodeID: request.params.n, composeModuleID: '0', composeNamespaceID: '0' };
  const filter = { ...ids, lastSync, handle: '', name: '', query: '', sort: 'id', ...limit, ...nextPage };
  const payload = { filter, set: set.length === 0 ? null : set };
  response.json(live.unwrapped ? payload : { response: payload });
}

function recordsPage(live: LiveServer, request: Request, response: Response): void {
  const exposure = live.exposures.find(({ moduleID }) => moduleID === request.params.m);
  if (!exposure || live.recordsBroken) {
    fail(response, request, 'module does not exist');
    return;
  }
  const offered = live.records.filter(({ federated }) => !federated);
  const names = new Set(exposure.fields.map(({ name }) => name));
  const { page, nextPage, limit } = paged(offered, request, ({ recordID }) => recordID);
  const query = `(createdBy != ${SOMEBODY} AND createdBy != ${SOMEBODY})`;
  const filter = { moduleID: exposure.composeModuleID, namespaceID: '0', query, deleted: 1, sort: 'id' };
  const set = page.map((record) => recordAnswer(record, exposure, names));
  const payload = { filter: { ...filter, ...limit, ...nextPage }, set: set.length === 0 ? null : set };
  const body = live.unwrapped ? payload : { response: payload };
  response.setHeader('content-type', 'text/plain; charset=utf-8').end(`${JSON.stringify(body)}\n`);
}

/** The ordinary interface for records, which a partner's token opens as well, with all columns. */
function composePage(live: LiveServer, request: Request, response: Response): void {
  const exposure = live.exposures.find(({ composeModuleID }) => composeModuleID === request.params.m);
  if (!exposure) {
    fail(response, request, 'module does not exist');
    return;
  }
  if (live.deletedModules.has(exposure.composeModuleID)) {
    fail(response, request, `cannot search data entry: model ${exposure.composeModuleID} does not exist`);
    return;
  }
  const wanted =
    request.query.deleted === '1' ? live.records : live.records.filter((record) => !record.deletedAt);
  const { page, nextPage, limit } = paged(wanted, request, ({ recordID }) => recordID);
  const filter = {
    moduleID: exposure.composeModuleID,
    namespaceID: exposure.composeNamespaceID,
    query: '',
    sort: 'id',
  };
  const set = page.map((record) => recordAnswer(record, exposure, undefined));
  response.json({ response: { filter: { ...filter, ...limit, ...nextPage }, set } });
}

function recordAnswer(
  record: LiveRecord,
  exposure: LiveExposure,
  names: ReadonlySet<string> | undefined,
): object {
  const gone = record.deletedAt === undefined ? {} : { deletedAt: iso(record.deletedAt) };
  return {
    recordID: record.recordID,
    moduleID: exposure.composeModuleID,
    // An empty value has no `value` at all.
    values: record.values
      .filter(({ name }) => !names || names.has(name))
      .sort((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0))
      .map(({ name, value }) => ({ name, ...(value === '' ? {} : { value }), ...gone })),
    namespaceID: exposure.composeNamespaceID,
    ownedBy: SOMEBODY,
    createdAt: iso(record.createdAt),
    createdBy: SOMEBODY,
    ...(record.updatedAt === undefined ? {} : { updatedAt: iso(record.updatedAt) }),
    ...gone,
  };
}

/** A stretch by cursor: standard base64 of JSON, whose `+`, `/` and `=` have to be encoded by the caller. */
function paged<T extends { createdAt: number; updatedAt?: number; deletedAt?: number }>(
  all: readonly T[],
  request: Request,
  idOf: (item: T) => string,
): { page: T[]; nextPage: object; limit: object; lastSync: number } {
  const { limit = '', pageCursor = '', lastSync = '' } = request.query as Record<string, string | undefined>;
  const since = /^\d+$/.test(lastSync) ? Number(lastSync) : 0;
  const [, behind = '0'] = /"V":\[(\d+)\]/.exec(Buffer.from(pageCursor, 'base64').toString()) ?? [];
  const found = all
    .filter((item) => Math.max(item.createdAt, item.updatedAt ?? 0, item.deletedAt ?? 0) >= since)
    .filter((item) => BigInt(idOf(item)) > BigInt(behind))
    .sort((a, b) => (BigInt(idOf(a)) < BigInt(idOf(b)) ? -1 : 1));
  const size = Number(limit) > 0 ? Number(limit) : found.length;
  const page = found.slice(0, size);
  const last = page.at(-1);
  const cursor = `{"K":["id"],"V":[${last ? idOf(last) : ''}],"D":[false],"R":false,"LT":false,"?":"~~>>"}`;
  return {
    page,
    lastSync: since,
    limit: Number(limit) > 0 ? { limit: Number(limit) } : {},
    nextPage: found.length > size ? { nextPage: Buffer.from(cursor).toString('base64') } : {},
  };
}
