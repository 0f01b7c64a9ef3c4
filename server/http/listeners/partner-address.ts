import type { OwnAddress } from '../../federation/ports.ts';
import type { Certificate } from './certificate.ts';
import type { Presented } from '../../app/presented-certificate.ts';

export interface AddressFacts {
  /** For partners; an IPv6 address in brackets. */
  readonly host: string;
  readonly port: number;
  readonly publicUrl?: string | undefined;
  /** Without: no TLS, as only this computer can connect. */
  readonly certificate?: Pick<Certificate, 'fingerprint' | 'selfSigned'> | undefined;
  /** Seen at the public address, if known. */
  readonly presented?: Presented | undefined;
}

/**
 * Returns the address at which partners reach this node, and the certificate to pin: our own if self-signed and seen by
 * callers. Unknown counts as seen.
 */
export function partnerAddress(facts: AddressFacts): OwnAddress {
  const { host, port, publicUrl, certificate, presented } = facts;
  const listener = `${certificate ? 'https' : 'http'}://${host}:${port}/federation`;
  const pin = certificate?.selfSigned === true ? { certificate: certificate.fingerprint } : {};
  if (publicUrl === undefined || publicUrl === '') return { listener, ...pin };
  const isOurs = presented === undefined || presented.fingerprint === certificate?.fingerprint;
  return { listener, publicUrl, ...(publicUrl.startsWith('https:') && isOurs ? pin : {}) };
}
