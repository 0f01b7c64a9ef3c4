import { z } from 'zod';
import { fieldKind, id, idempotencyKey, rejectionReasons, timestamp, unit } from '../common.ts';

const columnOptions = z.object({
  options: z.array(z.string()).optional().describe('Select: what one may choose from; empty: anything'),
  optionTexts: z
    .record(z.string(), z.string())
    .optional()
    .describe('Select: what is shown for a choice, where that is another text'),
  multiLine: z.boolean().optional().describe('String: written in several lines'),
  precision: z
    .number()
    .int()
    .min(0)
    .max(20)
    .optional()
    .describe('Number: digits after the point that are shown at least; from 1 on, thousands are set apart'),
  unit: unit.optional(),
  only: z.enum(['date', 'time']).optional().describe('DateTime: what a value consists of'),
  moduleID: id.optional().describe('Record: the list that is referred to'),
});

const listColumn = z.object({
  fieldID: id,
  kind: fieldKind,
  name: z.string(),
  label: z.string(),
  isMulti: z.boolean(),
  isRequired: z.boolean(),
  options: columnOptions,
});
export type ListColumn = z.infer<typeof listColumn>;

export const listDetail = z.object({
  moduleID: id,
  namespaceID: id,
  name: z.string(),
  handle: z.string(),
  fields: z.array(listColumn),
  importKey: z.array(z.string()).describe('names of the columns by which rows were found the last time'),
  createdAt: timestamp,
  updatedAt: timestamp.optional(),
});
export type ListDetail = z.infer<typeof listDetail>;

/** `fieldID` marks an existing column; `name` defaults to one from the label. */
const columnDraft = z.object({
  fieldID: id.optional(),
  name: z.string().max(200).optional(),
  label: z.string().trim().min(1).max(200),
  kind: fieldKind,
  isMulti: z.boolean(),
  isRequired: z.boolean().optional(),
  options: columnOptions.optional(),
});
export type ColumnDraft = z.infer<typeof columnDraft>;

export const listRequest = z.object({
  name: z.string().trim().min(1).max(200),
  fields: z.array(columnDraft).min(1).max(500),
});

/** `fields` is the whole new set: others are deleted with their values. */
export const listChange = listRequest.partial().extend({
  seen: z.array(id).optional().describe('columns that the user saw: no other one is deleted'),
});

/** Latest first. */
export const listBin = z.object({
  keepDays: z.number().int().describe('then they are deleted for good'),
  lists: z.array(
    z.object({
      moduleID: id,
      name: z.string(),
      rows: z.number().int(),
      columns: z.number().int(),
      deletedAt: timestamp,
      isOwn: z.boolean().describe('deleted by the user who asks'),
    }),
  ),
});
export type ListBin = z.infer<typeof listBin>;

/** Latest first. */
export const columnBin = z.object({
  keepDays: z.number().int().describe('then they are deleted for good'),
  columns: z.array(
    z.object({
      fieldID: id,
      label: z.string(),
      kind: fieldKind,
      values: z.number().int().describe('rows that have a value in it'),
      deletedAt: timestamp,
    }),
  ),
});
export type ColumnBin = z.infer<typeof columnBin>;

const sharedBefore = z
  .array(
    z.object({
      nodeID: id,
      partner: z.string(),
      noRows: z
        .literal(true)
        .optional()
        .describe('which rows it sees goes by the column: it sees none until the share is saved'),
      disconnected: z.literal(true).optional().describe('it can be shared again once they are paired again'),
      shownIn: z
        .object({ moduleID: id, listName: z.string() })
        .optional()
        .describe('another list, whose shared references were sent as what stands in it'),
    }),
  )
  .describe('partners who saw it until it was deleted, and do not see it again by this');

/** Without a name, a taken one gets a number. */
export const restoreRequest = z.object({ name: z.string().trim().min(1).max(200).optional() });
export const restoredAnswer = z.object({
  list: listDetail,
  name: z.string().describe('of the list or column, as it is now'),
  sharedBefore,
  receivedElsewhere: z
    .array(z.object({ nodeID: id, partner: z.string(), listName: z.string() }))
    .describe(
      'partners whose offer went into the list, and goes into another one since: it receives nothing of it',
    ),
});
export type RestoredAnswer = z.infer<typeof restoredAnswer>;

