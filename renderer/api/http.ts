import type { SessionAnswer } from '../../server/contract/app/overview.ts';
import type { ErrorBody } from '../../server/contract/common.ts';

/** An answer of the node that is not a success, or no answer at all (`status` 0). `explain` has the words for it. */
export class NodeError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = 'NodeError';
    this.status = status;
    this.code = code;
  }
}

export type Query = Record<string, string | number | boolean | undefined>;

/** Talks to the node that served this window. Every call throws `NodeError` if it does not succeed. */
export interface Http {
  get<T>(path: string, query?: Query, signal?: AbortSignal): Promise<T>;
  send<T>(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<T>;
  /** Sends a file as it is. */
  upload<T>(path: string, file: Blob, type: string, query?: Query): Promise<T>;
}

export interface HttpOptions {
  readonly fetch: typeof globalThis.fetch;
  /** Told of the status of every answer, 0 if there was none. */
  readonly onStatus: (status: number) => void;
  /** The language that plain-word messages should come in. */
  readonly language: () => string;
}

/** `path?query`, leaving out what is undefined. */
function withQuery(path: string, query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value));
  }
  return search.size > 0 ? `${path}?${search}` : path;
}

export function createHttp({ fetch, onStatus, language }: HttpOptions): Http {
  let csrfToken: Promise<string> | undefined;

  /** The session's token; asked for anew after a failure. */
  function token(): Promise<string> {
    csrfToken ??= ask<SessionAnswer>('/app/session', { method: 'GET' }).then(
      (session) => session.csrfToken,
      (problem: unknown) => {
        csrfToken = undefined;
        throw problem;
      },
    );
    return csrfToken;
  }

  /** What changes something carries the token. The session may be another one by now: then once more with its token. */
  async function change<T>(path: string, init: RequestInit): Promise<T> {
    const attempt = async (): Promise<T> => {
      const headers = new Headers(init.headers);
      headers.set('x-csrf-token', await token());
      return ask<T>(path, { ...init, headers });
    };
    try {
      return await attempt();
    } catch (problem) {
      if (!(problem instanceof NodeError) || problem.code !== 'window.csrf') throw problem;
      csrfToken = undefined;
      return attempt();
    }
  }

  async function ask<T>(path: string, init: RequestInit): Promise<T> {
    const headers = new Headers(init.headers);
    headers.set('accept', 'application/json');
    headers.set('accept-language', language());
    let response: Response;
    try {
      response = await fetch(path, { ...init, headers, credentials: 'same-origin' });
    } catch (cause) {
      if (init.signal?.aborted) throw cause;
      onStatus(0);
      throw new NodeError(0, 'window.no-answer', 'no answer');
    }
    onStatus(response.status);
    const body = await readJson(response);
    if (!response.ok) throw toError(response.status, body);
    // The node is the same program as this window and checks what it sends against the same contract.
    return (body as { response: T } | undefined)?.response as T;
  }

  return {
    get: (path, query, signal) =>
      ask(withQuery(path, query), { method: 'GET', ...(signal ? { signal } : {}) }),
    send: (method, path, body) =>
      change(path, {
        method,
        ...(body === undefined
          ? {}
          : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      }),
    upload: (path, file, type, query) =>
      change(withQuery(path, query), { method: 'POST', body: file, headers: { 'content-type': type } }),
  };
}

async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function toError(status: number, body: unknown): NodeError {
  const error = (body as Partial<ErrorBody> | undefined)?.error;
  return new NodeError(status, error?.code ?? 'window.unexpected', error?.message ?? `status ${status}`);
}
