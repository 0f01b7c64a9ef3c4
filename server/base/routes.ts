import { isIP } from 'node:net';
import { z } from 'zod';

/** Announced routes, beside the main address in an invite, as received: signatures cover every byte. */
export interface AnnouncedRoutes {
  /** SHA-256 fingerprint (lower-case hex) of all routes' certificate; empty without routes. */
  readonly pin: string;
  readonly texts: readonly string[];
}

export type Route =
  | {
      /** `mapped`: a port that the office's router forwards. */
      readonly kind: 'direct' | 'mapped';
      readonly host: string;
      readonly port: number;
    }
  | {
      readonly kind: 'relay';
      /** The relay's address with the office's name there. */
      readonly address: string;
    };

export const MAX_ROUTES = 12;
export const MAX_ROUTE_CHARS = 500;
export const NO_ROUTES: AnnouncedRoutes = { pin: '', texts: [] };

const HOST = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/i;
const ADDRESSED = /^(direct|mapped):(.+):([1-9]\d{0,4})$/;
const RELAYED = /^relay:([\x21-\x7e]+)$/;

/** Returns a route's text: `direct:host:port`, `mapped:host:port` (an IPv6 host in brackets) or `relay:address`. */
export function formatRoute(route: Route): string {
  if (route.kind === 'relay') return `relay:${route.address}`;
  const host = route.host.includes(':') ? `[${route.host}]` : route.host;
  return `${route.kind}:${host}:${route.port}`;
}

/** Parses a route's text; undefined if malformed or of a kind that only newer versions know. */
export function parseRoute(text: string): Route | undefined {
  if (text.length > MAX_ROUTE_CHARS) return undefined;
  const address = RELAYED.exec(text)?.[1];
  if (address !== undefined) return { kind: 'relay', address };
  const [, kind, written = '', digits] = ADDRESSED.exec(text) ?? [];
  const isBracketed = /^\[[^\]]+\]$/.test(written);
  const host = isBracketed ? written.slice(1, -1) : written;
  const port = Number(digits);
  const isHost = isBracketed ? isIP(host) === 6 && !host.includes('%') : HOST.test(host);
  if ((kind !== 'direct' && kind !== 'mapped') || !isHost || port > 65_535) return undefined;
  return { kind, host, port };
}

/** Returns the routes as one text, for verification words and proofs; empty without routes. */
export const canonicalRoutes = ({ pin, texts }: AnnouncedRoutes): string =>
  texts.length === 0 ? '' : JSON.stringify([pin, ...texts]);

/**
 * Returns whether an office's address and routes may end at the same certificate. If not, it names another office's as
 * its own: whoever answers on a route proves nothing about the address.
 */
export const isOneOffice = (certificate: string | undefined, routes: AnnouncedRoutes | undefined): boolean =>
  certificate === undefined || !routes?.pin || routes.pin === certificate;

const canonicalForm = z.array(z.string()).min(1);

/** Returns the routes of a {@link canonicalRoutes} text; none for an empty one. Throws if malformed. */
export function routesOfCanonical(text: string): AnnouncedRoutes {
  if (text === '') return NO_ROUTES;
  const [pin = '', ...texts] = canonicalForm.parse(JSON.parse(text));
  return { pin, texts };
}

export const isSameRoutes = (one: AnnouncedRoutes, other: AnnouncedRoutes): boolean =>
  canonicalRoutes(one) === canonicalRoutes(other);
