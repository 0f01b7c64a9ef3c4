import { z } from 'zod';

/** The page counts as open while this call comes every few seconds. */
export const nearbyAnswer = z.object({
  looking: z.boolean().describe('switched on, and this computer has a way to look'),
  offices: z
    .array(
      z.object({ key: z.string(), name: z.string().describe('as that office calls itself; not checked') }),
    )
    .describe('those that look as well, on the same network'),
});
export type NearbyAnswer = z.infer<typeof nearbyAnswer>;
