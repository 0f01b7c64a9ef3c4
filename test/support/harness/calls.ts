import { asPromised } from './answers.ts';

/**
 * One call of the window's API or the interface, with a body as JSON or a text as CSV; answers what stands under
 * `response`. @throws AppError; where the answer is not what the table of calls promises
 */
export type AppCall = <T = unknown>(method: string, path: string, body?: unknown) => Promise<T>;

/** An office that one can talk to, however it runs. */
export interface Spoken {
  readonly app: AppCall;
}

/** A call that was answered with an error. */
export class AppError extends Error {
  readonly status: number;
  constructor(status: number, text: string) {
    super(`${status} ${text}`);
    this.status = status;
  }
}

/** A request as it is to be sent, without what says who sends it. */
export interface Sent {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Calls by whatever sends them: by a token, in a window's session, to whoever of several is there. */
export function callsThrough(
  send: (path: string, sent: Sent) => Promise<{ status: number; text(): Promise<string> }>,
): AppCall {
  return async <T>(method: string, path: string, body?: unknown) => {
    const isCsv = typeof body === 'string';
    const type = isCsv ? 'text/csv' : 'application/json';
    const sent = body === undefined ? {} : { body: isCsv ? body : JSON.stringify(body) };
    const answer = await send(path, {
      method,
      headers: body === undefined ? {} : { 'content-type': type },
      ...sent,
    });
    const text = await answer.text();
    if (answer.status >= 400) throw new AppError(answer.status, text);
    return asPromised(method, path, text) as T;
  };
}

/** Calls at the address of a window by a token, made anew for each: a test may move the clock that its time is measured by. */
export function callsByToken(window: string, token: () => string): AppCall {
  const { origin } = new URL(window);
  return callsThrough((path, { method, headers, body }) =>
    fetch(origin + path, {
      method,
      headers: { authorization: `Bearer ${token()}`, ...headers },
      ...(body === undefined ? {} : { body }),
    }),
  );
}
