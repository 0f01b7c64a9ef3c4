import { z } from 'zod';
import { parseJson } from '../files/format.ts';
import type { SharedTemplate } from '../store.ts';

/** Between an entry's JSON texts without quotation marks. */
const SEPARATOR = '","';

/**
 * Returns an entry's JSON: pieces with the texts between them, JSON-escaped and joined by `","`. Doesn't check that
 * there is one text fewer than pieces.
 */
export function fillTemplate(pieces: readonly string[], texts: string): string {
  const each = splitTexts(texts);
  let json = pieces[0] ?? '';
  for (let at = 0; at < each.length; at++) json += (each[at] ?? '') + (pieces[at + 1] ?? '');
  return json;
}

/** Returns an entry's texts, still escaped; separators begin with an unescaped quotation mark. */
function splitTexts(texts: string): readonly string[] {
  if (!texts.includes('\\')) return texts.split(SEPARATOR);
  const each: string[] = [];
  let from = 0;
  for (let at = texts.indexOf('"'); at >= 0; at = texts.indexOf('"', at + 1)) {
    if (isEscapedAt(texts, at)) continue;
    each.push(texts.slice(from, at));
    from = at + SEPARATOR.length;
    at = from - 1;
  }
  return [...each, texts.slice(from)];
}

export const unescapeTexts = (texts: string): readonly string[] =>
  texts.includes('\\') ? (JSON.parse(`["${texts}"]`) as string[]) : texts.split(SEPARATOR);

/** Returns whether the character is escaped, by an odd number of backslashes before it. */
function isEscapedAt(text: string, at: number): boolean {
  let first = at;
  while (text[first - 1] === '\\') first--;
  return (at - first) % 2 === 1;
}

const piecesSchema = z.array(z.string()).min(2);

/** JSON shared by several entries. */
export class Template implements SharedTemplate {
  readonly pieces: readonly string[];
  readonly json: string;
  #build: ValueBuilder | null | undefined;

  /** Returns this JSON's template; undefined unless it is canonical and has texts only within values. */
  static parse(json: string): Template | undefined {
    const pieces = piecesSchema.safeParse(parseJson(json)).data;
    return pieces && JSON.stringify(pieces) === json && isTemplate(pieces)
      ? new Template(pieces, json)
      : undefined;
  }

  private constructor(pieces: readonly string[], json: string) {
    this.pieces = pieces;
    this.json = json;
  }

  /** Number of texts that fill the template. */
  get textCount(): number {
    return this.pieces.length - 1;
  }

  /** Returns the parsed value for these unescaped texts. */
  fill(texts: readonly string[]): unknown {
    return this.valueOf(JSON.stringify(texts).slice(2, -2));
  }

  /** Returns the parsed value for JSON-escaped texts joined by `","`. */
  valueOf(texts: string): unknown {
    if (this.#build === undefined) this.#build = createBuilder(this.pieces) ?? null;
    if (this.#build === null || texts.includes('\\')) return parseJson(fillTemplate(this.pieces, texts));
    return this.#build(texts.split(SEPARATOR));
  }
}

/** Could make a member that the template seems to lack. */
const TEXT_IN_NAME = /\\u0001(?:[^"\\]|\\.)*":/;

/** Returns whether the pieces are JSON with any texts between them, all within string values. */
function isTemplate(pieces: readonly string[]): boolean {
  // Only strings have escapes.
  const json = pieces.join('\\u0001');
  // A backslash would escape the text's first character.
  if (TEXT_IN_NAME.test(json) || pieces.some((piece) => piece.endsWith('\\'))) return false;
  return parseJson(json) !== undefined;
}

/** From texts without escapes. */
type ValueBuilder = (texts: readonly string[]) => unknown;

// eslint-disable-next-line no-control-regex -- a mark that JSON never has unescaped
const MARKED_TEXT = /\u0001(\d+)\u0001/;

/** Objects and arrays in a template; the builder recurses. */
const MAX_PARTS = 1000;
const OPENING = /[[{]/;
/** `__proto__` sets the prototype; names may have escapes. */
const UNUSUAL = /__proto__|\\u(?!0001)/;

/** Returns a function that builds values several times as fast as parsing; undefined if they must be parsed. */
function createBuilder(pieces: readonly string[]): ValueBuilder | undefined {
  const json = pieces.reduce((before, piece, at) => `${before}\\u0001${at - 1}\\u0001${piece}`);
  const isUnusual = UNUSUAL.test(json) || json.split(OPENING).length > MAX_PARTS;
  if (isUnusual || json.split('\\u0001').length !== 2 * pieces.length - 1) return undefined;
  return createValueBuilder(parseJson(json));
}

/** Returns a function that builds this value with given texts in place of the marked ones. */
function createValueBuilder(value: unknown): ValueBuilder {
  if (typeof value === 'string') return createTextBuilder(value.split(MARKED_TEXT));
  if (typeof value !== 'object' || value === null) return () => value;
  if (Array.isArray(value)) {
    const items = value.map(createValueBuilder);
    return (texts) => items.map((item) => item(texts));
  }
  const members = Object.entries(value).map(([name, member]) => [name, createValueBuilder(member)] as const);
  return (texts) => {
    const made: Record<string, unknown> = {};
    for (const [name, member] of members) made[name] = member(texts);
    return made;
  };
}

/** Returns a builder of a text. Every second part is a given text's number. */
function createTextBuilder(parts: readonly string[]): ValueBuilder {
  const [before, number, after] = parts;
  const place = Number(number);
  if (parts.length === 3 && before === '' && after === '') return (texts) => texts[place];
  return (texts) => parts.map((part, at) => (at % 2 === 0 ? part : texts[Number(part)])).join('');
}
