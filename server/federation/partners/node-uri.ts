import { randomInt } from 'node:crypto';
import {
  MAX_ROUTES,
  MAX_ROUTE_CHARS,
  isOneOffice,
  NO_ROUTES,
  type AnnouncedRoutes,
} from '../../base/routes.ts';
import { plainName } from '../../base/plain-name.ts';
import { sha256 } from '../../base/hashes.ts';
import { Refusal } from '../../base/refusal.ts';
import { parseFederationBase, schemeFor, withoutTrailing } from './addresses.ts';
import { said, type Said } from '../../words/said.ts';

/** An invite's content (docs/pairing.md: The invite). */
export interface NodeURI {
  /** The pair's id at the inviter. */
  readonly nodeID: string;
  /** One-time: 32 characters of A–Z, a–z, 0–9. */
  readonly secret: string;
  /** The inviter's, ending in `/federation`. */
  readonly baseURL: string;
  readonly name: string;
  /** Claimed by the inviter. */
  readonly footbridge: boolean;
  /** The inviter's: SHA-256, lower-case hex. */
  readonly certificate?: string;
  /** The inviter's, of {@link unsignedInvite}; absent with a certificate, and from older versions. */
  readonly signature?: string;
  /** The inviter's, maybe none; absent for older versions. */
  readonly routes?: AnnouncedRoutes;
  /** SHA-256 of the secret of the receiver's invite, which this one answers. */
  readonly replyTo?: string;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const SECRET = /^[A-Za-z0-9]{32}$/;
const FINGERPRINT = /^[0-9a-f]{64}$/;
const SIGNATURE = /^[\w-]{43}$/;
const NODE_ID = /^[1-9][0-9]{0,19}$/;
const MAX_URI_CHARS = 8192;

/** Returns a cryptographically random secret: 32 characters, 190 bits. */
export function newInviteSecret(): string {
  return Array.from({ length: 32 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/** Returns the invite as an unsigned token, which tells nothing of its secret: the inviter proves that it signed it. */
export function unsignedInvite({ nodeID, secret }: Pick<NodeURI, 'nodeID' | 'secret'>): string {
  return `invite.${sha256(`${nodeID}:${secret}`)}`;
}

/** Returns the invite as a signed token, for its inviter to prove that it made it; undefined without a signature. */
export function signedInvite(invite: NodeURI): string | undefined {
  return invite.signature && `${unsignedInvite(invite)}.${invite.signature}`;
}

/**
 * Returns the invite as a URI that every dialect reads: id and secret as credentials, the rest as query, with a
 * checksum unless the secret is empty.
 */
export function formatNodeURI(uri: NodeURI): string {
  const url = new URL(uri.baseURL);
  url.username = uri.nodeID;
  url.password = uri.secret;
  url.searchParams.set('name', uri.name);
  if (uri.footbridge) url.searchParams.set('fb', '1');
  if (uri.certificate !== undefined) url.searchParams.set('fp', uri.certificate);
  if (uri.signature !== undefined) url.searchParams.set('sig', uri.signature);
  if (uri.routes) {
    if (uri.routes.pin !== '') url.searchParams.set('rp', uri.routes.pin);
    for (const text of uri.routes.texts.length === 0 ? [''] : uri.routes.texts)
      url.searchParams.append('r', text);
  }
  if (uri.replyTo !== undefined) url.searchParams.set('re', uri.replyTo);
  // For display: no invite.
  return uri.secret === '' ? url.href : withChecksum(url.href);
}

/** Returns the invite's URI with an empty secret, for display. */
export function withoutSecret(uri: Omit<NodeURI, 'secret'>): string {
  return formatNodeURI({ ...uri, secret: '' });
}

/** Returns whether a pasted text is a URI with credentials. */
export function looksLikeNodeURI(text: string): boolean {
  return /^[a-z+]+:\/\/[^/?#]*@/i.test(extractInvite(text));
}

/**
 * Parses an invite as people paste it: quoted, broken over lines, within a message. Throws `invite.malformed`, but not
 * for a wrong checksum: other software may have written the invite again.
 */
export function parseNodeURI(text: string): NodeURI {
  if (text.length > MAX_URI_CHARS) throw malformedInviteRefusal(said('invite.too-long'));
  const tidied = extractInvite(text);
  if (!WITHIN.test(tidied) && !REST.test(tidied)) throw noInviteRefusal(text);
  const scheme = /^([a-z+]+):\/\//i.exec(tidied)?.[1]?.toLowerCase();
  let url: URL;
  try {
    url = new URL(asHTTPS(tidied));
  } catch {
    throw malformedInviteRefusal(said('invite.no-address'));
  }
  if (scheme === 'http') url.protocol = 'http:';
  else if (scheme === 'corteza' || scheme === 'corteza+federation') url.protocol = schemeFor(url.hostname);
  else if (scheme !== 'https') throw malformedInviteRefusal(said('invite.wrong-scheme'));
  if (!NODE_ID.test(url.username) || BigInt(url.username) >= 2n ** 64n)
    throw malformedInviteRefusal(said('invite.no-number'));
  if (!SECRET.test(url.password)) throw malformedInviteRefusal(said('invite.bad-secret'));
  const certificate = url.searchParams.get('fp')?.toLowerCase().replaceAll(':', '');
  const replyTo = url.searchParams.get('re')?.toLowerCase() ?? '';
  const signature = url.searchParams.get('sig') ?? undefined;
  // An invite cut within one would pass for one without.
  if (certificate !== undefined && !FINGERPRINT.test(certificate))
    throw malformedInviteRefusal(said('invite.no-end'));
  if (signature !== undefined && !SIGNATURE.test(signature))
    throw malformedInviteRefusal(said('invite.no-end'));
  const ways = readRoutes(url.searchParams);
  if (!isOneOffice(certificate, ways.routes)) throw malformedInviteRefusal(said('invite.no-end'));
  return {
    nodeID: url.username,
    secret: url.password,
    baseURL: parseFederationBase(withoutCredentials(url)),
    name: plainName(url.searchParams.get('name') ?? '').slice(0, 200),
    footbridge: url.searchParams.get('fb') === '1',
    ...(certificate === undefined ? {} : { certificate }),
    ...(signature === undefined ? {} : { signature }),
    ...ways,
    ...(FINGERPRINT.test(replyTo) ? { replyTo } : {}),
  };
}

/** Returns an invite's routes; {} if its version knows none. Throws `invite.malformed` for damaged or too many ones. */
function readRoutes(params: URLSearchParams): Pick<NodeURI, 'routes'> {
  const texts = params.getAll('r').filter((text) => text !== '');
  if (!params.has('r')) return {};
  if (texts.length === 0) return { routes: NO_ROUTES };
  const pin = params.get('rp')?.toLowerCase() ?? '';
  // A cut invite has fewer.
  if (texts.length > MAX_ROUTES)
    throw new Refusal('malformed', 'invite.malformed', said('invite.too-many-ways', { most: MAX_ROUTES }));
  const isPrintable = texts.every((text) => text.length <= MAX_ROUTE_CHARS && /^[\x21-\x7e]+$/.test(text));
  if (!FINGERPRINT.test(pin) || !isPrintable) throw malformedInviteRefusal(said('invite.no-end'));
  return { routes: { pin, texts } };
}

/**
 * Throws `invite.malformed` for an invalid invite, and one cut or changed on its way; one without a checksum passes if
 * it has a name.
 */
export function mustBeWhole(text: string): void {
  const { name } = parseNodeURI(text);
  const invite = extractInvite(text);
  if (isIntact(invite)) return;
  if (name.trim() === '' || (declaredEnd(invite) ?? 0) > invite.length)
    throw malformedInviteRefusal(said('invite.no-end'));
  if (/[?&]sum=/.test(invite)) throw malformedInviteRefusal(said('invite.changed'));
}

/** In a message, an invite reaches from scheme and number to the next empty line. */
const WITHIN = /(?:https?|corteza(?:\+federation)?):\/\/\d+:(?:(?!\n[^\S\n]*\n)[^])*/i;

/** An invite without its beginning. */
const REST = /\/federation/i;
const LINK = /https?:\/\/[^\s"'<>]+/i;

/**
 * Returns the error for a text without an invite; it says if that is a relay's address, or names another link's host.
 */
function noInviteRefusal(text: string): Refusal {
  if (/footbridge-relay:/i.test(text))
    return new Refusal('malformed', 'invite.malformed', said('invite.relay'));
  const link = LINK.exec(text)?.[0] ?? '';
  const host = URL.canParse(link) ? new URL(link).hostname : '';
  return new Refusal(
    'malformed',
    'invite.malformed',
    host === '' ? said('invite.none') : said('invite.other-link', { host: host.slice(0, 200) }),
  );
}

/** First, as a cut loses the rest. */
const SUM = /^[^?]*\?sum=(\d{1,4})-[\da-f]{8}&/;

/** Adds a checksum to the invite: the length of all that follows, which reveals a cut, and a hash. */
function withChecksum(invite: string): string {
  const at = invite.indexOf('?') + 1;
  return `${invite.slice(0, at)}sum=${invite.length - at}-${hashOf(invite)}&${invite.slice(at)}`;
}

/** Returns eight characters of a hash that ignores the members' order, and the scheme, of which there are several. */
function hashOf(invite: string): string {
  const { username, password, host, pathname, searchParams } = new URL(asHTTPS(invite));
  const members = [...searchParams].filter(([name]) => name !== 'sum').map((member) => member.join('='));
  return sha256(JSON.stringify([username, password, host, pathname, ...members.sort()])).slice(0, 8);
}

const asHTTPS = (invite: string): string => invite.replace(/^[a-z+]+:\/\//i, 'https://');

/** Returns whether the checksum is right; false for an invalid URI or without one, as older versions write none. */
function isIntact(invite: string): boolean {
  if (!URL.canParse(asHTTPS(invite))) return false;
  const sum = new URL(asHTTPS(invite)).searchParams.get('sum') ?? '';
  return sum.split('-')[1] === hashOf(invite);
}

/** Returns the position in the text at which the invite ends by its checksum; undefined without one. */
function declaredEnd(invite: string): number | undefined {
  const [start = '', length] = SUM.exec(invite) ?? [];
  return length === undefined ? undefined : start.length + Number(length);
}

/**
 * Finds the invite in a pasted text, without white space, quotes and what follows it; else returns the whole text. Of
 * several readings the intact one wins.
 */
function extractInvite(text: string): string {
  const found = readingsOf(text).flatMap((reading) => {
    const inOneLine = (WITHIN.exec(reading)?.[0] ?? reading)
      .replace(/[\s\p{Cf}]+/gu, '')
      .replace(/^["'`<“”„‚‘’«»]+/, '');
    return [withoutTrailing(inOneLine, '"\'`>“”„‚‘’«»'), inOneLine.slice(0, declaredEnd(inOneLine))];
  });
  return found.find(isIntact) ?? found.find((each) => WITHIN.test(each)) ?? found[0] ?? '';
}

const ENCODED_LINK = /https?%3A%2F%2F\d+%3A[^\s&"'<>]+/i;

/**
 * Returns readings of a pasted text without marks of mail and web pages: as it is, decoded from quoted-printable, and
 * what another link encodes (only if no invite shows).
 */
function readingsOf(text: string): string[] {
  const plain = text.replace(/^[ \t]*(?:>[ \t]?)+/gm, '').replaceAll('&amp;', '&');
  const quotedPrintable = plain.replace(/=\r?\n/g, '').replaceAll('=3D', '=');
  // Some mail programs wrap it in a link. A shown one, or its rest, outranks the link's.
  const isShown = WITHIN.test(plain) || REST.test(plain);
  const link = isShown ? '' : (ENCODED_LINK.exec(plain)?.[0].replaceAll('+', '%2B') ?? '');
  return [plain, quotedPrintable, new URLSearchParams(`link=${link}`).get('link') ?? ''];
}

/** Returns the URL as text, without user name and password. */
function withoutCredentials(url: URL): string {
  const plain = new URL(url);
  plain.username = '';
  plain.password = '';
  return plain.toString();
}

/** Returns the error `invite.malformed`, with this reason. */
function malformedInviteRefusal(reason: Said): Refusal {
  return new Refusal('malformed', 'invite.malformed', said('invite.not-whole', { reason }));
}
