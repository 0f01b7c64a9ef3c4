import { z } from 'zod';
import {
  amountNotes,
  doubts,
  fieldKind,
  id,
  keyColumns,
  rejectionReasons,
  sumLines,
  sumsQuery,
  timestamp,
  unit,
} from '../common.ts';

/** Corteza's Compose API, for local data under `/compose/namespace/`. */

const title = z.string().max(255);
const flag = z.union([z.boolean(), z.literal([0, 1]).transform((one) => one === 1)], {
  error: 'must be true or false',
});

const MAX_SETTINGS = 16 * 1024;
/** A few thousand levels exhaust the stack. */
const MAX_LEVELS = 32;

/** Returns a check that a value has at most `maxLength` characters as JSON, and 32 nested levels. */
const fitsJSON =
  (maxLength: number) =>
  (value: unknown): boolean => {
    let level: unknown[] = [value];
    for (let depth = 0; level.length > 0; depth++) {
      if (depth > MAX_LEVELS) return false;
      level = level.flatMap((each): unknown[] =>
        typeof each === 'object' && each !== null ? Object.values(each) : [],
      );
    }
    return JSON.stringify(value).length <= maxLength;
  };

/** Without effect here, but kept for the clients. */
const settings = z
  .record(z.string(), z.unknown())
  .refine(fitsJSON(MAX_SETTINGS), 'must be shorter than 16 KiB as JSON, and nested at most 32 levels deep');
const settingsRequest = { meta: settings.nullish(), labels: settings.nullish() };
/** The version to change (optimistic concurrency); 409 if another change came first. */
const expected = timestamp.nullish().describe('as the answer gave it: 409 where it changed since');

/** POST /compose/namespace/, and any part of it to POST /compose/namespace/{ns}. */
export const namespaceRequest = z.object({
  name: title,
  slug: z.string().max(64).optional().describe('made from the name when absent or empty'),
  enabled: z.boolean().optional(),
  ...settingsRequest,
});
export const namespaceChange = namespaceRequest.partial().extend({ updatedAt: expected });

export const namespace = z.object({
  namespaceID: id,
  name: z.string(),
  slug: z.string(),
  enabled: z.boolean(),
  meta: settings,
  labels: settings,
  createdAt: timestamp,
  updatedAt: timestamp.optional(),
  canUpdateNamespace: z.boolean(),
  canDeleteNamespace: z.boolean(),
  canCreateModule: z.boolean(),
});
export type NamespaceAnswer = z.infer<typeof namespace>;

/** Corteza writes text and value, or only the value. */
const choice = z.union([
  z.string(),
  z.object({
    text: z.string().optional(),
    value: z.string(),
    style: z.record(z.string(), z.unknown()).optional().describe('kept, and colours nothing'),
  }),
]);

/** Corteza's spelling; unknown ones are kept without effect here. */
export const fieldOptions = z.looseObject({
  options: z.array(choice).max(1000).optional().describe('Select: what one may choose from'),
  precision: z
    .number()
    .int()
    .min(0)
    .max(20)
    .optional()
    .describe('Number: decimals that are shown and kept; whole numbers where it is absent'),
  unit: unit.optional(),
  multiLine: z.boolean().optional().describe('String: shown in several lines'),
  onlyDate: z.boolean().optional().describe('DateTime: a date without a time'),
  onlyTime: z.boolean().optional().describe('DateTime: a time of day'),
  moduleID: id.optional().describe('Record: the list that is referred to'),
});
export type FieldOptionsBody = z.infer<typeof fieldOptions>;

/** `fieldID` marks an existing column; its name and kind stay while the list has rows. */
const fieldRequest = z.object({
  fieldID: id.optional(),
  kind: fieldKind,
  name: z.string().max(64).optional().describe('made from the label when absent'),
  label: title.optional(),
  isMulti: flag.optional(),
  isRequired: z.boolean().optional(),
  options: fieldOptions
    .refine(
      fitsJSON(10 * MAX_SETTINGS),
      'must be shorter than 160 KiB as JSON, and nested at most 32 levels deep',
    )
    .nullish(),
  defaultValue: z
    .array(z.unknown())
    .max(0, 'columns keep no default values here: leave it out, and send the value with each row')
    .nullish()
    .describe('400 unless it is empty'),
  expressions: z.record(z.string(), z.unknown()).nullish().describe('422 unless it is empty'),
  labels: settings.nullish(),
  config: settings.nullish().describe('422 where it asks for unique values'),
  isUnique: flag.nullish().describe('422 where it is true'),
  maxLength: z.number().nullish().describe('422 unless it is 0'),
  isPrivate: flag.nullish().describe('kept, and hides nothing'),
  isVisible: flag.nullish().describe('kept, and shows nothing'),
  deletedAt: z
    .null('leave out columns that are to be deleted')
    .optional()
    .describe('400 unless it is null: a column is deleted where it is left out'),
});
export type FieldRequest = z.infer<typeof fieldRequest>;

