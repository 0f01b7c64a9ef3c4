import ipaddr from 'ipaddr.js';

/** How much of an IPv6 address one customer of a provider is given at least, and may change at will. */
const IPV6_GROUPS = 4;

/**
 * The network that an address of a socket counts as wherever something is counted by address: an IPv4 address is
 * itself, also when it is written in IPv6; of IPv6 the /64 counts, since whoever has one address has them all.
 */
export function networkOf(address: string | undefined): string {
  if (address === undefined || !ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const groups = parsed.parts.slice(0, IPV6_GROUPS).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}
