import type { Attributes } from './xml.ts';

/** Tells of a document's styles which show a number as nothing but digits, such as postal codes (`00000`): it is a name. */
export interface DigitStyles {
  open(name: string, attributes: Attributes): void;
  close(name: string): void;
  has(style: string | undefined): boolean;
}

/** Nobody makes as many. */
const MOST = 10_000;
/** Of one digit is every number. */
const LEAST_DIGITS = 2;

export function createDigitStyles(): DigitStyles {
  /** Of numbers, and of cells that show one so. */
  const [formats, cells] = [new Set<string>(), new Set<string>()];
  /** The format that is being read, and whether all of it so far is digits. */
  let format: { readonly name: string; isDigits: boolean } | undefined;
  return {
    open(name, attributes) {
      if (name === 'number-style') format = { name: attributes.name ?? '', isDigits: false };
      else if (format) format.isDigits = name === 'number' && isDigits(attributes);
      else if (name === 'style' && formats.has(attributes['data-style-name'] ?? '') && cells.size < MOST)
        cells.add(attributes.name ?? '');
    },
    close(name) {
      if (name !== 'number-style') return;
      if (format?.isDigits === true && formats.size < MOST) formats.add(format.name);
      format = undefined;
    },
    has: (style) => style !== undefined && cells.has(style),
  };
}

const isDigits = ({
  'min-integer-digits': digits = '0',
  'decimal-places': places = '0',
  grouping = 'false',
}: Attributes): boolean => Number(digits) >= LEAST_DIGITS && Number(places) === 0 && grouping !== 'true';
