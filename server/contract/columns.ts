import { z } from 'zod';
import { fieldKind } from './common.ts';

const flag = z.union([z.boolean(), z.literal(0), z.literal(1)]);

/** Any dialect. `value: false` (shape 1) excludes it; `map` is ignored. */
const columnRequest = z.object({
  name: z.string().min(1).max(200),
  label: z.string().max(500).optional(),
  kind: fieldKind.optional(),
  isMulti: flag.optional(),
  is_multi: flag.optional(),
  value: z.boolean().optional(),
  map: z.unknown().optional(),
});
export type ColumnRequest = z.infer<typeof columnRequest>;

const matchRequest = z.object({ origin: columnRequest, destination: columnRequest });

export const columnsRequest = z.array(columnRequest).max(500);
export const matchesRequest = z.array(matchRequest).max(500);
