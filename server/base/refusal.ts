import { english, type Words } from '../words/said.ts';

/** `http` maps them to statuses (docs/interface.md: Errors). */
export const REFUSAL_KINDS = [
  'malformed', // 400
  'unauthenticated', // 401
  'forbidden', // 403
  'not-found', // 404
  'conflict', // 409: state or uniqueness
  'gone', // 410: used, expired or withdrawn
  'too-large', // 413
  'impossible', // 422: understood but cannot be
  'too-many', // 429
  'busy', // 503: for a moment; ask again
  'partner-failed', // 502: the partner was unreachable, refused, or answered nonsense
] as const;
export type RefusalKind = (typeof REFUSAL_KINDS)[number];

export class Refusal extends Error {
  readonly kind: RefusalKind;
  /** Stable: `list.name-taken`, `invite.expired`. */
  readonly code: string;
  readonly words: Words;
  /** In seconds. */
  readonly retryAfter: number | undefined;

  /** `words` say what is wrong and what to do about it; a plain text is for scripts and partners only. */
  constructor(
    kind: RefusalKind,
    code: string,
    words: Words,
    options?: ErrorOptions & { retryAfter?: number },
  ) {
    super(english(words), options);
    this.name = 'Refusal';
    this.kind = kind;
    this.code = code;
    this.words = words;
    this.retryAfter = options?.retryAfter;
  }
}
