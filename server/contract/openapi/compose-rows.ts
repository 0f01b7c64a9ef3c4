import * as compose from '../wire/compose.ts';
import { tag, records, answered, body, success, text } from './compose-parts.ts';
import { AT, LATER, LIST, NAMESPACE, RECORD } from './examples.ts';
import type { Operation } from './operation.ts';

const record = {
  recordID: RECORD,
  moduleID: LIST,
  namespaceID: NAMESPACE,
  values: [{ name: 'AccountName', value: 'Fjord Fish' }],
  ownedBy: '2',
  createdAt: AT,
  createdBy: '2',
  updatedAt: LATER,
  updatedBy: '2',
  canReadRecord: true,
  canUpdateRecord: true,
  canDeleteRecord: true,
};
const values = { values: [{ name: 'AccountName', value: 'Fjord Fish' }] };

/** Rows of local data. */
export const recordOperations: readonly Operation[] = [
  {
    id: 'listRecords',
    method: 'get',
    path: records,
    tag,
    summary: 'Rows of a list',
    who: 'viewer',
    query: [
      { name: 'limit', description: 'rows', schema: { type: 'integer', minimum: 1, maximum: 1000 } },
      text('pageCursor', 'the nextPage of the answer before'),
      text('sort', 'such as AccountName ASC'),
      text('query', 'comparisons or plain text'),
      {
        name: 'deleted',
        description: '0 without, 1 with, 2 only deleted rows',
        schema: { enum: ['0', '1', '2'] },
      },
      {
        name: 'incTotal',
        description: 'count all rows that fit',
        schema: { enum: ['true', 'false', '1', '0'] },
      },
    ],
    answers: [
      answered(compose.recordList, {
        filter: { moduleID: LIST, namespaceID: NAMESPACE, query: '', deleted: 0, sort: 'id', limit: 20 },
        set: [record],
      }),
    ],
  },
  {
    id: 'createRecord',
    method: 'post',
    path: records,
    tag,
    summary: 'Make a row',
    who: 'editor',
    body: body(compose.recordRequest, values),
    answers: [answered(compose.record, record)],
    refusals: [422, 507],
  },
  {
    id: 'readRecord',
    method: 'get',
    path: `${records}/{recordID}`,
    tag,
    summary: 'One row',
    who: 'viewer',
    answers: [answered(compose.record, record)],
  },
  {
    id: 'replaceRecord',
    method: 'post',
    path: `${records}/{recordID}`,
    tag,
    summary: 'Replace the values of a row; columns that are not named are emptied',
    who: 'editor',
    body: body(compose.recordRequest, values),
    answers: [answered(compose.record, record)],
    refusals: [422, 507],
  },
  {
    id: 'patchRecord',
    method: 'patch',
    path: `${records}/{recordID}`,
    tag,
    summary: 'Change the named columns of a row',
    who: 'editor',
    body: body(compose.recordRequest, values),
    answers: [answered(compose.record, record)],
    refusals: [422, 507],
  },
  {
    id: 'removeRecord',
    method: 'delete',
    path: `${records}/{recordID}`,
    tag,
    summary: 'Put a row into the bin',
    who: 'editor',
    answers: [success],
    refusals: [507],
  },
  {
    id: 'restoreRecord',
    method: 'post',
    path: `${records}/{recordID}/undelete`,
    tag,
    summary: 'Take a row out of the bin',
    who: 'editor',
    answers: [success],
    refusals: [409, 507],
  },
];