/** A user's change as one step (docs/undo.md). */
const undoStep = z.object({
  stepID: id,
  kind: z.enum([
    ...(['add', 'edit', 'cells', 'delete', 'restore', 'revert', 'join', 'import'] as const),
    ...(['columns-add', 'columns-delete', 'columns', 'name', 'match', 'unmatch'] as const),
  ]),
  rows: z.number().int(),
  added: z.number().int().optional().describe('rows among them that it added; only of cells, absent: none'),
  file: z.string().optional(),
  columns: z.array(z.string()).optional().describe('titles of columns that it changed'),
  offer: z.string().optional().describe('name of the offered list that it matched'),
  idempotencyKey: z.string().optional().describe('with which a row or a file went in'),
  at: timestamp,
  isTooLarge: z.literal(true).optional().describe('its content was too large to keep: it can’t be undone'),
});
export type UndoStep = z.infer<typeof undoStep>;

const lastSteps = z.object({ undo: undoStep.optional(), redo: undoStep.optional() });
/** Steps that this user would undo and redo now. */
export const nextSteps = lastSteps.extend({
  others: lastSteps.describe(
    'the last steps of other users, such as programs with a token; by their ids only',
  ),
});
export type NextSteps = z.infer<typeof nextSteps>;

export const undoRequest = z.object({ stepID: id.optional().describe('the user’s last one unless given') });
export const undone = nextSteps.extend({
  step: undoStep,
  done: z.number().int().describe('rows, or columns, that are as they were, but for other changes since'),
  edited: z
    .number()
    .int()
    .optional()
    .describe('rows among them with such changes, which they keep; absent: none'),
  left: z
    .number()
    .int()
    .describe('rows, or columns, that were changed since, or are gone for good: they stay'),
  keepsName: z.literal(true).optional().describe('the list was renamed since: its name stays'),
  sharedBefore,
});
export type Undone = z.infer<typeof undone>;

/**
 * Joins offered rows with earlier ones: the offered row stays and takes missing values, others go to the bin.
 */
export const joinRequest = z.object({
  twice: id.describe('the offered list'),
  trial: z.boolean().default(false).describe('counts only'),
});
export const joinAnswer = z.object({
  compared: z.array(z.string()).describe('names of the columns with the same values'),
  joined: z.number().int().describe('pairs that are one row now, or would be'),
  differing: z.number().int().describe('pairs with different values in another column: they stay'),
  filled: z
    .array(z.object({ column: z.string(), rows: z.number().int() }))
    .describe('columns that only the row of before fills, and in how many pairs'),
});
export type JoinAnswer = z.infer<typeof joinAnswer>;

export const rowValues = z.object({ values: z.record(z.string(), z.array(z.string())) });
export const newRow = rowValues.extend({
  idempotencyKey: idempotencyKey.describe(
    'of the client: the row is added once, also if it is asked for again without an answer',
  ),
});
export const rowChange = rowValues.extend({
  before: rowValues.shape.values
    .optional()
    .describe('what the user saw in these columns; refused (`row.changed`) if they were changed since'),
});

export const rowsRequest = z.object({
  recordIDs: z.array(id).min(1).max(10_000),
  step: id.optional().describe('the user’s last step, of the rows before these: both are one'),
});
export const rowsAnswer = z.object({ done: z.number().int() });

const MAX_ROWS = 10_000;
/** No spreadsheet's cell has more values or letters. */
const MAX_VALUES = 1000;
const MAX_LETTERS = 100_000;

/**
 * Writes all cells that fit, or only tries (`trial`). A text is read by its column's kind, with `decimal` and
 * `dateOrder` for ambiguous ones; an array has stored values.
 */
const cellsLine = z
  .array(z.union([z.string().max(MAX_LETTERS), z.array(z.string()).max(MAX_VALUES)]).nullable())
  .max(500);
/** Separate, to be checked some at a time. */
export const cellsLines = z
  .array(cellsLine)
  .max(MAX_ROWS)
  .describe('a line for each row; null leaves a cell as it is');
