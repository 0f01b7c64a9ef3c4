import type { IncomingMessage } from 'node:http';
import { BlockList } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Says of the address of a connection whether a load balancer is there whose word on the caller's address is taken. */
export type IsTrustedProxy = (address: string | undefined) => boolean;

/** Without any, an address is that of the connection, whatever the request says of itself. */
export const NO_PROXIES: IsTrustedProxy = () => false;

/** @param list addresses, and networks as `10.0.0.0/8`. @throws TypeError where one is neither */
export function trustedProxies(list: readonly string[]): IsTrustedProxy {
  const known = new BlockList();
  for (const text of list) {
    const [address, length] = parsed(text);
    known.addSubnet(address.toString(), length, address.kind());
  }
  return (address) => {
    if (address === undefined || !ipaddr.isValid(address)) return false;
    const plain = ipaddr.process(address);
    return known.check(plain.toString(), plain.kind());
  };
}

function parsed(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const [address = '', bits] = text.split('/');
  // Shorter forms mean other addresses than one would think.
  if (!address.includes(':') && !ipaddr.IPv4.isValidFourPartDecimal(address))
    throw new TypeError(`“${text}” is no address.`);
  if (bits !== undefined) return ipaddr.parseCIDR(text);
  const alone = ipaddr.parse(address);
  return [alone, alone.kind() === 'ipv4' ? 32 : 128];
}

/** Returns the address that a request came from: that of its connection, or the one that trusted load balancers say. */
export function callerAddress(
  { socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>,
  isProxy: IsTrustedProxy,
): string | undefined {
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().flatMap((line) => line.split(','));
  let address = socket.remoteAddress;
  // Each proxy appends the address that it saw; what stands before that of the first one is the caller's own claim.
  while (isProxy(address) && forwarded.length > 0) address = forwarded.pop()?.trim();
  return address;
}
