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

/** Bits of an address that one owner may hold all further ones of, as hosting companies rent them out. */
const OWNER_BITS = { ipv4: 24, ipv6: 48 } as const;

/**
 * Returns the larger network of an address, where notices and log lines about strangers are counted: `203.0.113.0/24`.
 * A loopback address, and what is no address, is returned as it is.
 */
export function ownerNetworkOf(address: string | undefined): string {
  if (address === undefined || !ipaddr.isValid(address)) return address ?? 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed.range() === 'loopback') return parsed.toString();
  const bits = OWNER_BITS[parsed.kind()];
  const { IPv4, IPv6 } = ipaddr;
  const network = (parsed instanceof IPv4 ? IPv4 : IPv6).networkAddressFromCIDR(
    `${parsed.toString()}/${bits}`,
  );
  return `${network.toString()}/${bits}`;
}
