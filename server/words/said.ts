import { formatMessage, type Filling, wordings } from './format-message.ts';
import { NODE_TEXTS, type Language, type NodeKey, type NodeParameters } from './messages.ts';

/** Names a sentence, such as `state.not-heard-since`, whatever its text. */
export type Code = NodeKey;

/** A sentence without wording: for any language, long after it was stored. */
export interface Said {
  readonly code: Code;
  readonly with: Readonly<Record<string, Part>>;
}

/** As versions before codes stored it: English, with `{0}` … for its parts. */
interface Unnamed {
  readonly say: string;
  readonly with: readonly Part[];
}

export type Part = string | number | Said | Unnamed | Moment;

/** A time in a sentence, ISO 8601, and whether the day is said too. */
export interface Moment {
  readonly at: string;
  readonly day: boolean;
}

/** Returns a time to be said, with its day if that isn't today on this computer. @param now in milliseconds */
export function moment(at: string, now: number): Moment {
  return { at, day: new Date(at).toDateString() !== new Date(now).toDateString() };
}

/** A sentence, or an untranslated text: a partner's or an older version's. */
export type Words = Said | Unnamed | string;

/** Returns a sentence with its parts: `said('list.name-taken', { list: name })`. */
export function said<C extends Code>(code: C, ...parts: Filling<C, NodeParameters<Part>>): Said {
  const given: Readonly<Record<string, Part>> = parts[0] ?? {};
  return { code, with: given };
}

/** Returns the sentences as one, with `separator` between them. Throws TypeError without any. */
export function joined(sentences: readonly Words[], separator: string): Words {
  return sentences.reduce((before, after) => said('sentence.joined', { before, between: separator, after }));
}

/** A reader's form of times and numbers: a tag such as `en-GB`, and the zone. */
export interface Locale {
  readonly region: string;
  /** As `Europe/Berlin`; default: this computer's. */
  readonly zone?: string;
}

/** Returns a sentence, or a part of one, as text in a language. A newer version's code is its own text. */
export function speak(words: Part, language: Language, locale: Locale = { region: language }): string {
  if (typeof words === 'string') return words;
  if (typeof words === 'number') return formatNumber(words, locale.region);
  if ('at' in words) return formatMoment(words, locale);
  const { code, with: parts } = 'say' in words ? fromEnglishText(words.say, words.with) : words;
  const texts: Readonly<Record<string, string>> = NODE_TEXTS[language];
  const write = (part: Part): string => speak(part, language, locale);
  const message = texts[code];
  if (message !== undefined) return formatMessage(message, language, parts, write);
  return code.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const part = parts[name];
    return part === undefined ? whole : write(part);
  });
}

/** Returns a sentence as text, in the language that it was made for. */
export type Say = (words: Words) => string;

/** Returns {@link speak} with this language and locale. */
export const createSay =
  (language: Language, locale?: Locale): Say =>
  (words) =>
    speak(words, language, locale);

/** Returns a function that returns the formatter of a key, from a cache of 64, or made by `make`, which is slow. */
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

/** Returns a time, with its date if `day` is set, as the reader's region writes it. */
function formatMoment({ at, day }: Moment, { region, zone }: Locale): string {
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

function formatNumber(value: number, region: string): string {
  return numberFormat(region, () => new Intl.NumberFormat(region)).format(value);
}

/** Returns whether one of the values that a sentence inserts, at any depth, is this text; keys don't count. */
export function mentions(words: Words, part: string): boolean {
  return (
    typeof words === 'object' &&
    Object.values(words.with).some(
      (each) => each === part || (typeof each === 'object' && 'with' in each && mentions(each, part)),
    )
  );
}

/** Returns the text for logs, scripts and partners. */
export const english = (words: Words): string => speak(words, 'en');

interface Named<Part> {
  readonly code: string;
  readonly with: Readonly<Record<string, Part | number>>;
}

/** By English text with `{0}` … for parameters; their names in order. */
let byText:
  ReadonlyMap<string, { readonly code: string; readonly names: string[]; readonly one: boolean }> | undefined;

/** Builds the index {@link byText} from the English catalogue. Each plural form is an entry of its own. */
function indexEnglishTexts(): NonNullable<typeof byText> {
  return new Map(
    Object.entries(NODE_TEXTS.en).flatMap(([code, message]) =>
      wordings(message).map(([category, text]) => {
        const names = [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
        let index = 0;
        const before = text.replace(/\{\w+\}/g, () => `{${index++}}`);
        return [before, { code, names, one: category === 'one' }] as const;
      }),
    ),
  );
}

/**
 * Returns code and named parameters of a sentence that an older version stored as English text with numbered
 * parameters; a singular form's `n` is 1. If the catalogue no longer has this text, it is the code.
 */
function fromEnglishText<Part>(say: string, parts: readonly Part[]): Named<Part> {
  byText ??= indexEnglishTexts();
  const found = byText.get(say);
  if (!found) return { code: say, with: Object.fromEntries(parts.entries()) };
  const named = found.names.flatMap((name, index): [string, Part][] => {
    const part = parts[index];
    return part === undefined ? [] : [[name, part]];
  });
  return { code: found.code, with: { ...Object.fromEntries(named), ...(found.one ? { n: 1 } : {}) } };
}
