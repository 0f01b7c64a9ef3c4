import { expect, it } from 'vitest';
import { createLedgerPartCache } from '../../../server/federation/sharing/ledger-parts.ts';
import type { Partition } from '../../../server/store/store.ts';

it('gives nobody a part while any of several releases of it is under way', async () => {
  const releases: (() => void)[] = [];
  const events: string[] = [];
  const parts = createLedgerPartCache(
    {
      partition: (name) => {
        events.push('opened');
        return Promise.resolve({ name } as Partition);
      },
      release: () =>
        new Promise((resolve) => {
          events.push('closing');
          releases.push(() => {
            events.push('closed');
            resolve();
          });
        }),
    },
    () => false,
  );
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  const [first, second] = [parts.release('ledger-000004-2026-03'), parts.release('ledger-000004-2026-03')];
  await settle();
  releases.shift()?.();
  await first;
  await settle();
  expect(events).toEqual(['closing', 'closed', 'closing']);
  const used = parts.withPart('ledger-000004-2026-03', () => Promise.resolve('read'));
  await settle();
  // The second one would close it while it is read.
  expect(events).toEqual(['closing', 'closed', 'closing']);
  releases.shift()?.();
  await second;
  // Whoever used it lets it go at the end.
  await expect.poll(() => releases.length).toBe(1);
  releases.shift()?.();
  expect(await used).toBe('read');
  expect(events).toEqual(['closing', 'closed', 'closing', 'closed', 'opened', 'closing', 'closed']);
});
