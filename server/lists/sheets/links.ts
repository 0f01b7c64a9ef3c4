import { copyStart } from './workbook.ts';

/** Excel refuses sheets with over 65,530 links; one may cover many cells. */
const MAX_LINKED_CELLS = 100_000;
const MAX_ADDRESS_CHARS = 500;
const MAX_COLUMNS = 16_384;

/** Lines count from 1, columns from 0. */
const linkKey = (line: number, column: number): number => line * MAX_COLUMNS + column;

interface Area {
  readonly lines: readonly [from: number, to: number];
  readonly columns: readonly [from: number, to: number];
}

/** Link addresses by cell, up to 100,000. */
export class Links {
  readonly #addresses = new Map<number, string>();
  /** Areas may overlap; cells count each time. */
  #left = MAX_LINKED_CELLS;

  /** Records the address for all cells of the area; ignores cells beyond the limit of all. */
  addArea({ lines, columns }: Area, address: string): void {
    for (let line = lines[0]; line <= lines[1]; line++)
      for (let column = columns[0]; column <= columns[1]; column++) {
        if (this.#left-- <= 0) return;
        this.#addresses.set(linkKey(line, column), address);
      }
  }

  /** Returns the address of the cell's link; undefined without one. */
  addressAt(line: number, column: number): string | undefined {
    return this.#addresses.get(linkKey(line, column));
  }
}

/** Copies an address as far as it is compared. */
export const keepAddress = (address: string): string => copyStart(address, MAX_ADDRESS_CHARS);

const LINKING = /\bHYPERLINK\s*\(/i;
const TO_ADDRESS = /\bHYPERLINK\s*\(\s*"([^"]*)"\s*[,;)]/i;
const LIKE_AN_ADDRESS = /^(?:https?:|mailto:|www\.)|^\S+@\S+$/i;

export const isLinkFormula = (formula: string): boolean => LINKING.test(formula);

/**
 * Returns whether the text hides the address of the cell's link or link formula. False for a link within the workbook,
 * and for a formula that was never calculated.
 */
export function hidesAddress(text: string, link: string | undefined, formula: string | undefined): boolean {
  const isLinking = formula !== undefined && isLinkFormula(formula);
  // An uncalculated formula is imported itself, with its address.
  if ((link === undefined && !isLinking) || text.startsWith('=')) return false;
  const address = link ?? TO_ADDRESS.exec(formula ?? '')?.[1];
  if (address !== undefined) return isForeign(address) && plainAddress(text) !== plainAddress(address);
  return !LIKE_AN_ADDRESS.test(text);
}

const isForeign = (address: string): boolean => address !== '' && !address.startsWith('#');

/** Reduces an address to compare it: cut, lower-case, without scheme, blanks, parentheses, hyphens and last slash. */
const plainAddress = (address: string): string =>
  decodeAddress(address.slice(0, MAX_ADDRESS_CHARS).trim())
    .toLowerCase()
    .replace(/^(?:mailto:|tel:|https?:\/\/|file:\/{2,3})/, '')
    .replace(/[\s()-]/g, '')
    .replace(/\/$/, '');

/** Decodes percent signs; returns the address itself if they are invalid. */
function decodeAddress(address: string): string {
  try {
    return decodeURI(address);
  } catch {
    return address;
  }
}
