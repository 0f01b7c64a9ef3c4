import { z } from 'zod';
import {
  amountNotes,
  fieldKind,
  id,
  keyColumns,
  rejectionReasons,
  sumLines,
  sumsQuery,
  timestamp,
  unit,
} from '../common.ts';

/**
 * Local data over HTTP, with the paths and bodies of Corteza's Compose API (docs/interface.md: Local data):
 * namespaces, modules and records under `/compose/namespace/`. Answers are wrapped as `{"response": …}`;
 * a deletion answers `{"success":{"message":"OK"}}`.
 */

const title = z.string().max(255);
const flag = z.preprocess((value) => (value === 1 || value === 0 ? value === 1 : value), z.boolean());

/** POST /compose/namespace/, and any part of it to POST /compose/namespace/{ns}. */
export const namespaceRequest = z.object({
  name: title,
  slug: z.string().max(64).optional().describe('made from the name when absent or empty'),
  enabled: z.boolean().optional(),
});
export const namespaceChange = namespaceRequest.partial();

export const namespace = z.object({
  namespaceID: id,
  name: z.string(),
  slug: z.string(),
  enabled: z.boolean(),
  meta: z.object({}),
  createdAt: timestamp,
  updatedAt: timestamp.optional(),
  canUpdateNamespace: z.boolean(),
  canDeleteNamespace: z.boolean(),
  canCreateModule: z.boolean(),
});
export type NamespaceAnswer = z.infer<typeof namespace>;

/** A choice of a Select column: Corteza writes text and value, or the value alone. */
const choice = z.union([z.string(), z.object({ text: z.string().optional(), value: z.string() })]);

/** Settings of a column, as Corteza spells them; others are not kept. */
export const fieldOptions = z.object({
  options: z.array(choice).max(1000).optional().describe('Select: what one may choose from'),
  precision: z.number().int().min(0).max(20).optional().describe('Number: digits that are shown'),
  unit: unit.optional(),
  multiLine: z.boolean().optional().describe('String: shown in several lines'),
  onlyDate: z.boolean().optional().describe('DateTime: a date without a time'),
  onlyTime: z.boolean().optional().describe('DateTime: a time of day'),
  moduleID: id.optional().describe('Record: the list that is referred to'),
});
export type FieldOptionsBody = z.infer<typeof fieldOptions>;

/** A column as it is written; `fieldID` marks one that exists, which keeps its values under a new name. */
const fieldRequest = z.object({
  fieldID: id.optional(),
  kind: fieldKind,
  name: z.string().max(64).optional().describe('made from the label when absent'),
  label: title.optional(),
  isMulti: flag.optional(),
  isRequired: z.boolean().optional(),
  options: fieldOptions.nullish(),
});
export type FieldRequest = z.infer<typeof fieldRequest>;

/** POST …/module/, and any part of it to POST …/module/{m}; `fields` is always the whole set. */
export const moduleRequest = z.object({
  name: title,
  handle: z.string().max(64).optional().describe('made from the name when absent or empty'),
  fields: z.array(fieldRequest).max(500),
});
export const moduleChange = moduleRequest.partial();

export const field = z.object({
  fieldID: id,
  namespaceID: id,
  namspaceID: id.describe('the same again, in the spelling of Corteza'),
  moduleID: id,
  kind: fieldKind,
  name: z.string(),
  label: z.string(),
  options: fieldOptions,
  isPrivate: z.literal(false),
  isRequired: z.boolean(),
  isVisible: z.literal(false).describe('not kept; what Corteza says of a column where nothing was said'),
  isMulti: z.boolean(),
  defaultValue: z.null(),
  expressions: z.object({}),
  createdAt: timestamp,
  canReadRecordValue: z.boolean(),
  canUpdateRecordValue: z.boolean(),
});

export const module = z.object({
  moduleID: id,
  namespaceID: id,
  name: z.string(),
  handle: z.string(),
  meta: z.object({}),
  fields: z.array(field),
  createdAt: timestamp,
  updatedAt: timestamp.optional(),
  canUpdateModule: z.boolean(),
  canDeleteModule: z.boolean(),
  canCreateRecord: z.boolean(),
});
export type ModuleAnswer = z.infer<typeof module>;

/** Several values of one column are several entries of its name; an empty value leaves `value` out. */
const recordValue = z.object({ name: z.string().max(64), value: z.string().nullish() });

/** POST …/record/ (a new row), POST …/record/{r} (replaces all values), PATCH …/record/{r} (the named ones). */
export const recordRequest = z.object({ values: z.array(recordValue).max(100_000) });
export type RecordRequest = z.infer<typeof recordRequest>;