/** Returns whether no id occurs twice; new columns have none. */
function hasDistinctIDs(fields: readonly FieldRequest[]): boolean {
  const ids = fields.flatMap(({ fieldID = '0' }) => (fieldID === '0' ? [] : [fieldID]));
  return new Set(ids).size === ids.length;
}

/** POST …/module/, and any part of it to POST …/module/{m}; `fields` is the complete set. */
export const moduleRequest = z.object({
  name: title,
  handle: z.string().max(64).optional().describe('made from the name when absent or empty'),
  fields: z
    .array(fieldRequest)
    .max(500)
    .refine(hasDistinctIDs, 'two columns have the same `fieldID`: leave it out of new ones'),
  ...settingsRequest,
  config: settings.nullish().describe('422 where it asks for unique values'),
});
export const moduleChange = moduleRequest.partial().extend({ updatedAt: expected });

export const field = z.object({
  fieldID: id,
  namespaceID: id,
  namspaceID: id.describe('the same again, in the spelling of Corteza'),
  moduleID: id,
  kind: fieldKind,
  name: z.string(),
  label: z.string(),
  options: fieldOptions,
  isPrivate: z.boolean().describe('as it was set; false where it never was'),
  isRequired: z.boolean(),
  isVisible: z.boolean().describe('as it was set; false where it never was'),
  isMulti: z.boolean(),
  defaultValue: z.null(),
  expressions: z.object({}),
  labels: settings.optional(),
  config: settings.optional(),
  createdAt: timestamp,
  canReadRecordValue: z.boolean(),
  canUpdateRecordValue: z.boolean(),
});

export const module = z.object({
  moduleID: id,
  namespaceID: id,
  name: z.string(),
  handle: z.string(),
  meta: settings,
  config: settings,
  labels: settings,
  fields: z.array(field),
  createdAt: timestamp,
  updatedAt: timestamp.optional(),
  deletedAt: timestamp.optional().describe('it is in the bin'),
  canUpdateModule: z.boolean(),
  canDeleteModule: z.boolean(),
  canCreateRecord: z.boolean(),
});
export type ModuleAnswer = z.infer<typeof module>;

/** Multiple values are entries of the same name; an empty value omits `value`. */
const recordValue = z.object({
  name: z.string().max(64),
  value: z.string().nullish(),
  deletedAt: z
    .null('leave out values that were deleted')
    .optional()
    .describe('400 unless it is null: Corteza ignores values that were deleted'),
});

const recordValues = z.array(recordValue).max(100_000);

/** POST …/record/ (a new row), POST …/record/{r} (replaces all values), PATCH …/record/{r} (the named ones). */
export const recordRequest = z.object({
  values: recordValues,
  updatedAt: expected,
  ownedBy: id.nullish().describe('the owner is who made the row: 422 for anybody else'),
  meta: settings.nullish().describe('none can be kept: 422 unless it is empty'),
  labels: settings.nullish().describe('none can be kept: 422 unless an answer gave them'),
  records: z.array(z.unknown()).nullish().describe('nested rows are not made: 422 unless it is empty'),
});
export type RecordRequest = z.infer<typeof recordRequest>;

const rowsQuery = z
  .string()
  .max(4096)
  .regex(/\S/, 'must name rows')
  .describe("comparisons such as `Title = 'x' AND Amount > 3`");

/** Older Cortezas' name. Beside a query it would be ignored, and other rows changed. */
const rowIDs = z
  .array(z.unknown())
  .max(0, 'rows are named by `query` here: leave it out')
  .nullish()
  .describe('400 unless it is empty: `query` names the rows');

/** Refuses members that would be ignored, such as `ownedBy`. */
const onlyKnown = {
  error: ({ code, keys = [] }: { code: string | undefined; keys?: unknown }): string | undefined =>
    code === 'unrecognized_keys'
      ? `a call for many rows doesn't take \`${String(keys)}\`: leave it out, or change the rows one by one`
      : undefined,
};

/** PATCH …/record/: changes named columns of all matching rows or none. */
export const recordsPatch = z.strictObject(
  { values: recordValues.min(1), query: rowsQuery, records: rowIDs, recordIDs: rowIDs },
  onlyKnown,
);
/** DELETE …/record/: puts all matching rows into the bin; PATCH …/record/undelete restores them. */
export const recordsDelete = z.strictObject(
  {
    query: rowsQuery.nullish(),
    truncate: flag.nullish().describe('all rows, without a query'),
    recordIDs: rowIDs,
  },
  onlyKnown,
);
export const recordsUndelete = z.strictObject({ query: rowsQuery, recordIDs: rowIDs }, onlyKnown);

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
  updatedAt: timestamp.optional().describe('of the last change of a value; absent until then'),
  updatedBy: id.optional(),
  deletedAt: timestamp.optional(),
  deletedBy: id.optional(),
  canReadRecord: z.boolean(),
  canUpdateRecord: z.boolean(),
  canDeleteRecord: z.boolean(),
});
export type RecordAnswer = z.infer<typeof record>;