const cellsPlaces = z.strictObject({
  columns: z.array(id).min(1).max(500).describe('the list’s columns that take them, from left to right'),
  rows: z
    .array(id.nullable())
    .min(1)
    .max(MAX_ROWS)
    .refine((rows) => new Set(rows.filter(Boolean)).size === rows.filter(Boolean).length, 'each row once')
    .describe('the rows that take them; null: a new one'),
  trial: z.boolean().default(false),
  step: id.optional().describe('the user’s last step, of the cells before these: both are one'),
  undoable: z
    .boolean()
    .default(false)
    .describe(
      'writes nothing if cells don’t fit, or, refused as `undo.too-large`, if it would be too large to undo',
    ),
  decimal: z.enum(['.', ',']).optional(),
  dateOrder: z.enum(['YMD', 'DMY', 'MDY']).optional(),
});
export const cellsRequest = cellsPlaces
  .extend({ cells: cellsLines })
  .refine(({ rows, cells }) => rows.length === cells.length, { message: 'a line of cells for each row' });
export const cellsCount = z.number().max(MAX_ROWS, `at most ${MAX_ROWS} lines of cells`);
/** Returns the schema of a cells request: adds `lines`, checked before, and requires one for each row. */
export const cellsRequestOf = (lines: z.output<typeof cellsLines>): z.ZodType<CellsRequest> =>
  cellsPlaces
    .refine(({ rows }) => rows.length === lines.length, { message: 'a line of cells for each row' })
    .transform((places) => ({ ...places, cells: lines }));
export type CellsRequest = z.infer<typeof cellsRequest>;
export const cellsAnswer = z.object({
  stepSize: z
    .number()
    .int()
    .optional()
    .describe('of a trial: characters that its step would have, of at most 16 million that can be undone'),
  created: z.number().int(),
  updated: z.number().int(),
  unchanged: z.number().int(),
  unfit: z
    .array(z.object({ line: z.number().int(), column: id, text: z.string(), reason: z.string() }))
    .describe('cells that are left as they are, by line of the block from 0; of very many only the first'),
  unfitCells: z.number().int().describe('how many there are'),
  reasons: rejectionReasons.describe('why, each reason once, with lines of the block from 1'),
  notes: z.array(z.string()).describe('on values that are stored unlike written, such as codes as numbers'),
});
export type CellsAnswer = z.infer<typeof cellsAnswer>;

export const choicesQuery = z.object({ search: z.string().max(200).default('') });

export const rowChoice = z.object({
  recordID: id,
  text: z.string().describe('what it is called; empty if it has no values'),
  more: z.array(z.string()).describe('other values that tell rows of one name apart'),
});
export type RowChoice = z.infer<typeof rowChoice>;

/** A column's present values, or some of very many. */
export const valuesQuery = z.object({ column: z.string().max(200) });

/** Takes back local edits; default: all columns. */
export const revertRequest = z.object({ columns: z.array(z.string()).optional() });

export const sampleRequest = z.object({ name: z.enum(['customers', 'orders']) });
export type SampleName = z.infer<typeof sampleRequest>['name'];

/** Referenced rows by id; other values are text. */
export const references = z.record(
  id,
  z.object({
    state: z.enum(['there', 'bin', 'gone', 'unreadable']),
    text: z.string().describe('what the row is called'),
  }),
);

const listViewers = z.array(
  z.object({
    nodeID: id,
    partner: z.string(),
    sees: z.array(id).describe('columns that this partner sees'),
    chosenBy: z.array(id).describe('columns that decide which rows this partner sees'),
  }),
);

export const listSummary = z.object({
  moduleID: id,
  namespaceID: id,
  name: z.string(),
  handle: z.string(),
  columns: z.number().int(),
  rows: z.number().int(),
  received: z.array(z.object({ nodeID: id, partner: z.string(), rows: z.number().int() })),
  sharedWith: listViewers,
  titlesFor: listViewers.describe(
    'partners that see columns only where other shared lists refer to its rows',
  ),
  inBin: z.number().int(),
  isUnreadable: z.literal(true).optional().describe('its file is damaged, and none of its rows can be read'),
  updatedAt: timestamp.optional(),
});
export type ListSummary = z.infer<typeof listSummary>;

