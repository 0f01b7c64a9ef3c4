import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { checkAddress } from '../peer/transport/address.ts';
import { guardedLookup } from '../base/guarded-lookup.ts';
import { fingerprintOf } from '../base/hashes.ts';

/** How a certificate that somebody shows at an address stands. */
export interface Presented {
  readonly fingerprint: string;
  /** The system's authorities vouch for it, under this name. */
  readonly trusted: boolean;
}

/** What this node's own address may be: this computer and its network, but none that nobody can have (S1). */
export const OWN_ADDRESS = { ownNetwork: true, allowLoopback: true } as const;

/**
 * The certificate that callers of this https address get to see, whoever shows it: this node itself behind a
 * router, or a proxy before it. Sends nothing; undefined when nobody answers in time, and for an
 * address that this node cannot have.
 */
export function presentedCertificate(address: URL, milliseconds: number): Promise<Presented | undefined> {
  const host = address.hostname.replace(/^\[|\]$/g, '');
  const isName = isIP(host) === 0;
  if (!isName && !canBeOurs(host)) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port: Number(address.port) || 443,
      rejectUnauthorized: false,
      lookup: guardedLookup((found) => checkAddress(found, OWN_ADDRESS)),
      ...(isName ? { servername: host } : {}),
    });
    const end = (found?: Presented): void => {
      socket.destroy();
      resolve(found);
    };
    socket.setTimeout(milliseconds, () => end());
    socket.once('error', () => end());
    socket.once('secureConnect', () => {
      const shown = socket.getPeerX509Certificate();
      end(shown && { fingerprint: fingerprintOf(shown), trusted: socket.authorized });
    });
  });
}

/** Whether a numeric address can be one of this computer's or of its network's. */
export function canBeOurs(address: string): boolean {
  try {
    checkAddress(address, OWN_ADDRESS);
    return true;
  } catch {
    return false;
  }
}
