import ipaddr from 'ipaddr.js';

/** Providers give each customer at least this much of an IPv6 address, to change at will. */
const IPV6_GROUPS = 4;

/**
 * Returns the network by which limits count an address: an IPv4 address itself (also mapped into IPv6), an IPv6
 * address's /64, `unknown` for other texts.
 */
export function networkOf(address: string | undefined): string {
  if (address === undefined || !ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const groups = parsed.parts.slice(0, IPV6_GROUPS).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}

/** Hosting companies rent out whole networks of this prefix length. */
const OWNER_BITS = { ipv4: 24, ipv6: 48 } as const;

/**
 * Returns the network by which strangers are counted, as one owner may hold all of it: an IPv4 address's /24, an IPv6
 * address's /48; loopback and other texts unchanged, `unknown` for undefined.
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
