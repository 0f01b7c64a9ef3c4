import type { Answer, BodyGiven, CallName, Params, QueryGiven } from '../../server/contract/app/calls.ts';
import type { ErrorBody } from '../../server/contract/common.ts';

/** The node's error answer, or none (`status` 0); `explain` words it. */
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

type Asking<C extends CallName> = (keyof Params<C> extends never ? unknown : { params: Params<C> }) &
  (QueryGiven<C> extends undefined ? unknown : { query?: QueryGiven<C> }) &
  (BodyGiven<C> extends undefined ? unknown : { body: BodyGiven<C> }) & { signal?: AbortSignal | undefined };

type Given<C extends CallName> = object extends Asking<C> ? [asking?: Asking<C>] : [asking: Asking<C>];

/** Calls the window's node. Throws `NodeError` without a good answer, or the abort reason. */
export interface Http {
  call<C extends CallName>(name: C, ...given: Given<C>): Promise<Answer<C>>;
  upload<C extends CallName>(name: C, given: Upload, query?: QueryGiven<C>): Promise<Answer<C>>;
  /** Fetches the CSRF token early: a change must leave even while the page does. */
  prepareChanges(): void;
}

interface Upload {
  readonly file: Blob;
  readonly type: string;
  readonly signal?: AbortSignal;
}

interface HttpOptions {
  readonly fetch: typeof globalThis.fetch;
  /** Receives every answer's status; 0 without one. */
  readonly onStatus: (status: number) => void;
  readonly language: () => string;
}

/** Returns the path of a call such as `GET /app/lists/:m`, with encoded parameters. */
export function pathOf<C extends CallName>(name: C, params?: Params<C>): string {
  const values: Readonly<Record<string, string>> = params ?? {};
  const path = name.slice(name.indexOf(' ') + 1);
  return path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(values[key] ?? ''));
}

type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** Appends the query; leaves out undefined members, repeats the parameter for an array. */
function withQuery(path: string, query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) value.forEach((each) => search.append(name, String(each)));
    else if (value !== undefined) search.set(name, String(value));
  }
  return search.size > 0 ? `${path}?${search}` : path;
}

const methodOf = (name: CallName): string => name.slice(0, name.indexOf(' '));

/** Creates the client of the node's interface, which sends changes with the CSRF token. */
export function createHttp({ fetch, onStatus, language }: HttpOptions): Http {
  let csrfToken: Promise<string> | undefined;

  /** Returns the CSRF token, fetched once; after a failure, which is thrown, fetched again. */
  function token(): Promise<string> {
    csrfToken ??= fetchResponse<Answer<'GET /app/session'>>(
      pathOf('GET /app/session'),
      { method: 'GET' },
      'window.not-saved',
    ).then(
      (session) => session.csrfToken,
      (problem: unknown) => {
        csrfToken = undefined;
        throw problem;
      },
    );
    return csrfToken;
  }

  /** Sends a change, and once more with a new CSRF token if the first is refused. Throws like {@link Http}. */
  async function change<T>(path: string, init: RequestInit): Promise<T> {
    /** Sends the change once, with the CSRF token. */
    const attempt = async (): Promise<T> => {
      const headers = new Headers(init.headers);
      headers.set('x-csrf-token', await token());
      return fetchResponse<T>(path, { ...init, headers }, 'window.not-saved');
    };
    try {
      return await attempt();
    } catch (problem) {
      if (!(problem instanceof NodeError) || problem.code !== 'window.csrf') throw problem;
      csrfToken = undefined;
      return attempt();
    }
  }

  /**
   * Adds language and time zone, passes the status to `onStatus`, 0 without an answer, and returns the answer's
   * `response`. Throws like {@link Http}: after an abort its reason, without a status.
   * @param unanswered the error's code without an answer
   */
  async function fetchResponse<T>(
    path: string,
    init: RequestInit,
    unanswered: 'window.no-answer' | 'window.not-saved' = 'window.no-answer',
  ): Promise<T> {
    const headers = new Headers(init.headers);
    headers.set('accept', 'application/json');
    headers.set('accept-language', language());
    headers.set('x-time-zone', Intl.DateTimeFormat().resolvedOptions().timeZone);
    let response: Response;
    let body: unknown;
    try {
      response = await fetch(path, { ...init, headers, credentials: 'same-origin' });
      body = await readJson(response);
    } catch (cause) {
      if (init.signal?.aborted) throw cause;
      onStatus(0);
      throw new NodeError(0, unanswered, 'no answer');
    }
    onStatus(response.status);
    if (!response.ok) throw toNodeError(response.status, body);
    // Same version as the window; tests hold answers against the table of calls.
    return (body as { response: T } | undefined)?.response as T;
  }

  return {
    /** Calls the node; all calls but GET have the CSRF token. */
    call(name, ...[asking]) {
      const { params, query, body, signal }: Loosely = asking ?? {};
      const path = withQuery(pathOf(name, params as Params<typeof name>), query);
      const method = methodOf(name);
      if (method === 'GET') return fetchResponse(path, { method, ...(signal ? { signal } : {}) });
      const json = { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
      return change(path, { method, ...(body === undefined ? {} : json), ...(signal ? { signal } : {}) });
    },
    prepareChanges: () => void token().catch(() => undefined),
    upload: (name, { file, type, signal }, query) =>
      change(withQuery(pathOf(name), query), {
        method: methodOf(name),
        body: file,
        headers: { 'content-type': type },
        ...(signal ? { signal } : {}),
      }),
  };
}

interface Loosely {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Query;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** Returns the body as JSON; undefined if it is empty or no JSON. */
async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the answer's error; `window.unexpected` without one. */
function toNodeError(status: number, body: unknown): NodeError {
  const error = (body as Partial<ErrorBody> | undefined)?.error;
  return new NodeError(status, error?.code ?? 'window.unexpected', error?.message ?? `status ${status}`);
}
