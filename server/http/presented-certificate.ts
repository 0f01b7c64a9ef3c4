import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { fingerprintOf } from './certificate.ts';

/** How a certificate that somebody shows at an address stands. */
export interface Presented {
  readonly fingerprint: string;
  /** The system's authorities vouch for it, under this name. */
  readonly trusted: boolean;
}

/**
 * The certificate that callers of this https address get to see, whoever shows it: this node itself behind a
 * router, or a proxy before it. Sends nothing; undefined when nobody answers in time.
 */
export function presentedCertificate(address: URL, milliseconds: number): Promise<Presented | undefined> {
  const host = address.hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port: Number(address.port) || 443,
      rejectUnauthorized: false,
      ...(isIP(host) === 0 ? { servername: host } : {}),
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
