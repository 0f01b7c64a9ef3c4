import { z } from 'zod';
import { isUnit } from '../base/amount.ts';
import { DOUBT_KINDS, FIELD_KINDS } from '../base/vocabulary.ts';

/** For descriptions: nearly all 64-bit ids. */
export const ID_PATTERN = '^(0|[1-9][0-9]{0,18}|1[0-7][0-9]{18}|18[0-3][0-9]{17})$';

/** A 64-bit unsigned decimal text; refuses JSON numbers (docs/interface.md: Limits). */
export const id = z
  .string()
  .regex(/^(0|[1-9][0-9]{0,19})$/, { error: 'must be an id: a string of decimal digits', abort: true })
  .refine((text) => BigInt(text) < 2n ** 64n, 'must fit into 64 bits')
  .meta({ pattern: ID_PATTERN });

export const timestamp = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/, 'must be an ISO 8601 time');

/** Safe in a header; `handshake.token` refuses others. */
export const headerToken = z.string().min(1).max(8192).meta({ pattern: '^[\\x21-\\x7e]+$' });

export const fieldKind = z.enum(FIELD_KINDS);

/** Doesn't change numbers: 12 % is 0.12. */
export const unit = z
  .string()
  .max(8)
  .refine(isUnit, 'must be % or the sign or code of a currency')
  .describe('Number: shown as a percentage (`%`), or with the sign or code of a currency: `€`, `CHF`');

/** Imports or omits lines that look like totals or footers. */
export const sumsQuery = z.enum(['in', 'out']);
export const sumLines = z
  .array(z.object({ line: z.number().int(), text: z.string() }))
  .describe('lines of the file that seem to be totals or footers, be they left out or not');

/** Each once, even for thousands of lines. */
export const rejectionReasons = z
  .array(
    z.object({
      reason: z.string().describe('as it is of the first of these lines'),
      count: z.number().int().describe('in how many lines; a line can have several reasons'),
      lines: z.array(z.number().int()).describe('the numbers of the first of them'),
    }),
  )
  .describe('why lines cannot go in, each reason once');

export const amountNotes = z
  .array(z.string())
  .describe('which numbers of the file go in otherwise than they stand there, in words');

/** Without those that the query settles. */
export const doubts = z
  .array(
    z.object({
      kind: z.enum(DOUBT_KINDS),
      chosen: z
        .string()
        .describe(
          'the reading taken: a delimiter, the line of the heading (0: none), an encoding, a decimal sign, `out` or `in` for lines that look like totals',
        ),
      alternatives: z.array(z.string()).describe('readings that fit the file too'),
      columns: z.array(z.string()).optional().describe('the columns concerned; absent: the whole file'),
      example: z.string().optional().describe('a cell or line that reads differently'),
    }),
  )
  .describe('guesses about the file that may be wrong');

export const MAX_KEY_COLUMNS = 5;
const column = z.string().max(255);

/** One column, or several as a composite key, each as its own parameter. */
export const keyColumns = z
  .union([column, z.array(column).max(MAX_KEY_COLUMNS)])
  .transform((key) => (typeof key === 'string' ? [key] : key).filter((name) => name !== ''));

export const idempotencyKey = z.string().min(1).max(64).optional();

export const fieldDescriptor = z.object({
  kind: fieldKind,
  name: z.string(),
  label: z.string(),
  isMulti: z.boolean(),
});
export type FieldDescriptor = z.infer<typeof fieldDescriptor>;

/** A stable id that tells a renamed column from a new one with its name. */
export const columnMark = z
  .string()
  .regex(/^[\w-]{16,64}$/)
  .describe('stays with the column, whatever it is called; opaque, and another one for each share');

export const firstModuleID = id.describe(
  'of the first share of this list with the same installation, before both offices paired again; absent: this one',
);

export const errorBody = z.object({ error: z.object({ code: z.string(), message: z.string() }) });
export type ErrorBody = z.infer<typeof errorBody>;

export const envelope = <T extends z.ZodType>(payload: T): z.ZodObject<{ response: T }> =>
  z.object({ response: payload });
