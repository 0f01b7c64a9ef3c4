import * as live from '../wire/live.ts';
import * as shape1 from '../wire/shape1.ts';
import * as shape2 from '../wire/shape2.ts';
import * as syncStatus from '../wire/sync-status.ts';
import {
  AT,
  definition1,
  definition2,
  exposed1,
  EXPOSURE,
  LATER,
  LIST,
  NAMESPACE,
  NODE_A,
  OFFER,
  RECORD,
  record1,
} from './examples.ts';
import { answered, type Operation, type Parameter, type Variant } from './operation.ts';
import { nothing } from './pairing.ts';
import { flag, paging, search, shape, time } from './parameters.ts';

const linkListAnswer = answered(shape1.linkList);
/** Describes a list of change links as an answer, with an example. */
const linkListVariant = (path: string, name: string): Variant => ({
  shape: name,
  schema: linkListAnswer,
  example: {
    response: {
      filter: { query: 'after=1600109447', page: 1, perPage: 20, count: 1 },
      set: [
        { type: 'GET', rel: 'Account', href: `https://oslo.example/federation/${path}?after=1600109447` },
      ],
    },
  },
});

const recordListAnswer = answered(shape1.recordList);
/** Describes a list of rows as an answer, with an example. `deleted` is 1 if it includes tombstones. */
const recordListVariant = (name: string, deleted: 0 | 1): Variant => ({
  shape: name,
  schema: recordListAnswer,
  example: {
    response: {
      filter: {
        moduleID: EXPOSURE,
        query: '',
        sort: 'createdAt DESC',
        page: 1,
        perPage: 20,
        count: 97,
        deleted,
      },
      set: [record1],
    },
  },
});

/** Describes a call that fetches rows in shape 2. */
const fetchRecordsOperation = (id: string, path: string): Operation => ({
  id,
  method: 'get',
  path,
  tag: 'Feed',
  summary: 'Fetch exposed data, shape 2',
  who: 'partner',
  query: [time('after'), deleted('0', '1'), ...search, ...paging],
  answers: [recordListVariant('shape 2', 1)],
  refusals: [410],
});

/** Describes a selector such as `exposed`, which the path makes superfluous. */
const selector = (name: string): Parameter => ({
  name,
  description: 'may be given as 1; the id in the path says already which list is meant',
  schema: { enum: ['1'] },
});

/** Describes `deleted`, which is refused unless it says what comes anyway. */
const deleted = (...values: readonly ('0' | '1')[]): Parameter => ({
  name: 'deleted',
  description: 'may be given as what comes: 1 with a time and to live requests, else 0',
  schema: { enum: values },
});

const liveLimit: Parameter = {
  name: 'limit',
  description:
    'no limit when absent or 0; without Accept: application/json records come on one page anyway. Servers send it each time: without it nothing counts as served',
  schema: { type: 'integer', minimum: 0 },
};
const liveCursor: Parameter = {
  name: 'pageCursor',
  description: 'the nextPage of the answer before',
  schema: { type: 'string' },
};

const NO_ROWS = { created: 0, updated: 0, deleted: 0, unchanged: 0, failed: 0 };

