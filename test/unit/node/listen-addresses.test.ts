import { networkInterfaces } from 'node:os';
import { expect, it } from 'vitest';
import type { Listener } from '../../../server/http/listeners/listen.ts';
import { ListenAddresses } from '../../../server/node/listen-addresses.ts';

const at = (port: number): Listener => ({
  ...{ host: '127.0.0.1', port },
  close: () => Promise.resolve(),
  renew: () => undefined,
  takeRouted: () => undefined,
});

it('a free port that the settings ask for is kept once it was found, whatever else is changed in them', () => {
  const doors = new ListenAddresses({}, { now: () => 0 });
  expect(doors.addressesToOpen({ network: false, port: 0 }).port).toBe(0);

  doors.setListeners({ federation: at(5001), window: at(5002) });
  expect(doors.matches({ network: false, port: 0 })).toBe(true);
  expect(doors.addressesToOpen({ network: true, port: 0 }).port).toBe(5001);
});

it('opens IPv6 as well as IPv4 to the network on a computer that has it', () => {
  const hasIPv6 = Object.values(networkInterfaces()).some((list) =>
    list?.some(({ family }) => family === 'IPv6'),
  );
  const { host } = new ListenAddresses({}, { now: () => 0 }).addressesToOpen({ network: true, port: 0 });
  expect(host).toBe(hasIPv6 ? '::' : '0.0.0.0');
});
