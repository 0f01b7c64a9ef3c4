import { PERCENT } from '../../base/amount.ts';
import { unitBeside } from './number-format.ts';
import { boundedCopy, MAX_NAME_CHARS, type Amount } from './workbook.ts';
import type { Attributes, XmlReader } from './xml.ts';

/** Number formats of a document's styles. */
export interface NumberStyles extends Required<XmlReader> {
  /**
   * Returns the digits beside the number if it is displayed as digits only, possibly in groups or after a text,
   * such as a postal code (`00000`), a telephone number (`(000) 000-0000`) or an invoice (`0"/26"`): then it is a
   * name. Undefined for other numbers.
   */
  nameOf(style: string | undefined): DigitsBeside | undefined;
  /** Returns decimals and currency sign; undefined if the style says neither. */
  amount(style: string | undefined): Amount | undefined;
}

/** Digits of a name's texts, before and after the number. */
export interface DigitsBeside {
  readonly before: string;
  readonly after: string;
}

/** Above any real number of styles. */
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

/** Styles that display only what they contain beside the digits. */
const OF_NUMBERS: ReadonlySet<string> = new Set(['number-style', 'currency-style']);

/** A number format of the document. */
interface Look {
  /** Digits that the number has at least, if it has no decimals and no groups. */
  minDigits: number;
  digitsBeside?: DigitsBeside;
  isScaled?: boolean;
  decimals: number;
  unit?: string;
  beside?: string;
  readonly isOfTexts?: boolean;
}

/** Creates a reader of style elements, which collects formats as long as a document's styles are parsed. */
export function createNumberStyles(): NumberStyles {
  /** Formats, and cell styles that use one. */
  const [formats, cells] = [new Map<string, Look>(), new Map<string, Look>()];
  /** The format being read, and what it adds to the digits: texts and a currency sign. */
  let format: { readonly name: string; readonly of: string; look: Look } | undefined;
  let [letters, isLetters, isBehindDigits] = ['', false, false];
  /** The texts before and after the number, as far as they are digits and letters. */
  let [before, after] = ['', ''];
  return {
    /**
     * Starts a format, or reads an element of the present one: digits, texts, or the style for other values.
     * Outside a format, notes the format that a cell style uses.
     */
    open(name, attributes) {
      if (FORMATS.has(name)) {
        const look = {
          minDigits: 0,
          decimals: 0,
          ...(name === 'percentage-style' ? { unit: PERCENT } : {}),
          ...(name === 'text-style' ? { isOfTexts: true } : {}),
        };
        format = { name: attributes.name ?? '', of: name, look };
        [letters, isBehindDigits] = ['', false];
        [before, after] = ['', ''];
      } else if (format) {
        // Accounting formats keep the rule for texts here and those for numbers in other styles, the most
        // general first.
        if (name === 'map' && format.look.isOfTexts === true)
          format.look = formats.get(attributes['apply-style-name'] ?? '') ?? format.look;
        isLetters = name === 'currency-symbol' || name === 'text';
        if (name !== 'number') return;
        [format.look.isScaled, format.look.decimals] = scaleOf(attributes);
        format.look.minDigits = format.of === 'number-style' ? minDigits(attributes) : 0;
        isBehindDigits = true;
      } else if (name === 'style' && cells.size < MAX_STYLES) {
        const look = formats.get(attributes['data-style-name'] ?? '');
        const { name: style = '' } = attributes;
        if (look && style.length <= MAX_NAME_CHARS) cells.set(style, look);
      }
    },
    /**
     * Adds text beside the digits to the present format; letters and currency signs behind the digits exclude that
     * the number is a name.
     */
    text(text) {
      if (format && isBehindDigits && /[\p{L}\p{Sc}%]/u.test(text)) format.look.minDigits = 0;
      if (isLetters && before.length + after.length < LONGEST_SIGN) {
        const digits = boundedCopy(text, LONGEST_SIGN).replace(/\D/g, '');
        if (isBehindDigits) after += digits;
        else before += digits;
      }
      if (isLetters && letters.length < LONGEST_SIGN) letters += boundedCopy(text, LONGEST_SIGN);
    },
    /**
     * Completes and stores the present format; other elements only end its text. Beyond {@link MAX_STYLES} it is
     * dropped.
     */
    close(name) {
      isLetters = false;
      if (!FORMATS.has(name)) return;
      if (format && OF_NUMBERS.has(name))
        Object.assign(format.look, unitBeside(letters, format.look.isScaled));
      if (format) {
        const { look } = format;
        const isWithin = before + after !== '' && !/\p{L}/u.test(letters);
        const isName = look.minDigits >= (isWithin ? 1 : MIN_DIGITS) && look.unit === undefined;
        if (isName) look.digitsBeside = { before, after };
      }
      if (format && formats.size < MAX_STYLES && format.name.length <= MAX_NAME_CHARS)
        formats.set(format.name, format.look);
      format = undefined;
    },
    nameOf: (style) => (style === undefined ? undefined : cells.get(style)?.digitsBeside),
    amount: (style) => (style === undefined ? undefined : cells.get(style)),
  };
}

/** Returns whether the displayed number is divided, and its decimals: 0 for divided ones, at most 20. */
function scaleOf({
  'display-factor': factor = '1',
  'decimal-places': places = '0',
}: Attributes): [boolean, number] {
  const isScaled = Number(factor) > 1;
  return [isScaled, isScaled ? 0 : Math.min(20, Number(places) || 0)];
}

/** Returns the minimum of digits of a number without decimals and groups; 0 for others. */
const minDigits = ({
  'min-integer-digits': digits = '0',
  'decimal-places': places = '0',
  grouping = 'false',
}: Attributes): number => (Number(places) === 0 && grouping !== 'true' ? Number(digits) : 0);
