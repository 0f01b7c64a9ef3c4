import { z } from 'zod';
import * as live from '../wire/live.ts';
import * as shape1 from '../wire/shape1.ts';
import * as shape2 from '../wire/shape2.ts';
import * as upkeep from '../wire/upkeep.ts';
import { LATER, NODE_A, NODE_B, NODE_URI, node1, node2, nodeLive, SECRET, TOKEN } from './examples.ts';
import { answered, HANDSHAKE_BYTES, type Operation, type Variant } from './operation.ts';
import { paging, shape } from './parameters.ts';

const tag = 'Pairing';

/** `{}`, or the live dialect's own word for it. */
export const nothing: Variant = { shape: 'shapes 1 and 2', schema: z.strictObject({}), example: {} };
const nothingLive: Variant = { shape: 'live', schema: live.success, example: { success: { message: 'OK' } } };

const nodeAnswers: readonly Variant[] = [
  { shape: 'shape 1', schema: answered(shape1.node), example: { response: node1 } },
  { shape: 'shape 2', schema: answered(shape2.node), example: { response: node2 } },
  { shape: 'live', schema: answered(live.node), example: { response: nodeLive } },
];

const nodeRequests: readonly Variant[] = [
  {
    shape: 'shape 1, on A',
    schema: shape1.nodeRequest,
    example: { baseURL: 'https://bergen.example/federation', name: 'Bergen' },
  },
  { shape: 'shape 1, on B', schema: shape1.nodeRequest, example: { baseURL: NODE_URI, name: 'Oslo' } },
  {
    shape: 'shape 2, on A',
    schema: shape2.nodeRequest,
    example: { myDomain: 'oslo.example', domain: 'bergen.example', name: 'Bergen' },
  },
  {
    shape: 'shape 2, on B',
    schema: shape2.nodeRequest,
    example: { myDomain: 'bergen.example', nodeURI: NODE_URI },
  },
  {
    shape: 'live, on A',
    schema: live.nodeRequest,
    example: {
      baseURL: 'https://bergen.example/federation',
      name: 'Bergen',
      contact: 'admin@bergen.example',
    },
  },
  { shape: 'live, on B', schema: live.nodeRequest, example: { pairingURI: NODE_URI } },
];

const nodeList = z.strictObject({
  filter: z.strictObject({
    query: z.string(),
    status: z.string(),
    page: z.number().int().optional(),
    perPage: z.number().int().optional(),
    limit: z.number().int().optional(),
    nextPage: z.string().optional(),
    count: z.number().int(),
  }),
  set: z.array(z.union([shape1.node, shape2.node, live.node])),
});

