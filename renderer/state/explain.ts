import { NodeError } from '../api/http.ts';
import type { Translate } from '../text/catalogue.ts';

/**
 * What the window says itself, since the node's text is meant for scripts: a request that does not have the
 * form it must have, an address or a page that does not exist, a right that is missing.
 */
const FOR_SCRIPTS = /^(?:window|request|auth|path|query|page|handshake|digest|row\.cursor)\b/;

type OwnWords = 'error.no-answer' | 'error.signed-out' | 'error.not-taken' | 'error.unknown';

/** The text for an answer that was not a success; undefined where the node's own sentence is to be shown. */
export function ownWords(status: number, code: string): OwnWords | undefined {
  if (status === 0) return 'error.no-answer';
  if (status === 401) return 'error.signed-out';
  if (code === 'request.too-large') return undefined;
  return FOR_SCRIPTS.test(code) ? (status < 500 ? 'error.not-taken' : 'error.unknown') : undefined;
}

/** The words for anything that went wrong: what it is and what to do about it. */
export function explain(problem: unknown, t: Translate): string {
  if (!(problem instanceof NodeError)) return t('error.unknown');
  const own = ownWords(problem.status, problem.code);
  return own === undefined ? problem.message : t(own);
}
