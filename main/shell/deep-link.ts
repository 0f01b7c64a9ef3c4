import { routes, type Route } from '../window/routes.ts';
import type { ShellKey } from '../../server/words/messages.ts';
import { readFile, stat } from 'node:fs/promises';
import type { Electron } from '../electron.ts';
import type { LoginSituation } from './login-item.ts';

const LINK_SCHEMES = ['corteza', 'corteza+federation', 'footbridge'] as const;

/** Invites have about two hundred bytes. */
const MAX_LINK_BYTES = 8 * 1024;

/** Key of the text that explains the refusal. */
export type LinkRefusal = Exclude<Extract<ShellKey, `link.${string}`>, 'link.title' | 'link.file-title'>;

/** Links only open pages; they never act. */
type LinkTarget =
  { readonly kind: 'page'; readonly route: Route } | { readonly kind: 'refused'; readonly why: LinkRefusal };

export const refused = (why: LinkRefusal): LinkTarget => ({ kind: 'refused', why });

/** Returns whether a text begins with one of our URL schemes. */
export function isLink(text: string): boolean {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text.trim())?.[1]?.toLowerCase();
  return LINK_SCHEMES.some((known) => known === scheme);
}

/** Returns the invite that a link contains or is; undefined if a `footbridge:` link has none. */
function inviteOf(url: URL, text: string): string | undefined {
  if (url.protocol !== 'footbridge:') return text;
  const asked = (url.host === '' ? url.pathname : url.host).replace(/^\/+|\/+$/g, '');
  if (asked === 'pair') {
    const invite = url.searchParams.get('invite')?.trim() ?? '';
    return invite === '' ? undefined : invite;
  }
  const inner = text.slice('footbridge:'.length);
  return /^(https?|corteza|corteza\+federation):\/\//i.test(inner) ? inner : undefined;
}

/**
 * Returns the page for a link from outside: `corteza:` and `corteza+federation:` are invites,
 * `footbridge://pair?invite=…` and `footbridge:<invite>` contain one, `footbridge:open` shows Home. Refuses others, and
 * any above 8 KiB, with a reason. Never throws; doesn't check the invite.
 */
export function parseDeepLink(raw: string): LinkTarget {
  if (Buffer.byteLength(raw) > MAX_LINK_BYTES) return refused('link.too-long');
  // Lone surrogates, allowed on Windows only, fit into no address.
  const text = Buffer.from(raw).toString().trim();
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(text)) return refused('link.odd-characters');
  if (!isLink(text) || !URL.canParse(text)) return refused('link.unknown');
  const url = new URL(text);
  if (/^footbridge:(\/\/)?open\/?$/i.test(text)) return { kind: 'page', route: routes.home };
  const invite = inviteOf(url, text);
  if (invite === undefined) return refused('link.nowhere');
  return { kind: 'page', route: routes.addPartner(invite) };
}

export const INVITE_FILE = /\.footbridge$/i;

/**
 * Returns the page for an invite file's content of at most 8 KiB: a link by {@link parseDeepLink}, or one http or https
 * address, perhaps in quotes, as an invite. Refuses others with a reason. Never throws.
 */
export function parseInviteFile(content: string): LinkTarget {
  if (Buffer.byteLength(content) > MAX_LINK_BYTES) return refused('link.file-too-large');
  const text = content.replace(/^\uFEFF/, '').trim();
  if (isLink(text)) return parseDeepLink(text);
  if (!/^["']?https?:\/\/\S+$/i.test(text)) return refused('link.file-without');
  return { kind: 'page', route: routes.addPartner(text) };
}

/** Registers our URL schemes on Windows, unless run from the sources; elsewhere the package does. */
export function registerLinks(
  { app }: Electron<'app'>,
  { packaged, platform }: Pick<LoginSituation, 'packaged' | 'platform'>,
): void {
  if (!packaged || platform !== 'win32') return;
  for (const scheme of LINK_SCHEMES) app.setAsDefaultProtocolClient(scheme);
}

/** Returns the target of an invite file; a refusal for one above 64 KiB or unreadable. */
async function readInviteFile(file: string): Promise<LinkTarget> {
  try {
    const info = await stat(file);
    if (!info.isFile() || info.size > 64 * 1024) return refused('link.file-too-large');
    return parseInviteFile(await readFile(file, 'utf8'));
  } catch {
    return refused('link.file-unreadable');
  }
}

/** Returns the page, or the refusal, for a start's link or else invite file; undefined without either. */
export async function linkTargetOf({
  link,
  file,
}: {
  readonly link?: string | undefined;
  readonly file?: string | undefined;
}): Promise<LinkTarget | undefined> {
  if (link !== undefined) return parseDeepLink(link);
  return file === undefined ? undefined : readInviteFile(file);
}
