import type { Request } from 'express';
import { LANGUAGES, speak, type Language, type Words } from '../words/said.ts';

/** The language that the window asks for; English for everybody else. */
export function languageOf(req: Pick<Request, 'get'>): Language {
  const wanted = req.get('accept-language')?.slice(0, 2).toLowerCase();
  return LANGUAGES.find((language) => language === wanted) ?? 'en';
}

/** Turns sentences into text in the language of whoever asks. */
export type Say = (words: Words) => string;

export const sayer =
  (language: Language): Say =>
  (words) =>
    speak(words, language);

export const sayerFor = (req: Pick<Request, 'get'>): Say => sayer(languageOf(req));
