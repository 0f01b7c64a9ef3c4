import { readFile } from 'node:fs/promises';
import { isAppUrl } from '../security/navigation.ts';
import type { WindowSession } from './window-session.ts';
import { extname, join, sep } from 'node:path';

/** The page may set these; no cookies and origins. */
const FORWARDED_HEADERS = [
  'accept',
  'accept-language',
  'x-time-zone',
  'content-type',
  'last-event-id',
  'x-csrf-token',
  'if-none-match',
  'range',
];

/** Headers of the connection or of a decoded encoding, and those that aren't for the page. */
const DROPPED_HEADERS = [
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-encoding',
  'content-length',
  'set-cookie',
  'strict-transport-security',
];

const NODE_PATH = /^\/(app|federation|compose)\/|^\/openapi\.json$/;

/** Returns a plain text response with the security headers. */
const textResponse = (status: number, text: string): Response =>
  new Response(text, {
    status,
    headers: { ...SECURITY_HEADERS, 'Content-Type': 'text/plain; charset=utf-8' },
  });

/**
 * Sends a page's request through the signed-in session and returns the streamed answer. Only harmless headers pass
 * either way; security headers are added. Throws network errors.
 */
async function forwardToNode(request: Request, path: string, session: WindowSession): Promise<Response> {
  const headers = new Headers();
  for (const name of FORWARDED_HEADERS) {
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
  for (const name of DROPPED_HEADERS) back.delete(name);
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) back.set(name, value);
  return new Response(answer.body, { status: answer.status, headers: back });
}

/**
 * Returns the handler of `app://footbridge`: the window's files from `folder`, and the node's interface through the
 * signed-in session. It answers 403 to foreign addresses, 404 for a missing file and any file but by GET, and 503
 * while the node can't be reached.
 */
export function createAppProtocol(deps: {
  folder: string;
  session: WindowSession;
}): (request: Request) => Promise<Response> {
  return async (request) => {
    if (!isAppUrl(request.url)) return textResponse(403, 'This address does not belong to Footbridge.');
    const { pathname, search } = new URL(request.url);
    if (NODE_PATH.test(pathname)) {
      try {
        return await forwardToNode(request, pathname + search, deps.session);
      } catch {
        const message = 'Footbridge is starting again. This takes a moment.';
        return Response.json(
          { error: { code: 'node.unreachable', message } },
          { status: 503, headers: SECURITY_HEADERS },
        );
      }
    }
    const found = request.method === 'GET' ? resolveAppFile(deps.folder, request.url) : undefined;
    if (!found) return textResponse(404, 'There is no such page.');
    try {
      const content = await readFile(found.file);
      return new Response(content, { headers: { ...SECURITY_HEADERS, 'Content-Type': found.type } });
    } catch {
      return textResponse(404, 'There is no such page.');
    }
  };
}

/** Own origin only; no inline script or style, no framing. */
const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': CONTENT_POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), usb=(), serial=(), hid=(), payment=()',
};

/** Others aren't served. */
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
};

interface AppFile {
  /** Absolute, within the folder. */
  readonly file: string;
  readonly type: string;
}

/**
 * Returns the decoded path of an app address. Undefined for another scheme or host, invalid escapes, hidden segments,
 * and characters that could leave the folder (path traversal guard).
 */
function decodeAppPath(address: string): string | undefined {
  if (!isAppUrl(address)) return undefined;
  let path: string;
  try {
    path = decodeURIComponent(new URL(address).pathname);
  } catch {
    return undefined;
  }
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u001f\\:%]/.test(path)) return undefined;
  const parts = path.split('/').slice(1);
  return parts.some((part) => part === '..' || part === '.' || part.startsWith('.')) ? undefined : path;
}

/**
 * Returns the file below `folder` for an app address, `index.html` for its root, maybe missing; undefined if outside,
 * hidden or of unknown type.
 */
export function resolveAppFile(folder: string, address: string): AppFile | undefined {
  const path = decodeAppPath(address);
  if (path === undefined) return undefined;
  const file = join(folder, path === '/' ? 'index.html' : path);
  if (!file.startsWith(folder.endsWith(sep) ? folder : folder + sep)) return undefined;
  const type = TYPES[extname(file)];
  return type === undefined ? undefined : { file, type };
}
