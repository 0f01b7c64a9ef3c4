import { NodeError } from '../api/http.ts';
import type { Translate } from '../text/catalogue.ts';

/** Malformed requests and missing rights have texts for scripts. */
const FOR_SCRIPTS = /^(?:window|request|auth|path|query|page|handshake|digest|row\.cursor)\b/;

type OwnWords =
  'error.no-answer' | 'error.not-loaded' | 'error.signed-out' | 'error.not-taken' | 'error.unknown';

/**
 * Returns the key of the window's own text for an error answer or none (status 0); undefined if the node's message is
 * for people.
 */
export function ownWords(status: number, code: string): OwnWords | undefined {
  if (status === 0) return code === 'window.not-saved' ? 'error.no-answer' : 'error.not-loaded';
  if (status === 401) return 'error.signed-out';
  if (code === 'request.too-large') return undefined;
  return FOR_SCRIPTS.test(code) ? (status < 500 ? 'error.not-taken' : 'error.unknown') : undefined;
}

/** Returns what happened and what to do, by the node's message or the window's own text. */
export function explain(problem: unknown, t: Translate): string {
  if (!(problem instanceof NodeError)) return t('error.unknown');
  const own = ownWords(problem.status, problem.code);
  return own === undefined ? problem.message : t(own);
}
