import { z } from 'zod';
import { FILTER_OPERATORS, MIN_COLUMN_WIDTH, MAX_COLUMN_WIDTH } from '../../base/vocabulary.ts';
import { id } from '../common.ts';

/** All windows of the office share views. */

const MAX_FILTERS = 20;
const MAX_VALUE = 200;

/** The grid's columns, by id, independent of what is shared. */
export const columnsShown = z.object({
  order: z
    .array(id)
    .max(500)
    .describe('from left to right; those that are not named follow, as the list has them'),
  hidden: z.array(id).max(500),
  widths: z
    .record(id, z.number().min(MIN_COLUMN_WIDTH).max(MAX_COLUMN_WIDTH))
    .describe('in rem; others are as wide as fits'),
  frozen: z.number().int().min(0).max(500).describe('so many of the first that are shown stay in sight'),
});
export type ColumnsShown = z.infer<typeof columnsShown>;

const viewFilter = z.object({
  fieldID: id,
  operator: z.enum(FILTER_OPERATORS),
  value: z.string().max(MAX_VALUE),
});

export const viewRequest = z.object({
  name: z.string().trim().min(1).max(100),
  filters: z
    .array(viewFilter)
    .max(MAX_FILTERS)
    .refine((filters) => new Set(filters.map(({ fieldID }) => fieldID)).size === filters.length, {
      message: 'each column once',
    }),
  search: z.string().trim().max(200),
  sort: z.object({ fieldID: id, descending: z.boolean() }).optional(),
  columns: columnsShown,
});
export type ViewRequest = z.infer<typeof viewRequest>;

export const listView = viewRequest.extend({
  viewID: id,
  labels: z
    .record(id, z.string())
    .describe(
      'what the columns of its filters and its order were called when it was saved, as they may be gone',
    ),
});
export type ListView = z.infer<typeof listView>;

export const listViews = z.object({
  columns: columnsShown.describe('where no view is chosen'),
  views: z.array(listView).describe('by their names'),
  deleted: z
    .array(listView.pick({ viewID: true, name: true }))
    .describe('deleted views that can be restored, the latest first'),
});
export type ListViews = z.infer<typeof listViews>;
