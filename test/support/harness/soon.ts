import { vi } from 'vitest';

/** {@link vi.waitFor} with the patience of `expect.poll` (vitest.config.ts), for the same reason. */
export const soon = (holds: () => unknown): Promise<unknown> => vi.waitFor(holds, { timeout: 15_000 });
