import { german } from './de/index.ts';

/** The languages that the node speaks to people. English stands in the code; the others in this folder. */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/**
 * A sentence for people, kept apart from what fills it, so that it can be said in the language of whoever
 * asks, long after it was written down. `say` is the English text with `{0}`, `{1}` … where parts go, and what
 * translations are found by. Plain data: it is stored and given on as it is.
 */
export interface Said {
  readonly say: string;
  readonly with: readonly Part[];
}
export type Part = string | number | Said | Moment;

/** A time in a sentence, written as the language writes it: ISO 8601, and whether the day is said as well. */
export interface Moment {
  readonly at: string;
  readonly day: boolean;
}

/** A time to be said: with its day where that is not today's, by this computer's calendar. */
export function moment(at: string, now: number): Moment {
  return { at, day: new Date(at).toDateString() !== new Date(now).toDateString() };
}

/** A sentence, or a text that is nobody's to translate: a partner's own words, or what an older version stored. */
export type Words = Said | string;

/** Writes a sentence: said`There is no list called “${name}”.` A test sees to it that it has its translations. */
export function said(pieces: TemplateStringsArray, ...parts: readonly Part[]): Said {
  const say = pieces.reduce((text, piece, index) => `${text}{${index - 1}}${piece}`);
  return { say, with: parts };
}

/** A whole sentence that arrives as English text, from where no sentence can be made (the store, below this folder). */
export const verbatim = (text: string): Said => ({ say: text, with: [] });

/** The one sentence for one of something, the other for none or several. */
export function counted(count: number, one: Said, several: Said): Said {
  return count === 1 ? one : several;
}

/** Sentences one after the other, with `between` between them. */
export function joined(all: readonly Words[], between: string): Words {
  return all.reduce((before, next) => said`${before}${between}${next}`);
}

/**
 * The text in a language; in English where there is no translation.
 * @param region how times are written: a tag such as `en-GB`
 */
export function speak(words: Part, language: Language, region: string = language): string {
  if (typeof words !== 'object') return String(words);
  if ('at' in words) return written(words, region);
  const sentence = language === 'de' ? (german[words.say] ?? words.say) : words.say;
  return sentence.replace(/\{(\d+)\}/g, (_, index) =>
    speak(words.with[Number(index)] ?? '', language, region),
  );
}

/** Turns sentences into text in the language of whoever asks. */
export type Say = (words: Words) => string;

export const sayer =
  (language: Language, region: string = language): Say =>
  (words) =>
    speak(words, language, region);

/** They are dear to make. */
const formats = new Map<string, Intl.DateTimeFormat>();

function written({ at, day }: Moment, region: string): string {
  const key = `${region} ${day}`;
  const format =
    formats.get(key) ??
    new Intl.DateTimeFormat(region, { ...(day ? { dateStyle: 'medium' } : {}), timeStyle: 'short' });
  formats.set(key, format);
  return format.format(new Date(at));
}

/** Whether something stands in a sentence as one of its parts: a name that need not be said once more. */
export function mentions(words: Words, part: string): boolean {
  return (
    typeof words === 'object' &&
    words.with.some(
      (each) => each === part || (typeof each === 'object' && 'say' in each && mentions(each, part)),
    )
  );
}

/** The text for logs, scripts and partners. */
export const english = (words: Words): string => speak(words, 'en');
