import { z } from 'zod';
import { unit } from './common.ts';
import {
  CONDITION_JOINS,
  CONDITION_TESTS,
  FIELD_KINDS,
  MAX_CONDITION_PARTS,
  MAX_CONDITION_VALUE,
} from '../base/vocabulary.ts';

/** Rows to share: meeting all parts, or any; without parts, every row. */
export const conditionRequest = z.object({
  join: z.enum(CONDITION_JOINS).default('all'),
  parts: z
    .array(
      z.object({
        column: z.string().min(1).max(200).describe('id or name of a column of the list, shared or not'),
        test: z.enum(CONDITION_TESTS),
        value: z.string().max(MAX_CONDITION_VALUE).optional().describe('absent for empty and not-empty'),
      }),
    )
    .max(MAX_CONDITION_PARTS),
});
export type ConditionRequest = z.infer<typeof conditionRequest>;

export const condition = z.strictObject({
  join: z.enum(CONDITION_JOINS),
  closed: z
    .literal(true)
    .optional()
    .describe('a column was gone or held something else: no row is shared until it is saved again'),
  parts: z.array(
    z.strictObject({
      fieldID: z.string().regex(/^\d+$/),
      label: z.string().describe('what the column is called, or was when it went'),
      kind: z.enum(FIELD_KINDS).describe('what the column held when this was chosen'),
      test: z.enum(CONDITION_TESTS),
      value: z.string().optional(),
      unit: unit.optional(),
      broken: z
        .literal(true)
        .optional()
        .describe('the column is gone or holds something else since: no row is shared'),
    }),
  ),
});
export type ConditionAnswer = z.infer<typeof condition>;
