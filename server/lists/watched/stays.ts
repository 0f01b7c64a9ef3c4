import { z } from 'zod';

/** Notes where a file of a list lies, or that there is none any more: older data brings back neither. */
export const STAYS_WHERE_IT_IS = {
  /** Its place; empty for none. */
  note: z.string(),
  noted: (before: Placed | undefined, after: Placed | undefined): string | undefined =>
    before?.path === after?.path ? undefined : (after?.path ?? ''),
  reapply: <T extends Placed>(value: T, note: string): T | undefined =>
    value.path === note ? value : undefined,
  close: () => undefined,
};

interface Placed {
  readonly path: string;
}
