import { z } from 'zod';
import { references } from './lists.ts';
import { progress } from './overview.ts';
import { condition, conditionRequest } from '../condition.ts';
import { fieldDescriptor, fieldKind, id, timestamp } from '../common.ts';

/** The referenced list's column to send in place of ids. */
export const shareTitle = z.object({
  fieldID: id.describe('our column that refers to rows'),
  label: z.string(),
  listName: z.string().optional().describe('the list that it refers to; absent: that list is gone'),
  shownBy: z.object({ fieldID: id, label: z.string() }).optional().describe('absent: nothing leaves'),
  missing: z.boolean().optional().describe('what it left as is gone, or was never chosen: the user is asked'),
  choices: z.array(z.object({ fieldID: id, label: z.string() })),
  nowhere: z
    .number()
    .int()
    .optional()
    .describe(
      'rows whose value points to no row, so that it leaves empty; only in a preview, of the columns asked for',
    ),
});
export type ShareTitle = z.infer<typeof shareTitle>;

export const share = z.object({
  exposureID: id,
  moduleID: id.describe('our list'),
  listName: z.string(),
  fields: z.array(fieldDescriptor),
  fieldIDs: z.array(id).describe('ids of these columns, in the same order'),
  hidden: z.array(fieldDescriptor).describe('columns of the list that stay here'),
  formerFieldIDs: z
    .array(id)
    .describe('columns of the list that were shared until they were deleted, and are restored since'),
  pinned: z
    .array(fieldDescriptor.extend({ fieldID: id }))
    .optional()
    .describe('live servers: its columns, as they stay while this share lasts; absent: it got none yet'),
  pinnedName: z.string().optional().describe('live servers: the name of the list there, likewise'),
  titles: z.array(shareTitle).describe('of the shared columns that refer to rows'),
  condition: condition.optional().describe('which rows; absent: all'),
  rows: z.number().int().describe('rows that the partner may see'),
  ofRows: z.number().int().describe('rows that it may see where there is no condition'),
  rowsSent: z.number().int().describe('rows ever served to the partner'),
  lastServedAt: timestamp.optional(),
});
export type Share = z.infer<typeof share>;

/** A list's last ended share, also from an earlier pairing. */
export const formerShare = z.object({
  moduleID: id,
  listName: z.string(),
  fieldIDs: z.array(id).describe('columns of the list, with those that left the share as they were deleted'),
  condition: condition.optional().describe('which rows; absent: all'),
});
export type FormerShare = z.infer<typeof formerShare>;

const conditionText = z.string().transform((text, ctx) => {
  try {
    return conditionRequest.parse(JSON.parse(text));
  } catch {
    ctx.addIssue({ code: 'custom', message: 'is no condition' });
    return z.NEVER;
  }
});

const splitAtCommas = (text: string): string[] => text.split(',').filter(Boolean);
/** Comma-separated column ids or names; `titles`: `12:34` is a reference column and its title. */
export const previewQuery = z.object({
  fields: z.string().default('').transform(splitAtCommas),
  titles: z
    .string()
    .default('')
    .transform((text): Record<string, string> => Object.fromEntries(splitAtCommas(text).map(pinOf))),
  condition: conditionText.optional(),
});

/** Parses a pin: `12:34`, or `12:` for no title. */
function pinOf(text: string): [fieldID: string, titleFieldID: string] {
  const [fieldID = '', titleFieldID = ''] = text.split(':', 2);
  return [fieldID, titleFieldID];
}

/** Read through the real feed. */
export const sharePreview = z.object({
  shown: z.array(z.string()),
  hidden: z.array(z.string()),
  rows: z.array(
    z.object({
      recordID: id,
      seen: z.record(z.string(), z.array(z.string())).describe('what the feed gives'),
      stays: z.record(z.string(), z.array(z.string())).describe('what stays here'),
    }),
  ),
  references: references.describe('of what stays here; what leaves is shown as it leaves'),
  titles: z.array(shareTitle).describe('of all columns that refer to rows, shared or not'),
  total: z.number().int().describe('rows that go to this partner'),
  ofRows: z.number().int().describe('rows that would without a condition'),
  rowsStay: z.number().int().describe('rows of the list that do not go to this partner, whatever is shared'),
  takenBack: z.number().int().describe('rows that it may see now, and would not any more'),
});
export type SharePreview = z.infer<typeof sharePreview>;

