import { accept, refuse, type Checked } from './checked.ts';
import { said } from '../../../words/said.ts';

/** One @ between texts without blanks or control characters; deliverability is unknown. */
const EMAIL = /^[^\s@<>"(),;\p{Cc}]+@[^\s@<>"(),;\p{Cc}]+$/u;

/** Accepts an email address of up to 320 characters, trimmed, otherwise as written. */
export function checkEmail(text: string): Checked {
  const trimmed = text.trim();
  return trimmed.length <= 320 && EMAIL.test(trimmed) ? accept(trimmed) : refuse(said('value.no-email'));
}

/** Safe to click; others (javascript:, file:) could act on this computer. */
const SCHEMES = new Set(['http:', 'https:', 'ftp:', 'mailto:', 'tel:']);

/**
 * Checks a Url, trimmed, with `https://` if it has no scheme; its host needs a dot then. Refuses schemes that a click
 * mustn't follow, blanks, and more than 8,192 characters.
 */
export function checkUrl(text: string): Checked {
  const trimmed = text.trim();
  const full = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(trimmed) ? trimmed : `https://${trimmed}`;
  if (trimmed.length > 8192 || /[\s\p{Cc}]/u.test(trimmed) || !URL.canParse(full)) {
    return refuse(said('value.no-web-address'));
  }
  const { protocol, hostname } = new URL(full);
  if (!SCHEMES.has(protocol)) return refuse(said('value.bad-scheme', { scheme: protocol }));
  if (full !== trimmed && !hostname.includes('.')) {
    return refuse(said('value.no-web-address'));
  }
  return accept(full);
}
