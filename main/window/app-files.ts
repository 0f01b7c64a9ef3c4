import { extname, join, sep } from 'node:path';
import { isAppUrl } from '../security/navigation.ts';

/** What the window consists of; a file of any other kind is not served. */
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

export interface AppFile {
  /** Absolute, and inside the folder. */
  readonly file: string;
  readonly type: string;
}

/** The path of an address inside the app, decoded once; undefined where it could mean more than one thing. */
function plainPath(address: string): string | undefined {
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
 * Which file of `folder` an address of the app means; undefined for anything outside it, hidden, of an
 * unknown kind, or written in a way that could be read twice.
 */
export function resolveAppFile(folder: string, address: string): AppFile | undefined {
  const path = plainPath(address);
  if (path === undefined) return undefined;
  const file = join(folder, path === '/' ? 'index.html' : path);
  if (!file.startsWith(folder.endsWith(sep) ? folder : folder + sep)) return undefined;
  const type = TYPES[extname(file)];
  return type === undefined ? undefined : { file, type };
}
