import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { checkAddress } from '../peer/transport/address.ts';
import { guardedLookup } from '../base/guarded-lookup.ts';
import { fingerprintOf } from '../base/hashes.ts';

export interface Presented {
  readonly fingerprint: string;
  /** Trusted by the system for this name. */
  readonly trusted: boolean;
}

export const OWN_ADDRESS = { ownNetwork: true, allowLoopback: true } as const;

/**
 * Connects by TLS to our https address and returns the certificate shown there, ours or a proxy's. Undefined without an
 * answer within `milliseconds`, or if the address can't be this computer's.
 */
export function fetchPresentedCertificate(
  address: URL,
  milliseconds: number,
): Promise<Presented | undefined> {
  const host = address.hostname.replace(/^\[|\]$/g, '');
  const isName = isIP(host) === 0;
  if (!isName && !mayBeOwnAddress(host)) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port: Number(address.port) || 443,
      rejectUnauthorized: false,
      lookup: guardedLookup((found) => checkAddress(found, OWN_ADDRESS)),
      ...(isName ? { servername: host } : {}),
    });
    /** Ends the connection, and resolves with what was found. */
    const destroyAndResolve = (found?: Presented): void => {
      socket.destroy();
      resolve(found);
    };
    socket.setTimeout(milliseconds, () => destroyAndResolve());
    socket.once('error', () => destroyAndResolve());
    socket.once('secureConnect', () => {
      const shown = socket.getPeerX509Certificate();
      destroyAndResolve(shown && { fingerprint: fingerprintOf(shown), trusted: socket.authorized });
    });
  });
}

/** Returns whether a numeric address can be this computer's. */
export function mayBeOwnAddress(address: string): boolean {
  try {
    checkAddress(address, OWN_ADDRESS);
    return true;
  } catch {
    return false;
  }
}
