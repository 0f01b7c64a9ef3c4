import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

export const LOOPBACK = '127.0.0.1';

/** Returns whether a socket's address is loopback, including IPv4 in IPv6. */
export function isLoopback(address: string | undefined): boolean {
  if (address === undefined || !ipaddr.isValid(address)) return false;
  return ipaddr.process(address).range() === 'loopback';
}

/** Returns whether a host to listen on is reachable only from this computer. */
export const isLoopbackHost = (host: string): boolean => host === 'localhost' || isLoopback(host);

/** Returns the host to listen on for all of this computer's addresses, with IPv6 if it has any. */
export const wildcardAddress = (): string =>
  Object.values(networkInterfaces()).some((list) => list?.some(({ family }) => family === 'IPv6'))
    ? '::'
    : '0.0.0.0';
