import ipaddr from 'ipaddr.js';
import { AddressRefused, quoted } from '../guard/errors.ts';
import { said } from '../../words/said.ts';

/** What one partner may be reached at. */
export interface AddressRules {
  /** The user said that this partner is on the office's own network (S5). */
  readonly ownNetwork: boolean;
  /** For tests and the demo, where both nodes live on one computer. */
  readonly allowLoopback: boolean;
}

/** Services that hand out a machine's credentials, where they are outside the link-local range (S1). */
const METADATA = new Set([
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd00:c1::a9fe:a9fe',
  'fd00:42::42',
  'fd20:ce::254',
]);

/** IPv6 ranges whose last 32 bits are an IPv4 address: NAT64, and the old way of writing IPv4 in IPv6. */
const CARRYING_IPV4 = ['64:ff9b::/96', '::/96'].map((range) => ipaddr.parseCIDR(range));

/**
 * Checks one numeric address. Public ones pass; private ones only on the own network; loopback only where
 * allowed; link-local, unspecified, multicast, metadata and reserved ones never. IPv4 addresses inside IPv6
 * ones (mapped, NAT64, compatible) are judged as what they are.
 * @throws AddressRefused
 */
export function checkAddress(address: string, rules: AddressRules): void {
  const bare = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  if (!ipaddr.isValid(bare))
    throw new AddressRefused('malformed', said('address.none', { text: quoted(address) }));
  const ip = inner(ipaddr.process(bare));
  if (METADATA.has(ip.toString())) {
    throw new AddressRefused('forbidden', said('address.information-service', { address: ip.toString() }));
  }
  switch (ip.range()) {
    case 'unicast':
      return;
    case 'private':
    case 'uniqueLocal':
    case 'carrierGradeNat':
      if (rules.ownNetwork) return;
      throw new AddressRefused('private', said('address.private', { address: ip.toString() }));
    case 'loopback':
      if (rules.allowLoopback) return;
      throw new AddressRefused('loopback', said('address.this-computer', { address: ip.toString() }));
    default:
      throw new AddressRefused('forbidden', said('address.not-a-partners', { address: ip.toString() }));
  }
}

/** Whether an address is of a private network, which only a partner on the same one can mean. */
export function isPrivateAddress(address: string): boolean {
  const range = ipaddr.isValid(address) ? inner(ipaddr.process(address)).range() : 'unicast';
  return range === 'private' || range === 'uniqueLocal' || range === 'carrierGradeNat';
}

/** Whether a partner on the same network may call an address at all: what {@link checkAddress} refuses to everybody, it may not. */
export function isCallable(address: string): boolean {
  try {
    checkAddress(address, { ownNetwork: true, allowLoopback: false });
    return true;
  } catch {
    return false;
  }
}

/** The IPv4 address that an IPv6 one carries; `::` and `::1` are what they are. */
function inner(ip: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  const carries =
    ip.kind() === 'ipv6' && ip.range() !== 'unspecified' && ip.range() !== 'loopback'
      ? CARRYING_IPV4.some((range) => ip.match(range))
      : false;
  return carries ? ipaddr.fromByteArray(ip.toByteArray().slice(12)) : ip;
}

/**
 * Reads an address that a user or a partner gave (S4): http or https, no user name or password, no blanks
 * or control characters, no fragment. A numeric host is checked at once, in whatever notation it comes; a
 * name is checked when it is looked up.
 * @throws AddressRefused
 */
export function parseAddress(text: string, rules: AddressRules): URL {
  // The URL parser would silently drop some of these.
  if (/[\s\p{Cc}\\]/u.test(text) || text.length > 2000) {
    throw new AddressRefused('malformed', said('address.no-web-address', { text: quoted(text) }));
  }
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new AddressRefused('malformed', said('address.no-web-address', { text: quoted(text) }));
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new AddressRefused('scheme', said('address.wrong-scheme', { scheme: quoted(url.protocol) }));
  }
  if (url.username !== '' || url.password !== '') {
    throw new AddressRefused('malformed', said('address.credentials'));
  }
  if (url.hash !== '')
    throw new AddressRefused('malformed', said('address.fragment', { text: quoted(text) }));
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (ipaddr.isValid(host)) checkAddress(host, rules);
  return url;
}
