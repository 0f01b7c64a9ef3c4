import ipaddr from 'ipaddr.js';
import { Refusal } from '../../base/refusal.ts';
import { said } from '../../words/said.ts';

/** Characters of an address at most. */
const LONGEST = 8192;

/**
 * The text without any of `characters` at its end. Not by a pattern: `/\/+$/` takes a time that grows with the
 * square of the text where the run stands in the middle, and strangers write some of these texts.
 */
export function withoutTrailing(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** Host names and addresses that lie on the office's own network rather than on the internet. */
export function isOwnNetwork(hostname: string): boolean {
  const host = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  if (ipaddr.isValid(host)) return ipaddr.process(host).range() !== 'unicast';
  return !host.includes('.') || /\.(local|lan|home|internal|localhost|home\.arpa)$/.test(host);
}

/**
 * The scheme for a host that was named without one: open HTTP only on the own network (docs/interface.md: Partners).
 */
export function schemeFor(hostname: string): 'http:' | 'https:' {
  return isOwnNetwork(hostname) ? 'http:' : 'https:';
}

/**
 * A partner's federation base: http or https, no credentials, no query, ending in `/federation`.
 * @throws Refusal `malformed`
 */
export function httpBase(text: string): string {
  if (text.length > LONGEST) throw bad(text);
  let url: URL;
  try {
    url = new URL(text.trim());
  } catch {
    throw bad(text);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw bad(text);
  if (url.username !== '' || url.password !== '') throw bad(text);
  const path = withoutTrailing(url.pathname, '/');
  return `${url.origin}${path.endsWith('/federation') ? path : `${path}/federation`}`;
}

/**
 * The federation base behind a bare domain (`office.example:7420`) or an address with its scheme.
 * @throws Refusal `malformed`
 */
export function domainBase(domain: string): string {
  const text = domain.trim();
  if (/^https?:\/\//i.test(text)) return httpBase(text);
  let host: string;
  try {
    host = new URL(`http://${text}`).hostname;
  } catch {
    throw bad(domain);
  }
  return httpBase(`${schemeFor(host)}//${text}`);
}

/** The host, with its port where it is not the scheme's own, as shape 2 calls a domain. */
export function domainOf(base: string): string {
  return base === '' ? '' : new URL(base).host;
}

function bad(text: string): Refusal {
  return new Refusal('malformed', 'node.address', said('partner.bad-address', { text: text.slice(0, 200) }));
}
