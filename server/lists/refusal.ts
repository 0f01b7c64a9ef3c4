/**
 * What a service says when it will not do what it was asked. `http` turns the kind into a status
 * (design §5, envelope); the command line prints the message.
 */
export type RefusalKind =
  | 'malformed' // 400
  | 'unauthenticated' // 401
  | 'forbidden' // 403
  | 'not-found' // 404
  | 'conflict' // 409: state or uniqueness
  | 'gone' // 410: used, expired or withdrawn
  | 'too-large' // 413
  | 'impossible' // 422: understood but cannot be
  | 'too-many' // 429
  | 'partner-failed'; // 502: the partner could not be reached, refused, or answered nonsense

export class Refusal extends Error {
  readonly kind: RefusalKind;
  /** Stable and machine-readable, in dotted words: `list.name-taken`, `invite.expired`. */
  readonly code: string;

  /** @param message plain words that say what is wrong and what to do about it */
  constructor(kind: RefusalKind, code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'Refusal';
    this.kind = kind;
    this.code = code;
  }
}
