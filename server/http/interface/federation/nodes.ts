import { Router, type Request } from 'express';
import * as live from '../../../contract/wire/live.ts';
import * as shape1 from '../../../contract/wire/shape1.ts';
import * as shape2 from '../../../contract/wire/shape2.ts';
import { domainBase } from '../../../federation/partners/addresses.ts';
import type { Federation } from '../../../federation/federation.ts';
import type { Node, NodeStatus } from '../../../federation/model.ts';
import type { Dialect } from '../../../base/vocabulary.ts';
import { looksLikeNodeURI } from '../../../federation/partners/node-uri.ts';
import { Refusal } from '../../../base/refusal.ts';
import { userID } from '../../auth/caller.ts';
import { bodyObject, jsonBody } from './bodies.ts';
import { wholeOrPage, queryText, refuseParams, shapeParam } from './params.ts';
import type { Guards } from './guards.ts';
import type { SyncControl } from './sync-control.ts';
import { pathID } from '../../listeners/path-id.ts';
import type { z } from 'zod';

interface NodeRequest {
  readonly dialect: Dialect;
  /** Invite to accept. */
  readonly invite: string | undefined;
  readonly input: {
    readonly name?: string;
    readonly baseURL?: string;
    readonly contact?: string;
    readonly domain?: string;
    readonly myDomain?: string;
  };
}

interface NodesRouterDeps {
  readonly federation: Federation;
  readonly guards: Guards;
  readonly sync: Pick<SyncControl, 'settled'>;
}

/**
 * Serves the partners' records: list, creation, changes, deletion, restore and invites to make or accept. Deleting a
 * Footbridge's record makes its rows ours; others' stay as received.
 */
export function nodesRouter(deps: NodesRouterDeps): Router {
  const router = Router();
  const { nodes, invites, disconnects, rowHandover } = deps.federation;
  const { guards, sync } = deps;
  /** Returns a partner's record as an answer, by default with the invite to show. */
  const answerWithNode = (node: Node, dialect: Dialect, uri?: string): object => ({
    response: nodeAnswer(node, dialect, uri ?? invites.uriForDisplay(node)),
  });

  addListRoute(router, deps);

  router.post('/nodes', guards.admin, jsonBody, async (req, res) => {
    const { dialect, invite, input } = parseNodeRequest(req);
    const by = userID(req);
    if (invite !== undefined) {
      res.json(answerWithNode(await invites.accept(invite, { ...input, writtenIn: dialect }, by), dialect));
      return;
    }
    const node = await nodes.create({ ...input, name: nameOf(input), writtenIn: dialect }, by);
    // In shape 2 only this has the invite.
    const made = dialect === 'shape2' ? await invites.create(node.nodeID) : undefined;
    res.json(answerWithNode(await nodes.get(node.nodeID), dialect, made?.uri));
  });

  router.get('/nodes/:n', guards.read, async (req, res) => {
    const node = await nodes.get(pathID(req, 'n'));
    res.json(answerWithNode(node, dialectFor(req, node)));
  });

  router.post('/nodes/:n', guards.admin, jsonBody, async (req, res) => {
    const node = await nodes.get(pathID(req, 'n'));
    const { dialect, invite, input } = parseNodeRequest(req, node);
    const change = { ...input, writtenIn: dialect };
    const changed =
      invite === undefined
        ? await nodes.update(node.nodeID, change, userID(req))
        : await invites.accept(invite, { ...change, nodeID: node.nodeID }, userID(req));
    res.json(answerWithNode(changed, dialect));
  });

  router.delete('/nodes/:n', guards.admin, async (req, res) => {
    const node = await nodes.get(pathID(req, 'n'));
    // Only Footbridges recognise their rows: others' would be duplicated after pairing again.
    const received = node.installation === undefined ? undefined : ('keep' as const);
    await disconnects.remove(node.nodeID, userID(req), received && { received });
    if (received) {
      await sync.settled(node.nodeID);
      await rowHandover.releaseRows(node.nodeID, received);
    }
    res.json(emptyAnswer(node, req));
  });

  router.post('/nodes/:n/undelete', guards.admin, async (req, res) => {
    res.json(emptyAnswer(await nodes.restore(pathID(req, 'n'), userID(req)), req));
  });

  router.post('/nodes/:n/uri', guards.admin, async (req, res) => {
    res.json({ response: (await invites.create(pathID(req, 'n'))).uri });
  });

  return router;
}

/**
 * Adds the list of partners, filtered by text in name or address and by status, whole or by pages. Throws
 * `query.status` (400).
 */
