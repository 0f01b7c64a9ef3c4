import ipaddr from 'ipaddr.js';

/** Returns a network address without brackets and zone, and IPv4 in IPv6 as IPv4. */
export function plainAddress(address: string): string {
  const bare = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  return ipaddr.isValid(bare) ? ipaddr.process(bare).toString() : bare;
}