export const offer = z.object({
  sharedModuleID: id,
  name: z.string(),
  handle: z.string(),
  fields: z.array(fieldDescriptor),
  state: z.enum(['new', 'matched', 'dismissed', 'withdrawn']),
  moduleID: id.optional().describe('our list that receives it'),
  listName: z.string().optional(),
  matches: z.array(z.object({ origin: z.string(), destination: z.string(), parked: z.string().optional() })),
  unmatched: z.array(z.string()).describe('offered columns that go nowhere'),
  former: z
    .object({
      moduleID: id,
      listName: z.string(),
      matches: z.array(z.object({ origin: z.string(), destination: z.string() })),
    })
    .optional()
    .describe('our list that received the same list before both offices paired again'),
  rows: z.number().int().describe('rows received so far'),
  couldNotApply: z.number().int(),
  inBin: z.number().int(),
  brake: z
    .object({
      removes: z.number().int(),
      empties: z.number().int(),
      of: z.number().int(),
      /** Rows deleted within the last day, before there were too many. */
      gone: z.number().int().optional(),
      /** Rows that lost a value within the last day, likewise. */
      emptied: z.number().int().optional(),
      /** Older rows of a partner that went back, and all that waits because of it. */
      older: z.number().int().optional(),
      wentBack: z.number().int().optional(),
      /** Rows that the partner merely no longer has. */
      missing: z.number().int().optional(),
    })
    .optional(),
  lastPulledAt: timestamp.optional(),
  progress: progress.optional(),
});
export type Offer = z.infer<typeof offer>;

export const unmatchQuery = z.object({
  rows: z
    .enum(['keep', 'bin'])
    .default('keep')
    .describe('what becomes of those that only this partner brings'),
});

export const suggestQuery = z.object({ moduleID: id });

export const conversion = z.enum(['same', 'converts', 'may-refuse', 'impossible']);
/** One row's stored values in a column, shortened. */
const sampleValues = z.array(z.string());
const sample = z.object({
  before: sampleValues,
  after: sampleValues.optional(),
  problem: z.string().optional(),
});
export const suggestion = z.object({
  origin: fieldDescriptor,
  destination: z.string().optional().describe('name of our column that fits best; absent: none does'),
  proposed: z
    .object({
      destination: z.string(),
      equal: z
        .object({ n: z.number().int(), of: z.number().int() })
        .optional()
        .describe('of so many different values of theirs so many are in ours; absent: both look alike'),
    })
    .optional()
    .describe('our column that seems to hold the same, by its values; only where no name fits'),
  candidates: z.array(
    z.object({
      name: z.string(),
      label: z.string(),
      kind: fieldKind,
      conversion,
      note: z.string().describe('what happens to the values, in plain words; empty for `same`'),
      samples: z
        .array(sample)
        .optional()
        .describe(
          'real values and what becomes of them in this column, refused ones first; absent for `same`',
        ),
    }),
  ),
  samples: z.array(sampleValues).describe('real values as the partner has them'),
});
export type Suggestion = z.infer<typeof suggestion>;

/** Rows in both lists before they are mapped. */
export const twice = z.object({
  looked: z
    .number()
    .int()
    .describe('rows of theirs that were looked at, the first ones; 0: none could be had'),
  recognised: z
    .number()
    .int()
    .describe('of these, rows that came into our list before, by their origin: they are updated, not added'),
  twice: z
    .number()
    .int()
    .describe('of the others, rows that our list has with the same values in these columns'),
  compared: z.array(z.string()).describe('titles of our columns whose values were compared'),
});
export type Duplicates = z.infer<typeof twice>;