function addListRoute(router: Router, { federation: { nodes, invites }, guards }: NodesRouterDeps): void {
  router.get('/nodes', guards.read, async (req, res) => {
    refuseParams(req, ['sort', 'deleted']);
    const [query = '', status = ''] = [queryText(req, 'query'), queryText(req, 'status')];
    if (status !== '' && !shape1.nodeStatus.safeParse(status).success)
      throw new Refusal('malformed', 'query.status', 'The status is pending, pair_requested or paired.');
    const wanted = query.toLowerCase();
    const fitting = (await nodes.list())
      .filter(({ name, baseURL }) => `${name}\n${baseURL}`.toLowerCase().includes(wanted))
      .filter((node) => status === '' || protocolStatus(node.status) === status);
    const { part, cut } = wholeOrPage(req, fitting);
    const set = part.map((node) => nodeAnswer(node, dialectFor(req, node), invites.uriForDisplay(node)));
    res.json({ response: { filter: { query, status, ...cut, count: fitting.length }, set } });
  });
}

/** Returns an empty answer: Corteza's `OK` message for a live partner unless the request names a shape, else `{}`. */
export function emptyAnswer(node: Pick<Node, 'writtenIn'>, req: Request): object {
  return shapeParam(req) === undefined && node.writtenIn === 'live' ? { success: { message: 'OK' } } : {};
}

/** Returns `?shape=`'s dialect, else that of the call that last wrote the partner, else shape 1. */
function dialectFor(req: Request, node: Node): Dialect {
  const shape = shapeParam(req);
  if (shape !== undefined) return shape === 1 ? 'shape1' : 'shape2';
  return node.writtenIn ?? 'shape1';
}

/**
 * Parses a partner's record, or an invite to accept, and tells the dialect by the members; shape 1 has the invite in
 * `baseURL` too. Throws 400. Empty members count as absent, except `nodeURI`. `node`: the record to change.
 */
function parseNodeRequest(req: Request, node?: Node): NodeRequest {
  const body = bodyObject(req);
  if ('myDomain' in body || 'domain' in body) {
    const { nodeURI, ...more } = shape2.nodeRequest.partial({ myDomain: true }).parse(body);
    const { domain = '' } = more;
    return {
      dialect: 'shape2',
      invite: nodeURI,
      input: omitEmpty({ ...more, baseURL: domain && domainBase(domain) }),
    };
  }
  if ('pairingURI' in body || 'contact' in body) {
    const { pairingURI = '', ...more } = live.nodeRequest.parse(body);
    return { dialect: 'live', invite: pairingURI === '' ? undefined : pairingURI, input: omitEmpty(more) };
  }
  const { baseURL, name, nodeURI } = shape1.nodeRequest.parse(body);
  const dialect = node && baseURL === undefined ? dialectFor(req, node) : 'shape1';
  if (baseURL !== undefined && looksLikeNodeURI(baseURL))
    return { dialect, invite: baseURL, input: omitEmpty({ name }) };
  return { dialect, invite: nodeURI, input: omitEmpty({ name, baseURL }) };
}

/** Returns the partner's name, else the address's host. Throws `node.nameless` (400) without both. */
function nameOf({ name, baseURL = '' }: NodeRequest['input']): string {
  const text = name ?? hostOf(baseURL);
  if (text !== '') return text;
  throw new Refusal(
    'malformed',
    'node.nameless',
    'Give the partner a name, or an address, or paste its invite.',
  );
}

/** Returns the address's host with its port; a text that is no URL unchanged. */
function hostOf(baseURL: string): string {
  return URL.canParse(baseURL) ? new URL(baseURL).host : baseURL;
}

/** Returns the input without absent and empty members. */
function omitEmpty(input: {
  readonly [K in keyof NodeRequest['input']]: string | undefined;
}): NodeRequest['input'] {
  return Object.fromEntries(Object.entries(input).filter(([, text]) => text !== undefined && text !== ''));
}

/**
 * Returns the status as the protocol has it, which knows three: all but `pair_requested` and `paired` are `pending`.
 */
function protocolStatus(status: NodeStatus): z.infer<typeof shape1.nodeStatus> {
  return status === 'pair_requested' || status === 'paired' ? status : 'pending';
}

/** Returns a partner's record in a dialect; only shape 2 has `nodeURI`, the invite to show. */
function nodeAnswer(node: Node, dialect: Dialect, nodeURI: string): NodeAnswer {
  const { nodeID, sharedNodeID, name, baseURL, createdAt, createdBy } = node;
  const status = protocolStatus(node.status);
  if (dialect === 'shape2') return { nodeID, sharedNodeID, name, domain: node.domain ?? '', status, nodeURI };
  if (dialect === 'shape1') return { nodeID, sharedNodeID, name, status, baseURL, createdAt, createdBy };
  return {
    nodeID,
    name,
    status,
    baseURL,
    contact: node.contact,
    sharedNodeID,
    createdAt,
    createdBy,
    ...(node.updatedAt === undefined ? {} : { updatedAt: node.updatedAt }),
    ...(node.updatedBy === undefined ? {} : { updatedBy: node.updatedBy }),
    canManageNode: true,
    canCreateModule: true,
  };
}

type NodeAnswer = z.infer<typeof shape1.node> | z.infer<typeof shape2.node> | z.infer<typeof live.node>;