export const record = z.object({
  recordID: id,
  moduleID: id,
  namespaceID: id,
  values: z.array(z.object({ name: z.string(), value: z.string().optional() })),
  labels: z
    .object({ federation: id, federation_extrecord: z.string() })
    .optional()
    .describe('received rows: the node, and the id there'),
  ownedBy: id,
  createdAt: timestamp,
  createdBy: id,
  updatedAt: timestamp.optional().describe('absent until the row is changed'),
  updatedBy: id.optional(),
  deletedAt: timestamp.optional(),
  deletedBy: id.optional(),
  canReadRecord: z.boolean(),
  canUpdateRecord: z.boolean(),
  canDeleteRecord: z.boolean(),
});
export type RecordAnswer = z.infer<typeof record>;

/** GET /compose/namespace/ and GET …/module/: all of them, or those that fit. */
export const namespaceQuery = z.object({
  query: z.string().max(200).optional(),
  slug: z.string().optional(),
});
export const moduleQuery = z.object({
  query: z.string().max(200).optional(),
  handle: z.string().optional(),
  name: z.string().optional(),
});

const flagText = z.enum(['true', 'false', '1', '0', '']).transform((text) => text === 'true' || text === '1');

/** GET …/record/ */
export const recordQuery = z.object({
  limit: z
    .string()
    .regex(/^\d{1,6}$/, 'must be a number')
    .transform(Number)
    .pipe(z.number().min(1).max(1000))
    .optional(),
  pageCursor: z.string().optional().describe('the `nextPage` of the page before; carries its sort'),
  sort: z.string().max(1000).optional().describe('such as `Name ASC, createdAt DESC`'),
  query: z
    .string()
    .max(4096)
    .optional()
    .describe("comparisons such as `Title = 'x' AND Amount > 3`, or plain text"),
  deleted: z
    .enum(['0', '1', '2'])
    .transform((text): 0 | 1 | 2 => (text === '0' ? 0 : text === '1' ? 1 : 2))
    .optional(),
  incTotal: flagText.optional(),
});

export const recordList = z.object({
  filter: z.object({
    moduleID: id,
    namespaceID: id,
    query: z.string(),
    deleted: z.number().int(),
    sort: z.string(),
    limit: z.number().int(),
    nextPage: z.string().optional(),
    incTotal: z.literal(true).optional(),
    total: z.number().int().optional(),
  }),
  set: z.array(record),
});
export type RecordListAnswer = z.infer<typeof recordList>;

export const namespaceList = z.object({
  filter: z.object({ query: z.string(), slug: z.string(), sort: z.string(), count: z.number().int() }),
  set: z.array(namespace),
});
export const moduleList = z.object({
  filter: z.object({
    namespaceID: id,
    query: z.string(),
    handle: z.string(),
    name: z.string(),
    sort: z.string(),
    count: z.number().int(),
  }),
  set: z.array(module),
});

/** POST …/module/{m}/import (text/csv, or a workbook, xlsx or ods). What is left out is guessed. */
export const importQuery = z.object({
  encoding: z.string().max(40).optional(),
  delimiter: z.string().length(1).optional(),
  sheet: z.string().max(300).optional().describe('of a workbook; the first that holds anything unless given'),
  header: flagText.optional().describe('0: the first line holds values'),
  key: keyColumns.optional().describe('column by which rows are found again, once for each; empty: none'),
  decimal: z.enum(['.', ',']).optional(),
  dateOrder: z.enum(['YMD', 'DMY', 'MDY']).optional(),
  sums: sumsQuery.optional().describe('out: lines that seem to add up others are left out'),
});
export const importAnswer = z.object({
  moduleID: id,
  created: z.number().int(),
  updated: z.number().int(),
  unchanged: z.number().int(),
  rejected: z.array(z.object({ line: z.number().int(), reason: z.string() })),
  rejectedLines: z.number().int(),
  reasons: rejectionReasons,
  sums: sumLines,
  notes: amountNotes,
  ignored: z.array(z.string()).describe('headers that no column takes'),
});

/** GET …/module/{m}/export: answers text/csv, or a workbook. */
export const exportQuery = z.object({
  format: z.enum(['csv', 'xlsx']).default('csv'),
  delimiter: z.string().length(1).optional(),
  bom: flagText.optional().describe('1: begin with a byte order mark, for Excel'),
  fields: z.string().optional().describe('names of columns, separated by commas'),
  ids: flagText.optional().describe('1: in a workbook, the ids of rows beside what they are called'),
});

/** The answer of every deletion. */
export const success = z.object({ success: z.object({ message: z.literal('OK') }) });
