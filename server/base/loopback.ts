import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

/** This computer alone. */
export const LOOPBACK = '127.0.0.1';

/** Whether an address of a socket is this computer's own loopback, IPv4 written in IPv6 included. */
export function isLoopback(address: string | undefined): boolean {
  if (address === undefined || !ipaddr.isValid(address)) return false;
  return ipaddr.process(address).range() === 'loopback';
}

/** Whether a host to listen on can be reached from this computer only. */
export const isLoopbackHost = (host: string): boolean => host === 'localhost' || isLoopback(host);

/** Returns the host to listen on for every address of this computer: of IPv4 and, where it has any, of IPv6. */
export const everyAddress = (): string =>
  Object.values(networkInterfaces()).some((list) => list?.some(({ family }) => family === 'IPv6'))
    ? '::'
    : '0.0.0.0';
