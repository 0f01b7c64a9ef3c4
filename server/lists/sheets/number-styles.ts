import { PERCENT } from '../../base/amount.ts';
import { readUnitBeside } from './number-format.ts';
import { copyStart, MAX_NAME_CHARS, type Amount } from './workbook.ts';
import type { Attributes, XmlReader } from './xml.ts';

export interface NumberStyles extends Required<XmlReader> {
  /** For digits-only formats, such as postal codes. */
  nameOf(style: string | undefined): DigitsBeside | undefined;
  isText(style: string | undefined): boolean;
  /** Undefined without decimals or currency in the style. */
  amount(style: string | undefined): Amount | undefined;
}

export interface DigitsBeside {
  readonly before: string;
  readonly after: string;
}

const MAX_STYLES = 10_000;
/** A single digit is every number's format. */
const MIN_DIGITS = 2;
const LONGEST_SIGN = 20;
const FORMATS: ReadonlySet<string> = new Set([
  'number-style',
  'currency-style',
  'percentage-style',
  'text-style',
]);

/** They display only digits and their own content. */
const OF_NUMBERS: ReadonlySet<string> = new Set(['number-style', 'currency-style']);

interface Look {
  isWhole?: boolean;
  minDigits: number;
  digitsBeside?: DigitsBeside;
  isScaled?: boolean;
  isText?: boolean;
  decimals: number;
  unit?: string;
  beside?: string;
}

interface GroupEnd {
  readonly position: number;
  text: string;
}

/** Collects an ODS file's number formats from XML events; then tells by cell style how a number is displayed. */
export function createNumberStyles(): NumberStyles {
  /** Formats, and cell styles that use one. */
  const [formats, cells] = [new Map<string, Look>(), new Map<string, Look>()];
  /** The current format, with texts and currency sign. */
  let format: { readonly name: string; readonly of: string; look: Look } | undefined;
  let [letters, isLetters, isBehindDigits, isWithin] = ['', false, false, false];
  let [before, after] = ['', ''];
  let groups: GroupEnd[] = [];
  return {
    /** Begins a format; within one, reads its parts, or takes a mapped format's; else records a cell style's format. */
    open(name, attributes) {
      if (FORMATS.has(name)) {
        const look = {
          minDigits: 0,
          decimals: 0,
          ...(name === 'percentage-style' ? { unit: PERCENT } : {}),
        };
        format = { name: attributes.name ?? '', of: name, look };
        [letters, isBehindDigits] = ['', false];
        [before, after, groups] = ['', '', []];
      } else if (format) {
        // Words for zero or texts are kept here, rules for numbers in other styles, most general first.
        const other = name === 'map' ? formats.get(attributes['apply-style-name'] ?? '') : undefined;
        if (other && !isBehindDigits && format.of !== name) format = { ...format, of: name, look: other };
        isLetters = name === 'currency-symbol' || name === 'text';
        isWithin = name === 'embedded-text' && groups.length < LONGEST_SIGN;
        if (isWithin) groups.push({ position: Number(attributes.position), text: '' });
        if (name !== 'number') return;
        [format.look.isScaled, format.look.decimals] = readScale(attributes);
        const isWhole = format.of === 'number-style' && isWithoutThousands(attributes);
        format.look.isWhole = isWhole;
        format.look.minDigits = isWhole ? Number(attributes['min-integer-digits'] ?? 0) : 0;
        isBehindDigits = true;
      } else if (name === 'style' && cells.size < MAX_STYLES) {
        const look = formats.get(attributes['data-style-name'] ?? '');
        const { name: style = '' } = attributes;
        if (look && style.length <= MAX_NAME_CHARS) cells.set(style, look);
      }
    },
    /** Adds to the format's text. Letters and currency signs behind the digits exclude an identifier by its digits. */
    text(text) {
      const group = isWithin ? groups.at(-1) : undefined;
      if (group) group.text = copyStart(group.text + text, LONGEST_SIGN);
      if (format && isBehindDigits && /[\p{L}\p{Sc}%]/u.test(text)) format.look.minDigits = 0;
      if (isLetters && before.length + after.length < LONGEST_SIGN) {
        const digits = copyStart(text, LONGEST_SIGN).replace(/\D/g, '');
        if (isBehindDigits) after += digits;
        else before += digits;
      }
      if (isLetters && letters.length < LONGEST_SIGN) letters += copyStart(text, LONGEST_SIGN);
    },
    /** Ends a format and stores up to 10,000; other elements only end its text. */
    close(name) {
      [isLetters, isWithin] = [false, false];
      if (!FORMATS.has(name)) return;
      if (format && format.of !== 'map') {
        const { look } = format;
        look.isText = name === 'text-style';
        if (OF_NUMBERS.has(name)) Object.assign(look, readUnitBeside(letters, look.isScaled));
        const areDigits = before + after !== '' && !/\p{L}/u.test(letters);
        const isName = areDigits || look.minDigits >= MIN_DIGITS || areOfIdentifier(groups);
        if (isName && look.isWhole === true && look.unit === undefined) look.digitsBeside = { before, after };
      }
      if (format && formats.size < MAX_STYLES && format.name.length <= MAX_NAME_CHARS)
        formats.set(format.name, format.look);
      format = undefined;
    },
    nameOf: (style) => (style === undefined ? undefined : cells.get(style)?.digitsBeside),
    isText: (style) => style !== undefined && cells.get(style)?.isText === true,
    amount: (style) => (style === undefined ? undefined : cells.get(style)),
  };
}

/** Returns whether numbers are displayed divided, as in thousands, and their decimals: at most 20, 0 if divided. */
function readScale({
  'display-factor': factor = '1',
  'decimal-places': places = '0',
}: Attributes): [boolean, number] {
  const isScaled = Number(factor) > 1;
  return [isScaled, isScaled ? 0 : Math.min(20, Number(places) || 0)];
}

const isWithoutThousands = ({ 'decimal-places': places = '0', grouping = 'false' }: Attributes): boolean =>
  Number(places) === 0 && grouping !== 'true';

/**
 * Returns whether the groups are an identifier's, such as a telephone number: texts aren't letters, and don't separate
 * thousands or lakhs.
 */
function areOfIdentifier(groups: readonly GroupEnd[]): boolean {
  const [first, ...others] = groups;
  if (!first || groups.some(({ text }) => /\p{L}/u.test(text))) return false;
  const isEven = /^[ .,'’\u00a0\u202f]$/.test(first.text) && others.every(({ text }) => text === first.text);
  const positions = groups.map(({ position }) => position);
  const isOfAmount = [3, 2].some((size) => positions.every((position) => position % size === 3 % size));
  return !(isEven && positions.includes(3) && isOfAmount);
}