export const makeListRequest = z.object({ name: z.string().trim().min(1).max(200).optional() });

/** Quarantined. */
export const failedRow = z.object({
  failedID: z.string(),
  recordID: id,
  moduleID: id,
  reason: z.string(),
  values: z.record(z.string(), z.array(z.string())),
  since: timestamp,
  tries: z.number().int(),
});
export type FailedRow = z.infer<typeof failedRow>;

/** A line of the sharing log: what left, when, to whom. */
export const ledgerLine = z.object({
  at: timestamp,
  listName: z.string(),
  fields: z.array(z.string()).describe('names of the columns, as they are written down'),
  columns: z.array(z.string()).describe('what people call them, in the same order'),
  rows: z.number().int(),
  recordIDs: z.array(id).describe('of the first hundred rows; the file has all'),
  address: z.string(),
  condition: condition.optional().describe('which rows were given; absent: all'),
  changed: z
    .literal('condition')
    .optional()
    .describe('nothing left: other rows were chosen to be given from then on'),
  digests: z.boolean().optional().describe('only fingerprints of the values left, for comparing'),
  query: z.string().optional().describe('what the partner had compared in all rows, as it wrote it'),
  sort: z.string().optional().describe('columns that it had the rows sorted by'),
  takenBack: z.number().int().optional().describe('so many of the rows were told as gone, without a value'),
  times: z.number().int().optional().describe('how often the very same left on that day; absent: once'),
  lastAt: timestamp.optional().describe('when it did so last'),
});

export const waitingQuery = z.object({ limit: z.coerce.number().int().min(1).max(1000).default(5) });

/** Need approval; `…/waiting.csv` has all. */
export const waitingRows = z.object({
  total: z.number().int(),
  mark: z.string().describe('of all that waits, to be named with a yes to it'),
  rows: z.array(
    z.object({
      recordID: id.describe('ours'),
      title: z.string().describe('what the row is called, empty where nothing in it says so'),
      effect: z.enum(['remove', 'empty', 'older']).describe('what would become of it'),
      columns: z.array(z.string()).optional().describe('labels of our columns that would be empty'),
    }),
  ),
});
export type WaitingRows = z.infer<typeof waitingRows>;

export const comparison = z.object({
  identical: z.boolean(),
  theirs: z.number().int(),
  ours: z.number().int().describe('rows that are held as they came, whatever became of them here'),
  ownWork: z
    .object({ changed: z.number().int(), removed: z.number().int() })
    .describe('how many of them show something else as the user changed or removed them; no difference'),
  differing: z.array(
    z.object({
      recordID: id.describe('at the partner'),
      difference: z.enum(['missing-here', 'missing-there', 'values', 'shown', 'vanished']),
      title: z.string().describe('what the row is called, empty where nothing in it says so'),
      columns: z.array(z.string()).describe('labels of our columns that differ, where that is known'),
    }),
  ),
  more: z.boolean().optional().describe('there are further differences, too many to name at once'),
  comparedAt: timestamp,
});
export type Comparison = z.infer<typeof comparison>;

export const disconnectRequest = z.object({
  received: z
    .enum(['keep', 'remove'])
    .describe('what becomes of the rows that came from the partner; those partly ours stay in any case'),
  askRemoval: z.boolean().optional().describe('ask the partner to remove the rows that we sent'),
});
export const disconnectEffect = z.object({
  receivedRows: z.number().int(),
  partlyOurs: z
    .number()
    .int()
    .describe('those of them with values of our user, or joined with rows of others'),
  receivedLists: z.number().int(),
  sharedLists: z.number().int(),
  rowsSent: z.number().int(),
  unreadable: z
    .array(z.string())
    .describe(
      'names of lists that cannot be read now: rows of the partner in them are not counted, and follow later',
    ),
  inBin: z
    .array(z.string())
    .describe(
      'names of deleted lists with rows of the partner, which are not counted, and follow once restored',
    ),
});
export type DisconnectEffect = z.infer<typeof disconnectEffect>;