export const feedOperations: readonly Operation[] = [
  {
    id: 'changedModules',
    method: 'get',
    path: '/federation/exposed/modules',
    tag: 'Feed',
    summary: 'Get origin changes: links to changed modules',
    who: 'partner',
    query: [time('after'), ...paging],
    answers: [linkListVariant(`exposed/modules/${EXPOSURE}`, 'shapes 1 and 2')],
  },
  {
    id: 'exposedModule',
    method: 'get',
    path: '/federation/exposed/modules/{moduleID}',
    tag: 'Feed',
    summary: 'Sync shared module structure',
    who: 'partner',
    query: [time('after'), shape, flag('marked', 'each column with its mark, as Footbridges ask for it')],
    answers: [
      { shape: 'shape 1', schema: answered(shape1.exposedDefinition), example: { response: definition1 } },
      { shape: 'shape 2', schema: answered(shape2.exposedDefinition), example: { response: definition2 } },
    ],
    refusals: [410],
  },
  {
    id: 'changedRecords',
    method: 'get',
    path: '/federation/exposed/records',
    tag: 'Feed',
    summary: 'Fetch exposed data changes, shape 2: links to the records of changed modules',
    who: 'partner',
    query: [time('after'), ...paging],
    answers: [linkListVariant(`exposed/records/${EXPOSURE}`, 'shape 2')],
  },
  {
    id: 'records1',
    method: 'get',
    path: '/federation/nodes/{nodeID}/modules/{moduleID}/records',
    tag: 'Feed',
    summary: 'Fetch exposed data, shape 1',
    description: 'Deleted records travel, with deletedAt and without values, when a time is given.',
    who: 'partner or viewer',
    query: [
      time('lastSync'),
      ...['exposed', 'shared', 'mapped'].map(selector),
      deleted('0', '1'),
      ...search,
      ...paging,
    ],
    answers: [recordListVariant('shape 1', 0)],
    refusals: [410],
  },
  fetchRecordsOperation('records2', '/federation/exposed/records/{moduleID}'),
  fetchRecordsOperation('recordsOfModule2', '/federation/exposed/modules/{moduleID}/records'),
  fetchRecordsOperation('recordsBeside2', '/exposed/modules/{moduleID}/records'),
  {
    id: 'liveStructure',
    method: 'get',
    path: '/federation/nodes/{nodeID}/modules/exposed',
    tag: 'Feed of the live dialect',
    summary: 'Structure, as live servers ask for it: each list as it was sent first',
    who: 'partner or viewer',
    query: [time('lastSync', 'live'), liveLimit, liveCursor],
    answers: [
      {
        shape: 'live',
        schema: answered(live.structure),
        example: {
          response: {
            filter: {
              nodeID: NODE_A,
              composeModuleID: '0',
              composeNamespaceID: '0',
              lastSync: 1600109447,
              handle: '',
              name: '',
              query: '',
              sort: 'id',
              limit: 1,
            },
            set: [exposed1],
          },
        },
      },
    ],
  },
  {
    id: 'liveRecords',
    method: 'get',
    path: '/federation/nodes/{nodeID}/modules/{moduleID}/records/',
    tag: 'Feed of the live dialect',
    summary: 'Records, as live servers ask for them: none twice unless unsure; the trailing slash counts',
    description:
      '`query` and `sort` are as of Compose, over columns that leave, `id`, `createdAt` and `updatedAt`; anything else is 400.',
    who: 'partner or viewer',
    query: [time('lastSync', 'live'), deleted('1'), liveLimit, liveCursor, ...search],
    answers: [
      {
        shape: 'live',
        schema: answered(live.recordList),
        example: {
          response: {
            filter: { moduleID: LIST, namespaceID: '0', query: '', deleted: 1, sort: 'id', limit: 100 },
            set: [
              {
                recordID: RECORD,
                moduleID: LIST,
                values: [{ name: 'AccountName', value: 'Fjord Fish' }, { name: 'Phone' }],
                namespaceID: NAMESPACE,
                ownedBy: '0',
                createdAt: AT,
                createdBy: '0',
                updatedAt: LATER,
                updatedBy: '0',
              },
            ],
          },
        },
      },
    ],
    refusals: [410],
  },
  {
    id: 'liveRecordIndex',
    method: 'get',
    path: '/federation/nodes/{nodeID}/modules/exposed/records',
    tag: 'Feed of the live dialect',
    summary: 'Modules that have records',
    who: 'partner or viewer',
    query: [time('lastSync', 'live')],
    answers: [
      {
        shape: 'live',
        schema: answered(live.recordIndex),
        example: {
          response: {
            set: [
              {
                type: 'GET',
                rel: 'Federation Module',
                href: `/nodes/${NODE_A}/modules/${EXPOSURE}/records/`,
              },
            ],
          },
        },
      },
    ],
  },
  {
    id: 'syncNow',
    method: 'post',
    path: '/federation/nodes/{nodeID}/sync',
    tag: 'Sync',
    summary: 'Fetch from this partner now, and wait for it',
    description:
      'It is 200 when every list was fetched to its end; rows that could not be taken in are counted as failed, and wait. It is 502 when the partner, or one of its lists, could not be fetched; what arrived stays, and asking again goes on from there.',
    who: 'editor',
    query: [flag('wait', '0: answer 202 with {} at once')],
    answers: [
      {
        shape: 'every',
        schema: answered(syncStatus.syncNowAnswer),
        example: {
          response: {
            created: 2,
            updated: 1,
            deleted: 0,
            unchanged: 94,
            failed: 0,
            modules: [
              {
                moduleID: OFFER,
                composeModuleID: LIST,
                name: 'Account',
                created: 2,
                updated: 1,
                deleted: 0,
                unchanged: 94,
                failed: 0,
              },
            ],
          },
        },
      },
      { ...nothing, shape: 'wait=0', status: 202 },
      {
        shape: 'a list failed',
        status: 502,
        schema: syncStatus.syncFailedAnswer,
        example: {
          error: {
            code: 'sync.incomplete',
            message:
              '1 of 2 lists could not be fetched: “Contacts”: The partner refused. Ask them about it: gone',
          },
          response: {
            ...NO_ROWS,
            created: 2,
            modules: [
              { ...NO_ROWS, moduleID: OFFER, composeModuleID: LIST, name: 'Account', created: 2 },
              {
                ...NO_ROWS,
                moduleID: '1958220394853412867',
                composeModuleID: '1958220394853412868',
                name: 'Contacts',
                error: 'The partner refused. Ask them about it: gone',
              },
            ],
          },
        },
      },
    ],
    refusals: [409, 502, 507],
  },
  {
    id: 'syncStatus',
    method: 'get',
    path: '/federation/nodes/{nodeID}/sync',
    tag: 'Sync',
    summary: 'How fetching from this partner stands, and its history',
    who: 'viewer',
    answers: [
      {
        shape: 'every',
        schema: answered(syncStatus.syncStatus),
        example: {
          response: {
            nodeID: NODE_A,
            state: 'up-to-date',
            line: 'open',
            cause: 'well',
            reason: 'Everything has arrived.',
            also: [],
            awaited: false,
            asOf: LATER,
            freshUntil: LATER,
            lastSuccessAt: LATER,
            live: true,
            lists: [],
            history: [],
          },
        },
      },
    ],
  },
];
