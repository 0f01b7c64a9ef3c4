import { routes, type Route } from '../window/routes.ts';
import type { ShellKey } from '../../server/words/messages.ts';

/** The URL schemes registered for this app. */
export const LINK_SCHEMES = ['corteza', 'corteza+federation', 'footbridge'] as const;

/** An invite has about two hundred bytes; anything much longer isn't one. */
const MAX_LINK_BYTES = 8 * 1024;

/** Why a link is refused; the key of the text that says so. */
export type LinkRefusal = Exclude<Extract<ShellKey, `link.${string}`>, 'link.title' | 'link.file-title'>;

/** The target of a link. A link only opens a page; it never acts. */
export type LinkTarget =
  { readonly kind: 'page'; readonly route: Route } | { readonly kind: 'refused'; readonly why: LinkRefusal };

/** Returns the target of a refused link, with the reason. */
export const refused = (why: LinkRefusal): LinkTarget => ({ kind: 'refused', why });

/** Returns whether a text begins with one of our URL schemes, however long or wrong it is. */
export function isLink(text: string): boolean {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text.trim())?.[1]?.toLowerCase();
  return LINK_SCHEMES.some((known) => known === scheme);
}

/** Returns the invite in a link; undefined if it has none. */
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
 * Returns the window's page for a link from outside: `corteza:` and `corteza+federation:` are invites,
 * `footbridge://pair?invite=…` and `footbridge:<invite>` contain one, `footbridge:open` shows Home. Never throws;
 * other links are refused with a reason.
 */
export function parseDeepLink(raw: string): LinkTarget {
  if (Buffer.byteLength(raw) > MAX_LINK_BYTES) return refused('link.too-long');
  // A lone surrogate, which only Windows allows, fits into no address.
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

/** Extension of invite files, which open in the app. */
export const INVITE_FILE = /\.footbridge$/i;

/**
 * Returns the pairing page for an invite file: one invite, perhaps with blank lines or quotes around it. Never
 * throws; other content is refused with a reason.
 */
export function parseInviteFile(content: string): LinkTarget {
  if (Buffer.byteLength(content) > MAX_LINK_BYTES) return refused('link.file-too-large');
  const text = content.replace(/^\uFEFF/, '').trim();
  if (isLink(text)) return parseDeepLink(text);
  if (!/^["']?https?:\/\/\S+$/i.test(text)) return refused('link.file-without');
  return { kind: 'page', route: routes.addPartner(text) };
}
