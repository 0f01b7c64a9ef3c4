import type { Request } from 'express';
import { LANGUAGES, type Language } from '../../base/vocabulary.ts';
import { createSay, type Locale, type Say } from '../../words/said.ts';

/** Returns the first of `Accept-Language` that we have, else English. */
export function languageOf(req: Pick<Request, 'get'>): Language {
  return preferredLanguage(req).language;
}

const REGIONS = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
const ZONES = new Set(Intl.supportedValuesOf('timeZone'));

/** Returns the request's language with region, and the window's time zone, as far as they exist. */
export function localeOf(req: Pick<Request, 'get'>): Locale {
  const { language, tag } = preferredLanguage(req);
  const [, code] = /^[a-z]{2}-([A-Z]{2}|\d{3})$/.exec(tag) ?? [];
  const region = code !== undefined && REGIONS.of(code) !== undefined ? tag : language;
  const zone = req.get('x-time-zone') ?? '';
  return { region, ...(ZONES.has(zone) || zone === 'UTC' ? { zone } : {}) };
}

export const sayerFor = (req: Pick<Request, 'get'>): Say => createSay(languageOf(req), localeOf(req));

/** Returns the first of `Accept-Language` that we have, with its tag; English with an empty tag if none. */
function preferredLanguage(req: Pick<Request, 'get'>): { readonly language: Language; readonly tag: string } {
  for (const each of (req.get('accept-language') ?? '').split(',')) {
    const [tag = ''] = each.trim().split(';', 1);
    const [base] = tag.toLowerCase().split('-', 1);
    const language = LANGUAGES.find((ours) => ours === base);
    if (language) return { language, tag };
  }
  return { language: 'en', tag: '' };
}
