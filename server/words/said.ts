import { formatMessage, type Filling } from './format-message.ts';
import { NODE_TEXTS, type Language, type NodeKey, type NodeParameters } from './messages.ts';
import { sinceNamed } from './unnamed.ts';

/** The name of a sentence, such as `state.not-heard-since`. It stays the same when the text changes. */
export type Code = NodeKey;

/**
 * A sentence for people, kept apart from its wording, so that it can be said in the language of whoever asks, long
 * after it was written down. Plain data: it is stored and given on as it is.
 */
export interface Said {
  readonly code: Code;
  readonly with: Readonly<Record<string, Part>>;
}

/** A sentence as versions before its code stored it: the English text, with `{0}` … where its parts go. */
interface Unnamed {
  readonly say: string;
  readonly with: readonly Part[];
}

export type Part = string | number | Said | Unnamed | Moment;

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
export type Words = Said | Unnamed | string;

/** A sentence with its parts: `said('list.name-taken', { list: name })`. Code and parts are checked by their types. */
export function said<C extends Code>(code: C, ...parts: Filling<C, NodeParameters<Part>>): Said {
  const given: Readonly<Record<string, Part>> = parts[0] ?? {};
  return { code, with: given };
}

/** Sentences one after the other, with `between` between them. */
export function joined(all: readonly Words[], between: string): Words {
  return all.reduce((before, after) => said('sentence.joined', { before, between, after }));
}

/** Where somebody reads a text: how times and numbers are written there, a tag such as `en-GB`, and by which clock. */
export interface Locale {
  readonly region: string;
  /** As in the list of time zones (`Europe/Berlin`); this computer's own if absent. */
  readonly zone?: string;
}

/**
 * The text in a language; the code itself where a newer version wrote one that is not known here.
 * @param locale where whoever reads it is
 */
export function speak(words: Part, language: Language, locale: Locale = { region: language }): string {
  if (typeof words === 'string') return words;
  if (typeof words === 'number') return amount(words, locale.region);
  if ('at' in words) return written(words, locale);
  const { code, with: parts } = 'say' in words ? sinceNamed(words.say, words.with) : words;
  const texts: Readonly<Record<string, string>> = NODE_TEXTS[language];
  const write = (part: Part): string => speak(part, language, locale);
  const message = texts[code];
  if (message !== undefined) return formatMessage(message, language, parts, write);
  // A newer version's code, or a text from before there were codes. Neither has to be ICU MessageFormat.
  return code.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const part = parts[name];
    return part === undefined ? whole : write(part);
  });
}

/** Turns sentences into text in the language of whoever asks. */
export type Say = (words: Words) => string;

export const sayer =
  (language: Language, locale?: Locale): Say =>
  (words) =>
    speak(words, language, locale);

/** An LRU cache of formatters, which are slow to make and take 30 KB each. Requests choose region and time zone. */
export function formatterCache<F>(): (key: string, make: () => F) => F {
  const made = new Map<string, F>();
  return (key, make) => {
    const format = made.get(key) ?? make();
    made.delete(key);
    made.set(key, format);
    if (made.size > MAX_FORMATTERS) made.delete(made.keys().next().value ?? '');
    return format;
  };
}

const MAX_FORMATTERS = 64;
const timeFormat = formatterCache<Intl.DateTimeFormat>();
const numberFormat = formatterCache<Intl.NumberFormat>();

function written({ at, day }: Moment, { region, zone }: Locale): string {
  const key = `${region} ${day} ${zone ?? ''}`;
  const format = timeFormat(
    key,
    () =>
      new Intl.DateTimeFormat(region, {
        ...(day ? { dateStyle: 'medium' } : {}),
        timeStyle: 'short',
        ...(zone === undefined ? {} : { timeZone: zone }),
      }),
  );
  return format.format(new Date(at));
}

function amount(value: number, region: string): string {
  return numberFormat(region, () => new Intl.NumberFormat(region)).format(value);
}

/** Whether something stands in a sentence as one of its parts: a name that need not be said once more. */
export function mentions(words: Words, part: string): boolean {
  return (
    typeof words === 'object' &&
    Object.values(words.with).some(
      (each) => each === part || (typeof each === 'object' && 'with' in each && mentions(each, part)),
    )
  );
}

/** The text for logs, scripts and partners. */
export const english = (words: Words): string => speak(words, 'en');
