import { ProtocolViolationError, PartnerUnreachableError, type PartnerError } from '../guard/errors.ts';
import { RouteError, type RouteProblem } from '../../routes/route-error.ts';
import { said, type Said } from '../../words/said.ts';

/** Codes of Node, OpenSSL and undici, in an office worker's words. */
const TEXTS: Readonly<Record<string, [PartnerUnreachableError['why'], Said]>> = {
  ENOTFOUND: ['name', said('peer.no-such-host')],
  EAI_AGAIN: ['name', said('peer.no-lookup')],
  ECONNREFUSED: ['refused', said('peer.nothing-listens')],
  ECONNRESET: ['cut', said('peer.cut')],
  EPIPE: ['cut', said('peer.cut')],
  UND_ERR_SOCKET: ['cut', said('peer.cut')],
  ETIMEDOUT: ['timeout', said('peer.silent')],
  UND_ERR_CONNECT_TIMEOUT: ['timeout', said('peer.silent')],
  UND_ERR_HEADERS_TIMEOUT: ['timeout', said('peer.too-slow')],
  UND_ERR_BODY_TIMEOUT: ['timeout', said('peer.too-slow')],
  EHOSTUNREACH: ['network', said('peer.no-way')],
  ENETUNREACH: ['network', said('peer.offline')],
  EPROTO: ['certificate', said('peer.not-encrypted')],
  ERR_SSL_WRONG_VERSION_NUMBER: ['certificate', said('peer.not-encrypted')],
  CERT_HAS_EXPIRED: ['certificate', said('peer.certificate-expired')],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['certificate', said('peer.certificate-self-signed')],
  SELF_SIGNED_CERT_IN_CHAIN: ['certificate', said('peer.certificate-unknown')],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ['certificate', said('peer.certificate-unknown')],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ['certificate', said('peer.certificate-unknown')],
  ERR_TLS_CERT_ALTNAME_INVALID: ['certificate', said('peer.certificate-other-address')],
};

/** Codes of an answer that isn't HTTP, or has excessive headers. */
const FAULTS: Readonly<Record<string, string>> = {
  UND_ERR_HEADERS_OVERFLOW: 'its headers are too large.',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'its length is not what was announced.',
};

/** Returns the words for a problem of a relay or proxy. */
function relayWords(problem: RouteProblem): Said {
  if (problem === 'absent' || problem === 'no-answer') return said('peer.not-at-relay');
  if (problem === 'proxy-login') return said('peer.proxy-login');
  if (problem === 'proxy') return said('peer.proxy-refuses');
  // A down relay's reverse proxy says so too.
  if (problem === 'busy') return said('peer.relay-busy');
  // `aborted`: all routes' time was over first.
  if (['name', 'network', 'timeout', 'aborted'].includes(problem)) return said('peer.relay-silent');
  return said('peer.relay-refuses');
}

/**
 * Returns an error of Node, undici or the routes as PartnerUnreachableError; ProtocolViolationError for no HTTP. An
 * unknown error counts as `network`.
 */
export function toPartnerError(error: unknown): PartnerError {
  if (error instanceof RouteError)
    return new PartnerUnreachableError('refused', relayWords(error.problem), { cause: error });
  const code = errorCodeOf(error);
  const text = TEXTS[code];
  if (text) return new PartnerUnreachableError(text[0], text[1], { cause: error });
  const fault = FAULTS[code] ?? (code.startsWith('HPE_') ? 'it is not HTTP.' : undefined);
  if (fault !== undefined) return new ProtocolViolationError(fault, { cause: error });
  return new PartnerUnreachableError('network', said('peer.unreachable'), { cause: error });
}

/** Returns whether the other end, or somebody in between, closed the connection. */
export const isCut = (error: unknown): boolean => TEXTS[errorCodeOf(error)]?.[0] === 'cut';

/**
 * Returns an error's code, of several errors the first one's, of a wrapped one its cause's; '' without one. A time-out
 * of an open connection counts as `ECONNRESET`.
 */
function errorCodeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  // The system gave up on an open connection.
  if ('code' in error && error.code === 'ETIMEDOUT' && 'syscall' in error && error.syscall !== 'connect')
    return 'ECONNRESET';
  if ('code' in error && typeof error.code === 'string' && error.code !== '') return error.code;
  if ('errors' in error && Array.isArray(error.errors)) return errorCodeOf(error.errors[0]);
  return 'cause' in error ? errorCodeOf(error.cause) : '';
}
