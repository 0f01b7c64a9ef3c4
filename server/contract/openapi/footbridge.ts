import type { z } from 'zod';
import { GROUP_ROWS } from '../../base/row-group.ts';
import { envelope } from '../common.ts';
import * as footbridge from '../wire/footbridge.ts';
import { AT, EXPOSURE, LATER, NODE_A, RECORD, TOKEN } from './examples.ts';
import { HANDSHAKE_BYTES, type Operation, type Variant } from './operation.ts';
import { nothing } from './pairing.ts';

const tag = 'Between Footbridges';
const base = '/federation/footbridge';
/** Describes a Footbridge's answer with this payload. */
const answerVariant = (schema: z.ZodType, payload: unknown, shape = 'answer'): Variant => ({
  shape,
  schema: envelope(schema).strict(),
  example: { response: payload },
});

const row = {
  recordID: RECORD,
  createdAt: AT,
  updatedAt: LATER,
  via: ['2235175203408142000'],
  origin: { id: 'q0Yw7mB1xJc4T9fKz2LhVg', at: LATER },
  values: [{ name: 'AccountName', value: 'Fjord Fish' }],
};
const group = {
  n: 1,
  fields: ['AccountName'],
  vias: [row.via],
  times: [AT, LATER],
  ids: 'NGLnSQHwBB8=',
  at: 'AAAAAAEAAQA=',
  names: row.origin.id,
  lengths: ['CgAAAA=='],
  text: ['Fjord Fish'],
};
const digest = '0f343b0931126a20f133d67c2b018a3b';

