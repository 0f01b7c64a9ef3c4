import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { equalSecrets, tokenProof } from '../../base/hashes.ts';
import {
  ForeignProgramError,
  hasStatus,
  NoResponseError,
  ProtocolViolationError,
  RequestRefusedError,
  TokenRejectedError,
  WrongInstallationError,
} from '../guard/errors.ts';
import type { Exchange, Query } from './exchange.ts';
import type { Dialect } from '../../base/vocabulary.ts';

export interface Found {
  readonly baseURL: string;
  readonly footbridge: boolean;
  /** Undefined: something answers, but the first real exchange must show it. */
  readonly dialect?: Dialect;
}

const hello = z.object({ footbridge: z.number().int().positive(), proof: z.string().optional() });

/**
 * Returns the federation bases to try for a user's address, each once: as given if it ends in `/federation`, then usual
 * ones.
 */
export function candidateBases(baseURL: string): string[] {
  const given = baseURL.replace(/\/+$/, '');
  const { origin } = new URL(given);
  return [
    ...new Set([given, `${given}/federation`, `${origin}/api/federation`, `${origin}/federation`]),
  ].filter((base) => base.endsWith('/federation'));
}

/**
 * Feature detection: finds an address's federation base, and who answers there: a Footbridge by its greeting, a live
 * server by how it refuses strangers (status 200 and an error). Sends no credential. Throws PartnerError;
 * ProtocolViolationError if nothing speaks the interface.
 *
 * @param bases to try, in this order
 */
export async function probe(
  exchange: Exchange,
  bases: readonly string[],
  signal?: AbortSignal,
): Promise<Found> {
  let down: NoResponseError | undefined;
  for (const base of bases) {
    const at = exchange.withBaseURL(base);
    try {
      const isFootbridge = (await greet(at, {}, signal)) !== undefined;
      const found = isFootbridge ? { footbridge: true } : await probeByRefusal(at, signal);
      if (found) return { baseURL: base, ...found };
    } catch (error) {
      // Down here; it may be at another address.
      if (!(error instanceof NoResponseError)) throw error;
      down ??= error;
    }
  }
  if (down) throw down;
  throw new ProtocolViolationError('there is a server at this address, but none that shares lists.');
}

type FoundThere = Omit<Found, 'baseURL'>;

/**
 * Finds out, without sending a secret, whether who answers is the Footbridge that issued this token. Returns false for
 * an older version, which can't prove it. Throws WrongInstallationError for another Footbridge, ForeignProgramError for
 * another program, or another PartnerError.
 */
export async function isIssuer(exchange: Exchange, token: string): Promise<boolean> {
  const challenge = randomBytes(16).toString('hex');
  const unsigned = token.slice(0, Math.max(0, token.lastIndexOf('.')));
  const found = await greet(exchange, { token: unsigned, challenge });
  if (!found) throw new ForeignProgramError();
  if (found.proof === undefined) return false;
  if (equalSecrets(found.proof, tokenProof(token, 'answers a greeting', challenge))) return true;
  throw new WrongInstallationError();
}

/** Returns a Footbridge's answer to a greeting; undefined for any other answer. Throws errors that end the probing. */
async function greet(
  exchange: Exchange,
  query: Query,
  signal?: AbortSignal,
): Promise<z.infer<typeof hello> | undefined> {
  try {
    const { data } = await exchange.get('footbridge/hello', { query, token: null, signal });
    return hello.safeParse(data).data;
  } catch (error) {
    rethrowUnlessNotFound(error);
    return undefined;
  }
}

/**
 * Returns who refuses a stranger, as older servers have no greeting (a live server by status 200 and an error);
 * undefined for other refusals and web pages. Throws errors that end the probing.
 */
async function probeByRefusal(exchange: Exchange, signal?: AbortSignal): Promise<FoundThere | undefined> {
  try {
    await exchange.get('nodes/', { token: null, signal });
    return { footbridge: false };
  } catch (error) {
    if (error instanceof RequestRefusedError && error.status === 200)
      return { footbridge: false, dialect: 'live' };
    if (error instanceof TokenRejectedError || hasStatus(error, 401, 403)) return { footbridge: false };
    rethrowUnlessNotFound(error);
    return undefined;
  }
}

/** Returns for an error that means nothing is there, as a refusal or an HTML page; rethrows others. */
function rethrowUnlessNotFound(error: unknown): void {
  const isHTML =
    error instanceof ProtocolViolationError || (error instanceof NoResponseError && error.status < 500);
  if (isHTML || error instanceof RequestRefusedError || error instanceof TokenRejectedError) return;
  throw error;
}
