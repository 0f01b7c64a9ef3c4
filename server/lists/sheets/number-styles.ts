import { PERCENT } from '../../base/amount.ts';
import { unitBeside } from './number-format.ts';
import { boundedCopy, MAX_NAME_CHARS, type Amount } from './workbook.ts';
import type { Attributes, XmlReader } from './xml.ts';

/** Number formats of a document's styles. */
export interface NumberStyles extends Required<XmlReader> {
  /**
   * Returns whether it is displayed as digits only, possibly in groups or after a text, such as a postal code
   * (`00000`) or a telephone number (`(000) 000-0000`): then it is a name.
   */
  isDigits(style: string | undefined): boolean;
  /** Returns decimals and currency sign; undefined if the style says neither. */
  amount(style: string | undefined): Amount | undefined;
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
  isDigits: boolean;
  isScaled?: boolean;
  decimals: number;
  unit?: string;
  beside?: string;
  readonly isOfTexts?: boolean;
}

/** Creates a reader of style elements. */
export function createNumberStyles(): NumberStyles {
  /** Formats, and cell styles that use one. */
  const [formats, cells] = [new Map<string, Look>(), new Map<string, Look>()];
  /** The format being read, and what it adds to the digits: texts and a currency sign. */
  let format: { readonly name: string; readonly of: string; look: Look } | undefined;
  let [letters, isLetters, isBehindDigits] = ['', false, false];
  return {
    open(name, attributes) {
      if (FORMATS.has(name)) {
        const look = {
          isDigits: false,
          decimals: 0,
          ...(name === 'percentage-style' ? { unit: PERCENT } : {}),
          ...(name === 'text-style' ? { isOfTexts: true } : {}),
        };
        format = { name: attributes.name ?? '', of: name, look };
        [letters, isBehindDigits] = ['', false];
      } else if (format) {
        // Accounting formats keep the rule for texts here and those for numbers in other styles, the most
        // general first.
        if (name === 'map' && format.look.isOfTexts === true)
          format.look = formats.get(attributes['apply-style-name'] ?? '') ?? format.look;
        isLetters = name === 'currency-symbol' || name === 'text';
        if (name !== 'number') return;
        [format.look.isScaled, format.look.decimals] = scaleOf(attributes);
        format.look.isDigits = format.of === 'number-style' && isDigits(attributes);
        isBehindDigits = true;
      } else if (name === 'style' && cells.size < MAX_STYLES) {
        const look = formats.get(attributes['data-style-name'] ?? '');
        const { name: style = '' } = attributes;
        if (look && style.length <= MAX_NAME_CHARS) cells.set(style, look);
      }
    },
    text(text) {
      if (format && isBehindDigits && /[\p{L}\p{Sc}%]/u.test(text)) format.look.isDigits = false;
      if (isLetters && letters.length < LONGEST_SIGN) letters += boundedCopy(text, LONGEST_SIGN);
    },
    close(name) {
      isLetters = false;
      if (!FORMATS.has(name)) return;
      if (format && OF_NUMBERS.has(name))
        Object.assign(format.look, unitBeside(letters, format.look.isScaled));
      if (format?.look.unit !== undefined) format.look.isDigits = false;
      if (format && formats.size < MAX_STYLES && format.name.length <= MAX_NAME_CHARS)
        formats.set(format.name, format.look);
      format = undefined;
    },
    isDigits: (style) => style !== undefined && cells.get(style)?.isDigits === true,
    amount: (style) => (style === undefined ? undefined : cells.get(style)),
  };
}

/** Returns whether the displayed number is divided, and its decimals, which mean nothing then. */
function scaleOf({
  'display-factor': factor = '1',
  'decimal-places': places = '0',
}: Attributes): [boolean, number] {
  const isScaled = Number(factor) > 1;
  return [isScaled, isScaled ? 0 : Math.min(20, Number(places) || 0)];
}

const isDigits = ({
  'min-integer-digits': digits = '0',
  'decimal-places': places = '0',
  grouping = 'false',
}: Attributes): boolean => Number(digits) >= MIN_DIGITS && Number(places) === 0 && grouping !== 'true';
