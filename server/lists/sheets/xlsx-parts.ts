import { MAX_PART_BYTES, sizeRefusal, type Archive } from './archive.ts';
import {
  builtInAmount,
  builtInFormat,
  parseFormatAmount,
  parseFormat,
  type NumberFormat,
} from './number-format.ts';
import { appendText, type Amount } from './workbook.ts';
import { readXml, type Attributes } from './xml.ts';

/** Empty shared texts cost memory, but no file size. */
const MAX_TEXTS = 2_000_000;
const MAX_FORMATS = 100_000;

export interface Style {
  readonly format?: NumberFormat | undefined;
  readonly amount?: Amount | undefined;
  readonly isText?: boolean;
}

/** Parses a part to its end. Throws `sheet.size` beyond {@link MAX_PART_BYTES}. */
export async function parsePart(
  archive: Archive,
  part: string,
  open: (name: string, attributes: Attributes) => void,
): Promise<void> {
  const reading = readXml(archive.text(part, MAX_PART_BYTES), { open });
  while ((await reading.next()).done !== true);
}

export interface SharedTexts {
  /** Reads until this text is available, or all are. */
  readUpTo(index: number): Promise<void>;
  /** `…` beyond the limit. */
  get(index: number): string | undefined;
}

/** Fits the longest shared text. */
const BLOCK_BYTES = 4 * 1024 * 1024;

interface PackedTexts {
  readonly size: number;
  push(text: string): void;
  get(index: number): string | undefined;
}

/**
 * Stores texts outside the JavaScript heap, where millions of short ones take a third of the memory: within Latin-1 one
 * byte a character, others two.
 */
function createPackedTexts(): PackedTexts {
  const blocks: Buffer[] = [];
  /** By text: its start over all blocks, and twice its byte length, plus one for UTF-16. */
  let positions = new Uint32Array(2048);
  let [size, end] = [0, BLOCK_BYTES];
  return {
    get size() {
      return size;
    },
    /** Appends a text. */
    push(text) {
      const isWide = /[^\0-\xff]/.test(text);
      const encoding = isWide ? 'utf16le' : 'latin1';
      if (end + Buffer.byteLength(text, encoding) > BLOCK_BYTES) {
        blocks.push(Buffer.allocUnsafeSlow(BLOCK_BYTES));
        end = 0;
      }
      if (2 * size === positions.length) {
        const longer = new Uint32Array(2 * positions.length);
        longer.set(positions);
        positions = longer;
      }
      const written = blocks.at(-1)?.write(text, end, encoding) ?? 0;
      positions.set([(blocks.length - 1) * BLOCK_BYTES + end, 2 * written + (isWide ? 1 : 0)], 2 * size++);
      end += written;
    },
    /** Returns the text at this index; undefined if there is none. */
    get(index) {
      const [start, length] = Number.isInteger(index) ? [positions[2 * index], positions[2 * index + 1]] : [];
      if (index >= size || start === undefined || length === undefined) return undefined;
      const from = start % BLOCK_BYTES;
      const encoding = length % 2 === 1 ? 'utf16le' : 'latin1';
      // An empty text may begin behind the last block.
      const block = blocks[Math.floor(start / BLOCK_BYTES)];
      return block?.toString(encoding, from, from + Math.floor(length / 2)) ?? '';
    },
  };
}

/** Replaces texts that a preview skips. */
const UNREAD = '…';

/**
 * Creates a reader of shared texts, which reads later, and then throws `sheet.size` for over two million.
 * @param maxChars beyond them texts are `…`
 */
export function openSharedTexts(
  archive: Archive,
  part: string | undefined,
  maxChars = Infinity,
): SharedTexts {
  const texts = createPackedTexts();
  const rich = createRichText();
  let reading: AsyncGenerator<number> | undefined;
  let chars = 0;
  /** A failed generator then only reports its end. */
  let failure: Error | undefined;
  if (part !== undefined && archive.has(part))
    reading = readXml(archive.text(part, MAX_PART_BYTES), {
      open: (name) => rich.open(name),
      text: (text) => rich.text(text),
      /** Stores a completed text. Throws `sheet.size` beyond two million. */
      close(name) {
        rich.close(name);
        if (name !== 'si') return;
        if (texts.size >= MAX_TEXTS) throw sizeRefusal();
        texts.push(rich.takeText());
      },
    });
  return {
    /** Reads until this text is available, all are, or the limit is reached. Throws its error on each call. */
    async readUpTo(index) {
      if (failure) throw failure;
      while (reading && texts.size <= index && chars <= maxChars) {
        const next = await reading.next().catch((error: unknown) => {
          throw (failure = error instanceof Error ? error : new Error(String(error)));
        });
        if (next.done === true) reading = undefined;
        else chars += next.value;
      }
    },
    get: (index) => texts.get(index) ?? (chars > maxChars ? UNREAD : undefined),
  };
}

/** Collects a cell's rich text, without phonetic runs. */
export function createRichText(): {
  open(name: string): void;
  text(text: string): void;
  close(name: string): void;
  takeText(): string;
} {
  let [isText, isSound, whole] = [false, false, ''];
  return {
    /** Notes the begin of a text (`t`) or a phonetic run (`rPh`). */
    open(name) {
      if (name === 'rPh') isSound = true;
      if (name === 't') isText = true;
    },
    /** Appends text of a `t` outside phonetic runs. Throws `sheet.size` beyond 1 MiB. */
    text(text) {
      if (isText && !isSound) whole = appendText(whole, text);
    },
    close(name) {
      if (name === 'rPh') isSound = false;
      if (name === 't') isText = false;
    },
    /** Returns the unescaped text since the last call. */
    takeText() {
      const text = whole;
      whole = '';
      return unescapeXml(text);
    },
  };
}

export const unescapeXml = (text: string): string =>
  text.replace(/_x([\da-f]{4})_/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** Returns styles by the index that cells use. Throws `sheet.size` for over 100,000. */
export async function readStyles(archive: Archive, part: string | undefined): Promise<readonly Style[]> {
  const styles: Style[] = [];
  if (part === undefined || !archive.has(part)) return styles;
  const customStyles = new Map<string, Style>();
  let isOfCells = false;
  await parsePart(archive, part, (name, { numFmtId = '0', formatCode = '', quotePrefix }) => {
    if (name === 'numFmt') customStyles.set(numFmtId, parseStyle(formatCode));
    if (name === 'cellXfs' || name === 'cellStyleXfs') isOfCells = name === 'cellXfs';
    else if (name === 'cellStyles' || name === 'dxfs') isOfCells = false;
    if (name !== 'xf' || !isOfCells) return;
    if (styles.length >= MAX_FORMATS) throw sizeRefusal();
    const id = Number(numFmtId);
    const style = customStyles.get(numFmtId) ?? { format: builtInFormat(id), amount: builtInAmount(id) };
    styles.push(id === TEXT_FORMAT || isTrue(quotePrefix) ? { ...style, isText: true } : style);
  });
  return styles;
}

const TEXT_FORMAT = 49;

/** Parses a style's format code; `@` means text. */
const parseStyle = (code: string): Style => ({
  format: parseFormat(code),
  amount: parseFormatAmount(code),
  ...(code.trim() === '@' ? { isText: true } : {}),
});

export const isTrue = (text = ''): boolean => /^\s*(1|true)\s*$/.test(text);
