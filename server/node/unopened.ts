import type { ListenError } from '../http/listeners/listen.ts';
import { said, type Words } from '../words/said.ts';

/** That partners are served where they were, as what the user set could not be opened; with what to do. */
export function unopenedWords({ code, port: number = 0 }: ListenError): Words {
  // As a text: no language sets marks between the digits of a port.
  const port = String(number);
  if (code === 'EADDRINUSE') return said('listen.taken', { port });
  return said(code === 'EACCES' ? 'listen.forbidden' : 'listen.failed', { port });
}

/** That partners are served nowhere, as where they were was taken by another program meanwhile; with what to do. */
export const unreachableWords = ({ port = 0 }: ListenError): Words =>
  said('listen.nowhere', { port: String(port) });
