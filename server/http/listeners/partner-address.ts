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
 * Returns the address at which partners reach this node, and the certificate to pin (docs/pairing.md: The invite). Pins
 * only our own self-signed certificate, and only if callers see it; if that is unknown, they count as seeing it.
 */
export function partnerAddress(facts: AddressFacts): OwnAddress {
  const { host, port, publicUrl, certificate, presented } = facts;
  const listener = `${certificate ? 'https' : 'http'}://${host}:${port}/federation`;
  const pin = certificate?.selfSigned === true ? { certificate: certificate.fingerprint } : {};
  if (publicUrl === undefined || publicUrl === '') return { listener, ...pin };
  const isOurs = presented === undefined || presented.fingerprint === certificate?.fingerprint;
  return { listener, publicUrl, ...(publicUrl.startsWith('https:') && isOurs ? pin : {}) };
}
