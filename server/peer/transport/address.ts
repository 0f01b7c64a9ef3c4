import ipaddr from 'ipaddr.js';
import { AddressRefusedError, quoted } from '../guard/errors.ts';
import { said } from '../../words/said.ts';

export interface AddressRules {
  /** By our user, this partner is on the office's network (S5). */
  readonly ownNetwork: boolean;
  /** For tests and the demo: both nodes on one computer. */
  readonly allowLoopback: boolean;
}

/** With a machine's credentials, outside the link-local range (S1). */
const METADATA_SERVICES = new Set([
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd00:c1::a9fe:a9fe',
  'fd00:42::42',
  'fd20:ce::254',
]);

/** With IPv4 in the last 32 bits: NAT64, and the old IPv4-compatible form. */
const CARRYING_IPV4 = ['64:ff9b::/96', '::/96'].map((range) => ipaddr.parseCIDR(range));

/**
 * Throws AddressRefusedError unless a numeric address may be called: public; private or carrier-grade NAT with
 * `ownNetwork`; loopback with `allowLoopback`. Metadata services never may. IPv4 in IPv6 is checked as IPv4.
 */
export function checkAddress(address: string, rules: AddressRules): void {
  const bare = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  if (!ipaddr.isValid(bare))
    throw new AddressRefusedError('malformed', said('address.none', { text: quoted(address) }));
  const ip = unwrapIPv4(ipaddr.process(bare));
  if (METADATA_SERVICES.has(ip.toString())) {
    throw new AddressRefusedError(
      'forbidden',
      said('address.information-service', { address: ip.toString() }),
    );
  }
  switch (ip.range()) {
    case 'unicast':
      return;
    case 'private':
    case 'uniqueLocal':
    case 'carrierGradeNat':
      if (rules.ownNetwork) return;
      throw new AddressRefusedError('private', said('address.private', { address: ip.toString() }));
    case 'loopback':
      if (rules.allowLoopback) return;
      throw new AddressRefusedError('loopback', said('address.this-computer', { address: ip.toString() }));
    default:
      throw new AddressRefusedError('forbidden', said('address.not-a-partners', { address: ip.toString() }));
  }
}

/** Returns whether an address is of a private network or a carrier-grade NAT; false if it is no address. */
export function isPrivateAddress(address: string): boolean {
  const range = ipaddr.isValid(address) ? unwrapIPv4(ipaddr.process(address)).range() : 'unicast';
  return range === 'private' || range === 'uniqueLocal' || range === 'carrierGradeNat';
}

/** Returns whether a partner on the same network could call an address ({@link checkAddress}). */
export function isCallable(address: string): boolean {
  try {
    checkAddress(address, { ownNetwork: true, allowLoopback: false });
    return true;
  } catch {
    return false;
  }
}

/** Returns the IPv4 address inside an IPv6 one; others, `::` and `::1` unchanged. */
function unwrapIPv4(ip: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  const carries =
    ip.kind() === 'ipv6' && ip.range() !== 'unspecified' && ip.range() !== 'loopback'
      ? CARRYING_IPV4.some((range) => ip.match(range))
      : false;
  return carries ? ipaddr.fromByteArray(ip.toByteArray().slice(12)) : ip;
}

/**
 * Returns a user's or partner's address as a URL (S4): http or https, no credentials, blanks or fragment. Checks a
 * numeric host at once, a name at its lookup. Throws AddressRefusedError.
 */
export function parseAddress(text: string, rules: AddressRules): URL {
  // The URL parser silently drops some.
  if (/[\s\p{Cc}\\]/u.test(text) || text.length > 2000) {
    throw new AddressRefusedError('malformed', said('address.no-web-address', { text: quoted(text) }));
  }
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new AddressRefusedError('malformed', said('address.no-web-address', { text: quoted(text) }));
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new AddressRefusedError('scheme', said('address.wrong-scheme', { scheme: quoted(url.protocol) }));
  }
  if (url.username !== '' || url.password !== '') {
    throw new AddressRefusedError('malformed', said('address.credentials'));
  }
  if (url.hash !== '')
    throw new AddressRefusedError('malformed', said('address.fragment', { text: quoted(text) }));
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (ipaddr.isValid(host)) checkAddress(host, rules);
  return url;
}
