import { expect, it, onTestFinished, vi } from 'vitest';
import { systemClock } from '../../server/base/clock.ts';
import { openMulticast, type PacketHandlers } from '../../server/nearby/multicast.ts';
import { Nearby } from '../../server/nearby/nearby.ts';

/** Real packets, on this computer alone: a port of its own, and the interface that nobody else has. */
const port = 40_000 + (process.pid % 20_000);
const office = (name: string): Nearby => {
  const nearby = new Nearby({
    clock: systemClock,
    isOn: () => true,
    office: () => name,
    open: (heard: PacketHandlers) => openMulticast(heard, { interface: '127.0.0.1', bind: '0.0.0.0', port }),
  });
  onTestFinished(() => nearby.close());
  return nearby;
};
const names = (nearby: Nearby): string[] => nearby.refresh().offices.map(({ name }) => name);

it('two offices on one network find each other over real packets, and are gone once one of them leaves', async () => {
  const [kerr, sorel] = [office('Kerr & Blom, Göteborg'), office('Maison Sorel')];
  await expect
    .poll(() => [...names(kerr), ...names(sorel)])
    .toEqual(['Maison Sorel', 'Kerr & Blom, Göteborg']);
  kerr.close();
  // Sooner than it would be forgotten by itself.
  await expect.poll(() => names(sorel), { timeout: 5000 }).toEqual([]);
});

it('no packet is taken apart that is not to be read', async () => {
  const on = { interface: '127.0.0.1', bind: '0.0.0.0', port: port + 1 };
  const [acceptPacket, question] = [vi.fn<PacketHandlers['acceptPacket']>(() => false), vi.fn()];
  const heard: PacketHandlers = { acceptPacket, question, answer: vi.fn(), failed: vi.fn() };
  const [listening, asking] = [
    openMulticast(heard, on),
    openMulticast({ ...heard, acceptPacket: () => false }, on),
  ];
  onTestFinished(() => {
    listening.close();
    asking.close();
  });
  const asked = async (): Promise<void> => {
    const before = acceptPacket.mock.calls.length;
    await expect
      .poll(() => {
        asking.query();
        return acceptPacket.mock.calls.length;
      })
      .toBeGreaterThan(before + 2);
  };
  await asked();
  expect(question).not.toHaveBeenCalled();
  acceptPacket.mockReturnValue(true);
  await asked();
  expect(question).toHaveBeenCalled();
  expect(acceptPacket.mock.calls[0]?.[0]).toBeLessThan(600);
});
