import { PartnerFaulty, PartnerUnreachable, type PartnerError } from '../guard/errors.ts';
import { said, type Said } from '../../words/said.ts';

/** Error codes of Node, OpenSSL and undici, and what they mean to an office worker. */
const TEXTS: Readonly<Record<string, [PartnerUnreachable['why'], Said]>> = {
  ENOTFOUND: [
    'name',
    said`The partner’s address does not exist, or this computer is not online. Check that you are online, then ask them for their address.`,
  ],
  EAI_AGAIN: ['name', said`The partner’s address cannot be looked up. Check that this computer is online.`],
  ECONNREFUSED: [
    'refused',
    said`The partner’s computer is there but Footbridge does not answer on it. Ask them to start it.`,
  ],
  ECONNRESET: ['cut', said`The connection to the partner was cut. Check that both of you are online.`],
  EPIPE: ['cut', said`The connection to the partner was cut. Check that both of you are online.`],
  UND_ERR_SOCKET: ['cut', said`The connection to the partner was cut. Check that both of you are online.`],
  ETIMEDOUT: ['timeout', said`The partner’s computer does not answer. Ask them whether it is switched on.`],
  UND_ERR_CONNECT_TIMEOUT: [
    'timeout',
    said`The partner’s computer does not answer. Ask them whether it is switched on.`,
  ],
  UND_ERR_HEADERS_TIMEOUT: [
    'timeout',
    said`The partner took too long to answer. Ask them whether their computer is busy or asleep.`,
  ],
  UND_ERR_BODY_TIMEOUT: [
    'timeout',
    said`The partner took too long to answer. Ask them whether their computer is busy or asleep.`,
  ],
  EHOSTUNREACH: [
    'network',
    said`There is no way from here to the partner’s computer. Check that both of you are online.`,
  ],
  ENETUNREACH: ['network', said`This computer is not online. Check its network connection.`],
  EPROTO: [
    'certificate',
    said`The partner’s address is not an encrypted one; try http:// instead of https://.`,
  ],
  ERR_SSL_WRONG_VERSION_NUMBER: [
    'certificate',
    said`The partner’s address is not an encrypted one; try http:// instead of https://.`,
  ],
  CERT_HAS_EXPIRED: ['certificate', said`The partner’s certificate has expired. Ask them to renew it.`],
  DEPTH_ZERO_SELF_SIGNED_CERT: [
    'certificate',
    said`The partner’s certificate is not vouched for by anybody. Ask for a new invite, which carries its fingerprint.`,
  ],
  SELF_SIGNED_CERT_IN_CHAIN: [
    'certificate',
    said`The partner’s certificate comes from an unknown authority. Ask for a new invite, which carries its fingerprint.`,
  ],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: [
    'certificate',
    said`The partner’s certificate comes from an unknown authority. Ask for a new invite, which carries its fingerprint.`,
  ],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: [
    'certificate',
    said`The partner’s certificate comes from an unknown authority. Ask for a new invite, which carries its fingerprint.`,
  ],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    'certificate',
    said`The partner’s certificate is for another address. Ask them for their right address.`,
  ],
};

/** Answers that are not HTTP at all, or whose headers are out of bounds. */
const FAULTS: Readonly<Record<string, string>> = {
  UND_ERR_HEADERS_OVERFLOW: 'its headers are too large.',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'its length is not what was announced.',
};

/** Translates what Node and undici throw into words that help. Unknown errors count as a broken connection. */
export function unreachable(error: unknown): PartnerError {
  const code = codeOf(error);
  const text = TEXTS[code];
  if (text) return new PartnerUnreachable(text[0], text[1], { cause: error });
  const fault = FAULTS[code] ?? (code.startsWith('HPE_') ? 'it is not HTTP.' : undefined);
  if (fault !== undefined) return new PartnerFaulty(fault, { cause: error });
  return new PartnerUnreachable(
    'network',
    said`The partner cannot be reached. Ask them whether their computer is on.`,
    { cause: error },
  );
}

/** The code of the error or, for several tried addresses at once, of the first of them. */
function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  if ('code' in error && typeof error.code === 'string' && error.code !== '') return error.code;
  if ('errors' in error && Array.isArray(error.errors)) return codeOf(error.errors[0]);
  return 'cause' in error ? codeOf(error.cause) : '';
}
