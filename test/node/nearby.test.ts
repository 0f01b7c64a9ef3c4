import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../server/base/clock.ts';
import { openMulticast, type Heard } from '../../server/nearby/multicast.ts';
import { createNearby, type Nearby } from '../../server/nearby/nearby.ts';

/** Real packets, on this computer alone: a port of its own, and the interface that nobody else has. */
const port = 40_000 + (process.pid % 20_000);
const office = (name: string): Nearby => {
  const nearby = createNearby({
    clock: systemClock,
    isOn: () => true,
    office: () => name,
    open: (heard: Heard) => openMulticast(heard, { interface: '127.0.0.1', bind: '0.0.0.0', port }),
  });
  onTestFinished(() => nearby.close());
  return nearby;
};
const names = (nearby: Nearby): string[] => nearby.look().offices.map(({ name }) => name);

it('two offices on one network find each other over real packets, and are gone once one of them leaves', async () => {
  const [kerr, sorel] = [office('Kerr & Blom, Göteborg'), office('Maison Sorel')];
  await expect
    .poll(() => [...names(kerr), ...names(sorel)])
    .toEqual(['Maison Sorel', 'Kerr & Blom, Göteborg']);
  kerr.close();
  // Sooner than it would be forgotten by itself.
  await expect.poll(() => names(sorel), { timeout: 5000 }).toEqual([]);
});
