import ipaddr from 'ipaddr.js';

/** Returns a network address without IPv4-in-IPv6 form and zone. */
export function plainAddress(address: string): string {
  const bare = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  return ipaddr.isValid(bare) ? ipaddr.process(bare).toString() : bare;
}
