import ipaddr from 'ipaddr.js';
import { isLoopbackHost } from '../../base/loopback.ts';
import { Refusal } from '../../base/refusal.ts';
import { said } from '../../words/said.ts';

const MAX_URL_CHARS = 8192;

/** Removes these characters from the end, in linear time, where a pattern takes quadratic. */
export function withoutTrailing(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/**
 * Returns whether an address or name counts as on the office's own network, without looking it up: addresses that
 * aren't public (private, loopback, …), names without a dot or of local top-level domains.
 */
export function isOwnNetwork(hostname: string): boolean {
  const host = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  if (ipaddr.isValid(host)) return ipaddr.process(host).range() !== 'unicast';
  return !host.includes('.') || /\.(local|lan|home|internal|localhost|home\.arpa)$/.test(host);
}

/** Returns whether calls could be read on the way; never for loopback addresses. */
export function isUnencrypted(baseURL: string): boolean {
  if (!baseURL.startsWith('http:')) return false;
  return !isLoopbackHost(new URL(baseURL).hostname.replace(/^\[|\]$/g, ''));
}

/** Returns the scheme for a host given without one: `http:` on the own network (docs/interface.md: Partners). */
export function schemeFor(hostname: string): 'http:' | 'https:' {
  return isOwnNetwork(hostname) ? 'http:' : 'https:';
}

/**
 * Returns a http or https address as a federation base, ending in `/federation`. Throws `node.address` if malformed,
 * too long, or with a user or password.
 */
export function parseFederationBase(text: string): string {
  if (text.length > MAX_URL_CHARS) throw badAddressRefusal(text);
  let url: URL;
  try {
    url = new URL(text.trim());
  } catch {
    throw badAddressRefusal(text);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw badAddressRefusal(text);
  if (url.username !== '' || url.password !== '') throw badAddressRefusal(text);
  const path = withoutTrailing(url.pathname, '/');
  return `${url.origin}${path.endsWith('/federation') ? path : `${path}/federation`}`;
}

/**
 * Returns the federation base of a domain (https, http on the own network), or of an address with scheme. Throws
 * `node.address` (malformed).
 */
export function domainBase(domain: string): string {
  const text = domain.trim();
  if (/^https?:\/\//i.test(text)) return parseFederationBase(text);
  let host: string;
  try {
    host = new URL(`http://${text}`).hostname;
  } catch {
    throw badAddressRefusal(domain);
  }
  return parseFederationBase(`${schemeFor(host)}//${text}`);
}

/** Returns host and, unless the default, port, as shape 2 calls a domain; '' for ''. */
export function domainOf(base: string): string {
  return base === '' ? '' : new URL(base).host;
}

/** Returns the error `node.address` (malformed), which quotes the text. */
function badAddressRefusal(text: string): Refusal {
  return new Refusal('malformed', 'node.address', said('partner.bad-address', { text: text.slice(0, 200) }));
}
