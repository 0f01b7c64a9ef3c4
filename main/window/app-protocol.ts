import { readFile } from 'node:fs/promises';
import { resolveAppFile } from './app-files.ts';
import { SECURITY_HEADERS } from '../security/content-policy.ts';
import { isAppUrl } from '../security/navigation.ts';
import type { WindowSession } from './window-session.ts';

/**
 * Headers of a page's request that are passed on; others, above all cookies and origins, are not the page's
 * to set.
 */
const PASSED_ON = [
  'accept',
  'accept-language',
  'x-time-zone',
  'content-type',
  'last-event-id',
  'x-csrf-token',
  'if-none-match',
  'range',
];

/** Headers about the connection or a decoded encoding, not about the answer. */
const NOT_PASSED_BACK = [
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-encoding',
  'content-length',
  'set-cookie',
  'strict-transport-security',
];

const NODE_PATH = /^\/(app|federation|compose)\/|^\/openapi\.json$/;

/** Returns a plain text answer with the security headers. */
const textAnswer = (status: number, text: string): Response =>
  new Response(text, {
    status,
    headers: { ...SECURITY_HEADERS, 'Content-Type': 'text/plain; charset=utf-8' },
  });

/**
 * Sends a page's request to the node through the signed-in session and returns its streamed answer, with the
 * security headers and only harmless headers in both directions. Throws network errors.
 */
async function forward(request: Request, path: string, session: WindowSession): Promise<Response> {
  const headers = new Headers();
  for (const name of PASSED_ON) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  const init: RequestInit & { duplex?: 'half' } = { method: request.method, headers, signal: request.signal };
  if (request.body) {
    init.body = request.body;
    init.duplex = 'half';
  }
  const answer = await session.fetch(path, init);
  const back = new Headers(answer.headers);
  for (const name of NOT_PASSED_BACK) back.delete(name);
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) back.set(name, value);
  return new Response(answer.body, { status: answer.status, headers: back });
}

/**
 * Returns the handler of `app://footbridge`: serves the window's files from `folder`, and the node's interface
 * through the signed-in session, so that the page has one origin and no credential. Answers 403 to foreign
 * addresses, 404 to unknown files, and 503 while the node is starting.
 */
export function createAppProtocol(deps: {
  folder: string;
  session: WindowSession;
}): (request: Request) => Promise<Response> {
  return async (request) => {
    if (!isAppUrl(request.url)) return textAnswer(403, 'This address does not belong to Footbridge.');
    const { pathname, search } = new URL(request.url);
    if (NODE_PATH.test(pathname)) {
      try {
        return await forward(request, pathname + search, deps.session);
      } catch {
        const message = 'Footbridge is starting again. This takes a moment.';
        return Response.json(
          { error: { code: 'node.unreachable', message } },
          { status: 503, headers: SECURITY_HEADERS },
        );
      }
    }
    const found = request.method === 'GET' ? resolveAppFile(deps.folder, request.url) : undefined;
    if (!found) return textAnswer(404, 'There is no such page.');
    try {
      const content = await readFile(found.file);
      return new Response(content, { headers: { ...SECURITY_HEADERS, 'Content-Type': found.type } });
    } catch {
      return textAnswer(404, 'There is no such page.');
    }
  };
}
