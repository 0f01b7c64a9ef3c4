import { extname, join, sep } from 'node:path';
import { isAppUrl } from '../security/navigation.ts';

/** File types of the window; others are not served. */
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
  /** Absolute, within the folder. */
  readonly file: string;
  readonly type: string;
}

/**
 * Returns the path of an app address, decoded once; undefined for a foreign address, and for an invalid, hidden or
 * ambiguous path.
 */
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
 * Returns the file of `folder` for an app address; undefined for anything outside, hidden, of an unknown type, or
 * ambiguous. Doesn't check that it exists.
 */
export function resolveAppFile(folder: string, address: string): AppFile | undefined {
  const path = plainPath(address);
  if (path === undefined) return undefined;
  const file = join(folder, path === '/' ? 'index.html' : path);
  if (!file.startsWith(folder.endsWith(sep) ? folder : folder + sep)) return undefined;
  const type = TYPES[extname(file)];
  return type === undefined ? undefined : { file, type };
}
