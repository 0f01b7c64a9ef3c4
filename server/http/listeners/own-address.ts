import { networkInterfaces } from 'node:os';
import { isCallable } from '../../peer/transport/address.ts';

/** Returns this computer's addresses, IPv4 first, IPv6 in brackets, without loopback and link-local ones. */
export function networkAddresses(): string[] {
  const found = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ internal, address }) => !internal && !/^(169\.254\.|fe80:)/i.test(address));
  return found
    .sort((a, b) => Number(a.family === 'IPv6') - Number(b.family === 'IPv6'))
    .map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address));
}

/**
 * Returns the hosts that reach a listener on `host`: itself, or for a wildcard `own`, reserved ranges last, and
 * loopback.
 */
export function hostsOf(host: string, own = networkAddresses()): string[] {
  if (host !== '0.0.0.0' && host !== '::') return [host.includes(':') ? `[${host}]` : host];
  const all = own.filter((address) => host === '::' || !address.startsWith('['));
  return [...all.filter(isCallable), ...all.filter((address) => !isCallable(address)), '127.0.0.1'];
}
