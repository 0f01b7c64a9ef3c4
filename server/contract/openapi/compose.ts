import { z } from 'zod';
import { envelope } from '../common.ts';
import * as compose from '../wire/compose.ts';
import { AT, FIELD, LATER, LIST, NAMESPACE, RECORD } from './examples.ts';
import type { Operation, Parameter, Variant } from './operation.ts';

const tag = 'Local data';
const namespaces = '/compose/namespace';
const modules = `${namespaces}/{namespaceID}/module`;
const records = `${modules}/{moduleID}/record`;

const answered = (schema: z.ZodType, payload: unknown): Variant => ({
  shape: 'answer',
  schema: envelope(schema),
  example: { response: payload },
});
const body = (schema: z.ZodType, example: unknown): Variant[] => [{ shape: 'body', schema, example }];
const success: Variant = {
  shape: 'answer',
  schema: compose.success,
  example: { success: { message: 'OK' } },
};
const text = (name: string, description: string): Parameter => ({
  name,
  description,
  schema: { type: 'string' },
});

const namespace = {
  namespaceID: NAMESPACE,
  name: 'Lists',
  slug: 'lists',
  enabled: true,
  meta: {},
  createdAt: AT,
  canUpdateNamespace: true,
  canDeleteNamespace: true,
  canCreateModule: true,
};
const column = { kind: 'String', name: 'AccountName', label: 'Account Name', isMulti: false };
const module = {
  moduleID: LIST,
  namespaceID: NAMESPACE,
  name: 'Account',
  handle: 'Account',
  meta: {},
  fields: [
    {
      fieldID: FIELD,
      namespaceID: NAMESPACE,
      namspaceID: NAMESPACE,
      moduleID: LIST,
      ...column,
      options: {},
      isPrivate: false,
      isRequired: false,
      isVisible: false,
      defaultValue: null,
      expressions: {},
      createdAt: AT,
      canReadRecordValue: true,
      canUpdateRecordValue: true,
    },
  ],
  createdAt: AT,
  canUpdateModule: true,
  canDeleteModule: true,
  canCreateRecord: true,
};
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

const namespaceOperations: readonly Operation[] = [
  {
    id: 'listNamespaces',
    method: 'get',
    path: namespaces,
    tag,
    summary: 'Workspaces',
    who: 'viewer',
    query: [text('query', 'part of the name'), text('slug', 'the whole slug')],
    answers: [
      answered(compose.namespaceList, {
        filter: { query: '', slug: '', sort: 'id', count: 1 },
        set: [namespace],
      }),
    ],
  },
  {
    id: 'createNamespace',
    method: 'post',
    path: namespaces,
    tag,
    summary: 'Make a workspace',
    who: 'editor',
    body: body(compose.namespaceRequest, { name: 'Lists', slug: 'lists' }),
    answers: [answered(compose.namespace, namespace)],
    refusals: [409, 422, 507],
  },
  {
    id: 'readNamespace',
    method: 'get',
    path: `${namespaces}/{namespaceID}`,
    tag,
    summary: 'One workspace',
    who: 'viewer',
    answers: [answered(compose.namespace, namespace)],
  },
  {
    id: 'changeNamespace',
    method: 'post',
    path: `${namespaces}/{namespaceID}`,
    tag,
    summary: 'Change a workspace',
    who: 'editor',
    body: body(compose.namespaceChange, { name: 'Our lists' }),
    answers: [answered(compose.namespace, { ...namespace, name: 'Our lists' })],
    refusals: [409, 422, 507],
  },
  {
    id: 'removeNamespace',
    method: 'delete',
    path: `${namespaces}/{namespaceID}`,
    tag,
    summary: 'Remove an empty workspace',
    who: 'editor',
    answers: [success],
    refusals: [409, 507],
  },
];

const moduleOperations: readonly Operation[] = [
  {
    id: 'listModules',
    method: 'get',
    path: modules,
    tag,
    summary: 'Lists of a workspace',
    who: 'viewer',
    query: [text('query', 'part of the name'), text('handle', 'the handle'), text('name', 'the name')],
    answers: [
      answered(compose.moduleList, {
        filter: { namespaceID: NAMESPACE, query: '', handle: '', name: '', sort: 'id', count: 1 },
        set: [module],
      }),
    ],
  },
  {
    id: 'createModule',
    method: 'post',
    path: modules,
    tag,
    summary: 'Make a list',
    who: 'editor',
    body: body(compose.moduleRequest, { name: 'Account', handle: 'Account', fields: [column] }),
    answers: [answered(compose.module, module)],
    refusals: [409, 422, 507],
  },
  {
    id: 'readModule',
    method: 'get',
    path: `${modules}/{moduleID}`,
    tag,
    summary: 'One list',
    who: 'viewer',
    answers: [answered(compose.module, module)],
  },
  {
    id: 'changeModule',
    method: 'post',
    path: `${modules}/{moduleID}`,
    tag,
    summary: 'Change a list; fields, when given, is the whole new set, and fieldID marks those that stay',
    who: 'editor',
    body: body(compose.moduleChange, { name: 'Accounts', fields: [{ fieldID: FIELD, ...column }] }),
    answers: [answered(compose.module, { ...module, name: 'Accounts' })],
    refusals: [409, 422, 507],
  },
  {
    id: 'removeModuleAndRows',
    method: 'delete',
    path: `${modules}/{moduleID}`,
    tag,
    summary: 'Remove a list with its rows, for good',
    who: 'editor',
    answers: [success],
    refusals: [507],
  },
  {
    id: 'importCsv',
    method: 'post',
    path: `${modules}/{moduleID}/import`,
    tag,
    summary: 'Put a CSV file into a list; answers when done',
    who: 'editor',
    query: [
      text('encoding', 'guessed when absent'),
      text('delimiter', 'guessed when absent'),
      text('key', 'column by which rows are found again'),
      text('header', '0: the first line holds values'),
      text('decimal', '. or ,'),
      text('dateOrder', 'YMD, DMY or MDY'),
    ],
    bodyType: 'text/csv',
    body: body(z.string(), 'Account Name\nFjord Fish\n'),
    answers: [
      answered(compose.importAnswer, {
        moduleID: LIST,
        created: 1,
        updated: 0,
        unchanged: 0,
        rejected: [],
        rejectedLines: 0,
        ignored: [],
      }),
    ],
    refusals: [422, 507],
  },
  {
    id: 'exportCsv',
    method: 'get',
    path: `${modules}/{moduleID}/export`,
    tag,
    summary: 'A list as a CSV file',
    who: 'viewer',
    query: [
      text('delimiter', ', when absent'),
      text('bom', '1: begin with a byte order mark'),
      text('fields', 'names of columns, separated by commas'),
    ],
    answerType: 'text/csv',
    answers: [{ shape: 'answer', schema: z.string(), example: 'Account Name\nFjord Fish\n' }],
  },
];

const recordOperations: readonly Operation[] = [
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

/** Local data, in the form of Compose (docs/interface.md: Local data). */
export const composeOperations: readonly Operation[] = [
  ...namespaceOperations,
  ...moduleOperations,
  ...recordOperations,
];