/** Counts what is readable in a list's damaged files. */
export const salvage = z.object({
  rows: z.number().int().describe('rows that only damaged files hold'),
  damagedLines: z.number().int().describe('lines that cannot be read'),
  missing: z.number().int().optional().describe('saved changes that are not there; absent: not known'),
});
export type SalvageAnswer = z.infer<typeof salvage>;

export const salvaged = salvage.extend({
  moduleID: id,
  name: z.string(),
  valuesLeftOut: z.number().int().describe('values that fit no column'),
});

const values = z.record(z.string(), z.array(z.string()));

/** This office's window, a partner, or a program with a token. */
const doneBy = {
  who: z
    .enum(['office', 'partner', 'partners', 'program'])
    .describe('`partners`: one of those that bring it'),
  nodeID: id.optional(),
  partner: z.string().optional().describe('empty where nobody knows any more'),
  file: z.string().optional().describe('the file that was put in'),
};

export const gridQuery = z.object({
  offset: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(500).default(100),
  sort: z.string().max(500).optional(),
  query: z.string().max(2000).optional(),
  search: z.string().max(200).optional(),
  bin: z.enum(['0', '1']).default('0'),
  pinned: z
    .string()
    .regex(/^\d+(,\d+){0,99}$/)
    .optional()
    .describe('ids of rows that are listed last, whatever `sort`, `query` and `search` say'),
  twice: id
    .optional()
    .describe(
      'an offered list that is matched: only rows that it brought and that were there before, and those',
    ),
});

/** Pages go by displayed position. */
export const gridRow = z.object({
  recordID: id,
  values,
  createdAt: timestamp,
  updatedAt: timestamp,
  deletedAt: timestamp.optional(),
  twice: z
    .enum(['before', 'came'])
    .optional()
    .describe('where rows that are there twice were asked for: which of the two it is'),
  references: references.optional(),
  received: z
    .object({
      nodeID: id,
      partner: z.string(),
      recordID: id.describe('their id'),
      updatedAt: timestamp.describe('when it was changed there'),
      also: z.array(z.string()).optional().describe('the other partners that bring it'),
      receivedAt: timestamp,
      values: values.describe('as received'),
      previous: values.optional().describe('as received before'),
      edited: z.array(z.string()).describe('columns that were changed here'),
    })
    .optional(),
});
export type GridRow = z.infer<typeof gridRow>;

/** Kept earlier values, newest first. */
export const rowHistory = z.object({
  made: z.object({ ...doneBy, at: timestamp }),
  changes: z.array(
    z.object({
      ...doneBy,
      at: timestamp,
      times: z.number().int().optional().describe('it stands for so many, of which the last was then'),
      did: z.enum(['removed', 'restored']).optional().describe('into the bin, or out of it'),
      columns: z.array(z.object({ name: z.string(), was: z.array(z.string()), now: z.array(z.string()) })),
    }),
  ),
  older: z.boolean().describe('it changed before that as well, of which nothing is kept'),
  references: references.optional(),
});
export type RowHistory = z.infer<typeof rowHistory>;

export const arrivedQuery = z.object({
  partner: id,
  since: timestamp,
  until: timestamp,
  did: z.enum(['new', 'changed', 'removed']).optional(),
  limit: z.coerce.number().int().min(1).max(500).default(200),
});

/** Latest first. */
export const arrivedRows = z.object({
  rows: z.array(
    z.object({
      recordID: id,
      did: z.enum(['new', 'changed', 'removed']),
      values: values.describe('as they are now'),
      columns: z
        .array(
          z.object({
            name: z.string(),
            was: z.array(z.string()),
            now: z.array(z.string()).describe('what the partner brought'),
            own: z.boolean().describe('the list shows another value, as our user had changed it'),
          }),
        )
        .describe('the cells that changed; none of new and removed rows'),
    }),
  ),
  more: z.boolean().describe('there are others, or may be'),
  references: references.optional(),
});
export type ArrivedRow = z.infer<typeof arrivedRows>['rows'][number];

export const gridPage = z.object({
  offset: z.number().int(),
  total: z.number().int(),
  rows: z.array(gridRow).describe('where they are large fewer than asked for, never none'),
});
export type GridPage = z.infer<typeof gridPage>;
