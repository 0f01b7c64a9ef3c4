import type { IncomingMessage } from 'node:http';
import { BlockList } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Returns whether an address is a load balancer's with a trusted header. */
export type IsTrustedProxy = (address: string | undefined) => boolean;

export const NO_PROXIES: IsTrustedProxy = () => false;

/** Returns a test for addresses such as `10.0.0.0/8`. Throws for invalid ones. */
export function parseTrustedProxies(list: readonly string[]): IsTrustedProxy {
  const known = new BlockList();
  for (const text of list) {
    const [address, length] = parseNetwork(text);
    known.addSubnet(address.toString(), length, address.kind());
  }
  return (address) => {
    if (address === undefined || !ipaddr.isValid(address)) return false;
    const plain = ipaddr.process(address);
    return known.check(plain.toString(), plain.kind());
  };
}

/** Returns address and prefix length. Throws for anything else, even short forms of IPv4. */
function parseNetwork(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const [address = '', bits] = text.split('/');
  if (!address.includes(':') && !ipaddr.IPv4.isValidFourPartDecimal(address))
    throw new TypeError(`“${text}” is no address.`);
  if (bits !== undefined) return ipaddr.parseCIDR(text);
  const alone = ipaddr.parse(address);
  return [alone, alone.kind() === 'ipv4' ? 32 : 128];
}

/**
 * Returns a request's address: its connection's, or the one that trusted proxies report. Undefined for a closed
 * connection.
 */
export function callerAddress(
  { socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>,
  isProxy: IsTrustedProxy,
): string | undefined {
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().flatMap((line) => line.split(','));
  let address = socket.remoteAddress;
  // Each proxy appends the address it saw; what precedes is the caller's claim.
  while (isProxy(address) && forwarded.length > 0) address = forwarded.pop()?.trim();
  return address;
}
