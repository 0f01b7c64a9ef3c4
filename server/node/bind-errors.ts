import type { ListenError } from '../http/listeners/listen.ts';
import { said, type Words } from '../words/said.ts';

/**
 * Returns the message that partners are served at the previous address, as the user's setting couldn't be
 * opened; with what to do.
 */
export function bindErrorWords({ code, port: number = 0 }: ListenError): Words {
  // As text: no language puts marks between a port's digits.
  const port = String(number);
  if (code === 'EADDRINUSE') return said('listen.taken', { port });
  return said(code === 'EACCES' ? 'listen.forbidden' : 'listen.failed', { port });
}

/**
 * Returns the message that partners are served nowhere, as another program took the previous port; with what
 * to do.
 */
export const noListenerWords = ({ port = 0 }: ListenError): Words =>
  said('listen.nowhere', { port: String(port) });
