import { inspect } from 'node:util';
import { ListenError } from '../../server/http/listeners/listen.ts';
import { StoreError } from '../../server/store/store.ts';
import { stackWithCauses } from '../shell/crash-report.ts';
import type { Failure } from './messages.ts';

/** Converts any thrown value to a message for the other process, with stack and causes. */
export function packFailure(error: unknown): Failure {
  const message = error instanceof Error ? error.message : inspect(error, { depth: 2 });
  const about = { message, stack: stackWithCauses(error) };
  if (error instanceof StoreError) return { kind: 'store', code: error.code, words: error.words, ...about };
  return { kind: error instanceof ListenError ? 'listen' : 'other', ...about };
}

/** Restores the other process's error: type, message and stack, with its causes as text. */
export function unpackFailure(failure: Failure): Error {
  return Object.assign(createError(failure), { stack: failure.stack });
}

/** Returns an error of the failure's kind with its message, without its stack. */
function createError(failure: Failure): Error {
  switch (failure.kind) {
    case 'store':
      return new StoreError(failure.code, failure.words);
    case 'listen':
      return new ListenError(failure.message);
    case 'other':
      return new Error(failure.message);
  }
}
