import type { OwnAddress } from '../../federation/ports.ts';
import type { Certificate } from './certificate.ts';
import type { Presented } from '../../app/presented-certificate.ts';

export interface AddressFacts {
  /** Host of the listener as partners are to name it; an IPv6 address in brackets. */
  readonly host: string;
  readonly port: number;
  /** Given on the command line or in the settings; empty or absent: none. */
  readonly publicUrl?: string | undefined;
  /** What the listener shows; absent: it speaks no TLS, as nobody but this computer can reach it. */
  readonly certificate?: Pick<Certificate, 'fingerprint' | 'selfSigned'> | undefined;
  /** What callers of the public address get to see; absent: could not be found out. */
  readonly presented?: Presented | undefined;
}

/**
 * Where partners reach this node and which certificate they have to pin (docs/pairing.md: The invite). Pinned is only a
 * certificate of our own making that callers really see: one that an authority vouches for changes every few
 * months, and a proxy shows its own. A public address that could not be tried is taken for a router that
 * forwards to us, as most routers do not let a computer call itself from outside.
 */
export function partnerAddress(facts: AddressFacts): OwnAddress {
  const { host, port, publicUrl, certificate, presented } = facts;
  const listener = `${certificate ? 'https' : 'http'}://${host}:${port}/federation`;
  const pin = certificate?.selfSigned === true ? { certificate: certificate.fingerprint } : {};
  if (publicUrl === undefined || publicUrl === '') return { listener, ...pin };
  const isOurs = presented === undefined || presented.fingerprint === certificate?.fingerprint;
  return { listener, publicUrl, ...(publicUrl.startsWith('https:') && isOurs ? pin : {}) };
}