const flagText = z.enum(['true', 'false', '1', '0', '']).transform((text) => text === 'true' || text === '1');

const pageQuery = {
  limit: z
    .string()
    .regex(/^\d{0,15}$/, 'must be a whole number, 0 for all')
    .transform((text) => (text === '' ? undefined : Number(text)))
    .optional()
    .describe('0: all of them'),
  pageCursor: z.string().max(8192).optional().describe('the `nextPage` of the page before; carries its sort'),
  incTotal: flagText.optional(),
};

const deletedText = z
  .enum(['0', '1', '2', ''])
  .transform((text): 0 | 1 | 2 => (text === '1' ? 1 : text === '2' ? 2 : 0));

const setSort = z.string().max(100).optional().describe('such as `name DESC`');

/** GET /compose/namespace/ and GET …/module/: all, or those that fit. */
export const namespaceQuery = z.object({
  query: z.string().max(200).optional(),
  slug: z.string().optional(),
  deleted: z
    .enum(['0', ''], { error: 'only 0, as deleted workspaces are not kept' })
    .optional()
    .describe('only 0: a deleted workspace is not kept'),
  sort: setSort,
  ...pageQuery,
});
export const moduleQuery = z.object({
  query: z.string().max(200).optional(),
  handle: z.string().optional(),
  name: z.string().optional(),
  deleted: deletedText.default(0),
  sort: setSort,
  ...pageQuery,
});

export const moduleRemoval = z.object({ purge: flagText.default(false) });

/** GET …/module/{m}/bin: a list's deleted columns, latest first. */
export const columnBin = z.object({
  set: z.array(
    z.object({
      fieldID: id,
      kind: fieldKind,
      name: z.string(),
      label: z.string(),
      isMulti: z.boolean(),
      values: z.number().int().describe('rows that have a value in it'),
      deletedAt: timestamp,
    }),
  ),
});

export const recordQuery = z.object({
  ...pageQuery,
  sort: z.string().max(1000).optional().describe('such as `Name ASC, createdAt DESC`'),
  query: z.string().max(4096).optional().describe("comparisons such as `Title = 'x' AND Amount > 3`"),
  deleted: deletedText.optional(),
});

const pageFilter = {
  limit: z.number().int().optional(),
  nextPage: z.string().optional(),
  total: z.number().int().optional(),
};

export const recordList = z.object({
  filter: z.object({
    moduleID: id,
    namespaceID: id,
    query: z.string(),
    deleted: z.number().int(),
    sort: z.string(),
    ...pageFilter,
    limit: z.number().int(),
    incTotal: z.literal(true).optional(),
  }),
  set: z.array(record),
});
export type RecordListAnswer = z.infer<typeof recordList>;

export const namespaceList = z.object({
  filter: z.object({
    query: z.string(),
    slug: z.string(),
    sort: z.string(),
    count: z.number().int(),
    ...pageFilter,
  }),
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
    ...pageFilter,
  }),
  set: z.array(module),
});

/** POST …/module/{m}/import (text/csv, or a workbook, xlsx or ods). Guesses omitted parameters. */
export const importQuery = z.object({
  encoding: z.string().max(40).optional(),
  delimiter: z.string().length(1).optional(),
  sheet: z.string().max(300).optional().describe('of a workbook; the first that holds anything unless given'),
  header: flagText.optional().describe('0: the first row is data; 1: it is the heading'),
  key: keyColumns.optional().describe('column by which rows are found again, once for each; empty: none'),
  decimal: z.enum(['.', ',']).optional(),
  dateOrder: z.enum(['YMD', 'DMY', 'MDY']).optional(),
  sums: sumsQuery.optional().describe('out: lines that seem to be totals or footers are left out'),
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
  doubts,
  ignored: z.array(z.string()).describe('headers that no column takes'),
});

/** GET …/module/{m}/export: answers text/csv, or a workbook. */
export const exportQuery = z.object({
  format: z.enum(['csv', 'xlsx']).default('csv'),
  delimiter: z.string().length(1).optional(),
  bom: flagText.optional().describe('1: begin with a byte order mark, for Excel'),
  fields: z.string().min(1).optional().describe('names of columns, separated by commas'),
  ids: flagText.optional().describe('1: in a workbook, the ids of rows beside what they are called'),
});

export const success = z.object({ success: z.object({ message: z.literal('OK') }) });
