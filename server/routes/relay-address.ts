import { createHash, randomBytes } from 'node:crypto';
import { isIPv6 } from 'node:net';

/** A host of the rendezvous protocol, by TLS only: a relay or a partner. */
export interface RendezvousEndpoint {
  readonly host: string;
  readonly port: number;
  /** Empty, or `/` and more without final `/`. */
  readonly path: string;
  /** SHA-256, lower-case hex; without it an authority must vouch for the host. */
  readonly pin?: string;
}

/** As people paste it and invites carry it. */
export interface RelayAddress extends RendezvousEndpoint {
  /** Lets offices register; never in an invite. */
  readonly accessKey?: string;
  readonly officeID?: string;
}

const SCHEME = 'footbridge-relay:';
const DEFAULT_PORT = 443;
const PIN = /^[\da-f]{64}$/;
const OFFICE_ID = /^[\w-]{43}$/;
const ACCESS_KEY = /^[\w-]{16,128}$/;
const MAX_LENGTH = 1_000;

/** Returns a random secret that registers an office at one relay, which sees it. */
export const newRegistrationSecret = (): string => randomBytes(32).toString('base64url');

/** Returns the ID by which others call the office that registers with this secret. */
export const officeIDOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

/** Returns whether `text` has the form of an office ID, secret or ticket: 256 bits in base64url. */
export const isOfficeID = (text: string): boolean => OFFICE_ID.test(text);

/** Returns an address as one line, `forInvite` without the access key. */
export function formatRelayAddress(address: RelayAddress, forInvite = false): string {
  const { host, port, path, pin, accessKey, officeID } = address;
  const query = new URLSearchParams();
  if (pin !== undefined) query.set('pin', pin);
  if (accessKey !== undefined && !forInvite) query.set('key', accessKey);
  if (officeID !== undefined) query.set('office', officeID);
  const name = isIPv6(host) ? `[${host}]` : host;
  const tail = query.size > 0 ? `?${query}` : '';
  return `${SCHEME}//${name}${port === DEFAULT_PORT ? '' : `:${port}`}${path}${tail}`;
}

/**
 * Parses a relay's address as people paste it: as {@link formatRelayAddress} returns it, also broken over lines or
 * quoted, or `host`, `host:port` or `https://host/path` of a relay with an authority's certificate. Undefined for other
 * texts.
 */
export function parseRelayAddress(text: string): RelayAddress | undefined {
  const bare = text.replace(/[\s"'“”„«»<>]/g, '');
  if (bare === '' || bare.length > MAX_LENGTH) return undefined;
  const [, scheme = '', rest = ''] = /^(?:(footbridge-relay|https|wss):\/\/)?(.*)$/i.exec(bare) ?? [];
  if (rest.includes('://')) return undefined;
  const url = URL.canParse(`https://${rest}`) ? new URL(`https://${rest}`) : undefined;
  if (url?.username !== '' || url.password !== '' || url.hash !== '') return undefined;
  if (scheme === '' && !/[.:]/.test(url.host)) return undefined;
  const pin = url.searchParams.get('pin')?.toLowerCase();
  const accessKey = url.searchParams.get('key') ?? undefined;
  const officeID = url.searchParams.get('office') ?? undefined;
  if (pin !== undefined && !PIN.test(pin)) return undefined;
  if (accessKey !== undefined && !ACCESS_KEY.test(accessKey)) return undefined;
  if (officeID !== undefined && !OFFICE_ID.test(officeID)) return undefined;
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? DEFAULT_PORT : Number(url.port),
    path: url.pathname.replace(/\/+$/, ''),
    ...(pin === undefined ? {} : { pin }),
    ...(accessKey === undefined ? {} : { accessKey }),
    ...(officeID === undefined ? {} : { officeID }),
  };
}
