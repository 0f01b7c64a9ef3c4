import ipaddr from 'ipaddr.js';

/** A network address without IPv6 clothing around an IPv4 one, and without a zone. */
export function plainAddress(address: string): string {
  const bare = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  return ipaddr.isValid(bare) ? ipaddr.process(bare).toString() : bare;
}
