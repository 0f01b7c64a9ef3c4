import type { OwnAddress } from '../../federation/ports.ts';
import type { Certificate } from './certificate.ts';
import type { Presented } from '../../app/presented-certificate.ts';

export interface AddressFacts {
  /** Host of the listener as partners should use it; an IPv6 address in brackets. */
  readonly host: string;
  readonly port: number;
  /** From the command line or settings; empty or absent: none. */
  readonly publicUrl?: string | undefined;
  /** The listener's certificate; absent: no TLS, as only this computer can reach it. */
  readonly certificate?: Pick<Certificate, 'fingerprint' | 'selfSigned'> | undefined;
  /** The certificate that callers of the public address see; absent: unknown. */
  readonly presented?: Presented | undefined;
}

/**
 * Returns where partners reach this node and the certificate that they must pin (docs/pairing.md: The invite). Only
 * our own certificate is pinned, and only if callers really see it: an authority's changes every few months, and a
 * proxy uses its own. A public address that couldn't be tried counts as a forwarding router, as most routers don't
 * let a computer call itself from outside.
 */
export function partnerAddress(facts: AddressFacts): OwnAddress {
  const { host, port, publicUrl, certificate, presented } = facts;
  const listener = `${certificate ? 'https' : 'http'}://${host}:${port}/federation`;
  const pin = certificate?.selfSigned === true ? { certificate: certificate.fingerprint } : {};
  if (publicUrl === undefined || publicUrl === '') return { listener, ...pin };
  const isOurs = presented === undefined || presented.fingerprint === certificate?.fingerprint;
  return { listener, publicUrl, ...(publicUrl.startsWith('https:') && isOurs ? pin : {}) };
}