export const footbridgeOperations: readonly Operation[] = [
  {
    id: 'hello',
    method: 'get',
    path: `${base}/hello`,
    tag,
    summary: 'Who is here; with both parameters also a proof that it issued a token',
    who: 'anyone',
    query: [
      {
        name: 'token',
        description: 'a token (JWT) without its last dot and signature',
        schema: { type: 'string', pattern: '^[\\w-]{1,1000}\\.[\\w-]{1,1000}$' },
      },
      { name: 'challenge', description: 'random', schema: { type: 'string', pattern: '^[0-9a-f]{32,64}$' } },
    ],
    answers: [answerVariant(footbridge.hello, { footbridge: 1 })],
  },
  {
    id: 'wait',
    method: 'get',
    path: `${base}/wait`,
    tag,
    summary: 'Long poll: answers when something changes, or when the time is over',
    who: 'partner',
    query: [
      { name: 'since', description: 'cursor of the answer before', schema: { type: 'string' } },
      { name: 'timeout', description: 'seconds', schema: { type: 'integer', minimum: 0, maximum: 55 } },
      {
        name: 'run',
        description: 'a random name that the calling program gave itself at its start',
        schema: { type: 'string', pattern: '^[\\w-]{8,40}$' },
      },
    ],
    answers: [
      answerVariant(footbridge.waitAnswer, {
        cursor: 'bmV3LXJ1bg.17',
        structure: false,
        modules: [EXPOSURE],
      }),
    ],
  },
  {
    id: 'changes',
    method: 'get',
    path: `${base}/modules/{moduleID}/changes`,
    tag,
    summary: 'Rows in the order of their last change',
    who: 'partner',
    query: [
      { name: 'after', description: 'change number come to', schema: { type: 'integer', minimum: 0 } },
      {
        name: 'until',
        description: 'the last change number that is wanted; as far as `limit` goes when absent',
        schema: { type: 'integer', minimum: 1 },
      },
      { name: 'epoch', description: 'as of the answer before', schema: { type: 'string' } },
      {
        name: 'state',
        description: 'as of the answer before: 409 `feed.went-back` where the list went back since',
        schema: { type: 'string', maxLength: 200 },
      },
      {
        name: 'columns',
        description:
          'the digest of the columns as the caller knows them: with another one than the present no row is read (409)',
        schema: { type: 'string' },
      },
      {
        name: 'limit',
        description: '500 when absent; with `groups` a page that is no row group has 500 rows at most',
        schema: { type: 'integer', minimum: 1, maximum: GROUP_ROWS },
      },
      {
        name: 'marks',
        description:
          'how many of the pages behind this one are to be named, so that they can be asked for at once',
        schema: { type: 'integer', minimum: 0, maximum: footbridge.MAX_MARKS },
      },
      {
        name: 'groups',
        description: '1: the rows may come as one row group',
        schema: { type: 'string', enum: ['1'] },
      },
    ],
    answers: [
      answerVariant(footbridge.changesAnswer, {
        epoch: '5f2b9c04d1',
        state: '9e107d9d372bb682.k3Vd0aQx7Hs1',
        next: 42,
        more: false,
        total: 1,
        set: [row],
      }),
      answerVariant(
        footbridge.groupedChangesAnswer,
        {
          epoch: '5f2b9c04d1',
          state: '9e107d9d372bb682.k3Vd0aQx7Hs1',
          next: 42,
          more: false,
          total: 1,
          grouped: true,
          set: [group],
        },
        'row group',
      ),
    ],
    refusals: [409, 410],
  },
  {
    id: 'namedRows',
    method: 'post',
    path: `${base}/modules/{moduleID}/rows`,
    tag,
    summary: 'Named rows as they are now',
    who: 'partner',
    body: [{ shape: 'ids', schema: footbridge.rowsRequest, example: { recordIDs: [RECORD] } }],
    answers: [answerVariant(footbridge.rowsAnswer, { taken: 1, set: [row] })],
    refusals: [410, 413],
  },
  {
    id: 'digest',
    method: 'post',
    path: `${base}/modules/{moduleID}/digest`,
    tag,
    summary: 'Are we identical? Counts and digests of the rows, by block',
    who: 'partner',
    body: [
      {
        shape: 'all blocks',
        schema: footbridge.digestRequest,
        example: { fields: ['AccountName'], blocks: 1 },
      },
      {
        shape: 'one block',
        schema: footbridge.digestRequest,
        example: { fields: ['AccountName'], blocks: 1, block: 0 },
      },
    ],
    answers: [
      answerVariant(footbridge.digestAnswer, { blocks: [{ count: 1, digest }] }, 'all blocks'),
      answerVariant(footbridge.digestBlock, { set: [{ recordID: RECORD, digest }] }, 'one block'),
    ],
    refusals: [410],
  },
  {
    id: 'standing',
    method: 'post',
    path: `${base}/standing`,
    tag,
    summary: 'How far the caller has come with what is shared with it: numbers, and nothing of any row',
    who: 'partner',
    body: [
      {
        shape: 'standing',
        schema: footbridge.standingRequest,
        example: {
          lists: [
            {
              moduleID: EXPOSURE,
              wanted: 'yes',
              epoch: 'b1946ac92492d2347c6235b4',
              after: 412,
              held: 0,
              apart: 1,
            },
          ],
        },
      },
    ],
    answers: [nothing],
  },
  {
    id: 'renewToken',
    method: 'post',
    path: `${base}/token`,
    tag,
    summary: 'A fresh node token; the old one is good until this one is used',
    who: 'partner',
    answers: [answerVariant(footbridge.tokenAnswer, { token: TOKEN, expiresAt: LATER })],
  },
  {
    id: 'collectPairing',
    method: 'post',
    path: `${base}/pairing`,
    tag,
    summary: 'Node B, which cannot be called, asks for the result of its handshake',
    who: 'anyone',
    bodyBytes: HANDSHAKE_BYTES,
    body: [
      {
        shape: 'proof',
        schema: footbridge.pairingRequest,
        example: { nodeID: NODE_A, proof: 'a3'.repeat(32) },
      },
    ],
    answers: [
      answerVariant(footbridge.pairingAnswer, { state: 'waiting' }, 'waiting'),
      answerVariant(footbridge.pairingAnswer, { state: 'ready', token: TOKEN }, 'ready'),
    ],
    refusals: [401, 429],
  },
  {
    id: 'announceRoutes',
    method: 'post',
    path: `${base}/routes`,
    tag,
    summary: 'The partner says on which routes it can be reached from now on',
    who: 'partner',
    bodyBytes: HANDSHAKE_BYTES,
    body: [
      {
        shape: 'routes',
        schema: footbridge.routesRequest,
        example: {
          revision: 1_795_000_000_000,
          routes: { pin: '3f9c'.repeat(16), texts: ['direct:192.168.1.20:7420'] },
          proof: { publicKey: 'A'.repeat(43), signature: 'A'.repeat(86) },
        },
      },
    ],
    answers: [
      answerVariant(footbridge.routesAnswer, {}),
      answerVariant(footbridge.routesAnswer, { newer: 1_858_000_000_000 }, 'newer'),
    ],
    refusals: [409],
  },
  {
    id: 'goodbye',
    method: 'post',
    path: `${base}/goodbye`,
    tag,
    summary: 'The partner ends the connection',
    who: 'partner',
    bodyOptional: true,
    bodyBytes: HANDSHAKE_BYTES,
    body: [{ shape: 'goodbye', schema: footbridge.goodbyeRequest, example: { removeRequest: false } }],
    answers: [nothing],
  },
];
