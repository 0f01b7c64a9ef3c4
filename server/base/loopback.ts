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