export const pairingOperations: readonly Operation[] = [
  {
    id: 'createNode',
    method: 'post',
    path: '/federation/nodes',
    tag,
    summary: 'Create a node, by parameters on A or by its invite on B',
    description:
      'The body tells the dialect: myDomain is shape 2, pairingURI or contact is live, else shape 1.',
    who: 'admin',
    body: nodeRequests,
    answers: nodeAnswers,
    refusals: [409, 422],
  },
  {
    id: 'listNodes',
    method: 'get',
    path: '/federation/nodes',
    tag,
    summary: 'All partners, each in the dialect in which it was written',
    who: 'viewer',
    query: [
      { name: 'query', description: 'part of name or address', schema: { type: 'string' } },
      {
        name: 'status',
        description: 'as it travels',
        schema: { enum: ['', ...shape1.nodeStatus.options] },
      },
      shape,
      ...paging,
    ],
    answers: [
      {
        shape: 'each',
        schema: answered(nodeList),
        example: { response: { filter: { query: '', status: '', count: 2 }, set: [node1, node2] } },
      },
    ],
  },
  {
    id: 'readNode',
    method: 'get',
    path: '/federation/nodes/{nodeID}',
    tag,
    summary: 'One partner, by our id of it or by the pair’s shared id',
    who: 'viewer',
    query: [shape],
    answers: nodeAnswers,
  },
  {
    id: 'changeNode',
    method: 'post',
    path: '/federation/nodes/{nodeID}',
    tag,
    summary: 'Change a partner’s record, or give it an invite to pair again',
    description: 'What is not named stays.',
    who: 'admin',
    body: [
      ...nodeRequests,
      { shape: 'only an invite', schema: shape1.nodeRequest, example: { nodeURI: NODE_URI } },
    ],
    answers: nodeAnswers,
    refusals: [422],
  },
  {
    id: 'removeNode',
    method: 'delete',
    path: '/federation/nodes/{nodeID}',
    tag,
    summary: 'End the connection and forget the partner',
    who: 'admin',
    answers: [nothing, nothingLive],
  },
  {
    id: 'restoreNode',
    method: 'post',
    path: '/federation/nodes/{nodeID}/undelete',
    tag,
    summary: 'Take a removal back',
    description:
      'The record is there again under its own id, not connected: pair again. What was shared before is shared ' +
      'again only when it is exposed again.',
    who: 'admin',
    answers: [nothing, nothingLive],
    refusals: [409],
  },
  {
    id: 'makeInvite',
    method: 'post',
    path: '/federation/nodes/{nodeID}/uri',
    tag,
    summary: 'Make an invite; it is shown this once, good once and for 24 h, and voids the one before',
    who: 'admin',
    answers: [{ shape: 'every', schema: answered(z.string()), example: { response: NODE_URI } }],
  },
  {
    id: 'pair',
    method: 'post',
    path: '/federation/nodes/{nodeID}/pair',
    tag,
    summary: 'On B: ask A to pair',
    who: 'admin',
    answers: [nothing, nothingLive],
    refusals: [409, 502],
  },
  {
    id: 'handshake',
    method: 'post',
    path: '/federation/nodes/{nodeID}/handshake',
    tag,
    summary: 'From B to A: the request to pair',
    description: 'Credentials travel in the body.',
    who: 'anyone',
    bodyBytes: HANDSHAKE_BYTES,
    body: [
      {
        shape: 'shapes 1 and 2',
        schema: shape1.handshakeRequest,
        example: { nodeURI: NODE_URI, token: TOKEN, nodeIDB: NODE_B },
      },
      {
        shape: 'live',
        schema: live.handshakeRequest,
        example: { pairToken: SECRET, authToken: TOKEN, sharedNodeID: NODE_A },
      },
    ],
    answers: [nothing, nothingLive],
    refusals: [401, 410, 429],
  },
  {
    id: 'confirmHandshake',
    method: 'post',
    path: '/federation/nodes/{nodeID}/handshake-confirm',
    tag,
    summary: 'On A: say yes to B, and give it A’s token',
    who: 'admin',
    answers: [nothing, nothingLive],
    refusals: [409, 502],
  },
  {
    id: 'completeHandshake',
    method: 'post',
    path: '/federation/nodes/{nodeID}/handshake-complete',
    tag,
    summary: 'From A to B: A’s token, under B’s',
    who: 'partner',
    bodyBytes: HANDSHAKE_BYTES,
    body: [
      { shape: 'shapes 1 and 2', schema: shape1.completeRequest, example: { token: TOKEN } },
      { shape: 'live', schema: live.completeRequest, example: { authToken: TOKEN } },
    ],
    answers: [nothing, nothingLive],
    refusals: [409],
  },
  {
    id: 'pauseNode',
    method: 'post',
    path: '/federation/nodes/{nodeID}/pause',
    tag,
    summary: 'Stop fetching from this partner, its reading, or both, for ever or until a time',
    who: 'admin',
    answers: [nothing, nothingLive],
    bodyOptional: true,
    body: [
      { shape: 'until', schema: upkeep.pauseRequest, example: { until: LATER, fetch: true, serve: true } },
    ],
  },
  {
    id: 'resumeNode',
    method: 'post',
    path: '/federation/nodes/{nodeID}/resume',
    tag,
    summary: 'Fetch from this partner again, and let it read',
    who: 'admin',
    answers: [nothing, nothingLive],
  },
  {
    id: 'revokeNode',
    method: 'post',
    path: '/federation/nodes/{nodeID}/revoke',
    tag,
    summary: 'End the connection: tokens, invites and shares are void from the next request on',
    who: 'admin',
    bodyOptional: true,
    body: [
      {
        shape: 'rows received',
        schema: upkeep.revokeRequest,
        example: { received: 'keep' },
      },
    ],
    answers: [nothing, nothingLive],
  },
];
