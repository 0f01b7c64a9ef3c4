import type { Request } from 'express';
import { LANGUAGES, type Language } from '../../base/vocabulary.ts';
import { sayer, type Say } from '../../words/said.ts';

/** The language that the window asks for; English for everybody else. */
export function languageOf(req: Pick<Request, 'get'>): Language {
  const wanted = req.get('accept-language')?.slice(0, 2).toLowerCase();
  return LANGUAGES.find((language) => language === wanted) ?? 'en';
}

/** The same with its region, which decides how times are written; the window names its own. */
export function regionOf(req: Pick<Request, 'get'>): string {
  const language = languageOf(req);
  const [tag = ''] = (req.get('accept-language') ?? '').split(/[,;]/, 1);
  return /^[a-z]{2}-[A-Z]{2}$/.test(tag) && tag.startsWith(language) ? tag : language;
}

export const sayerFor = (req: Pick<Request, 'get'>): Say => sayer(languageOf(req), regionOf(req));
