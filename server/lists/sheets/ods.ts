import type { LeftOut } from '../../base/vocabulary.ts';
import { MAX_STREAMED_BYTES, sizeRefusal, type Archive } from './archive.ts';
import { leftOutOfOds } from './left-out.ts';
import { createNumberStyles } from './number-styles.ts';
import { CONTENT, createSheetFilter, readRows } from './ods-rows.ts';
import { MAX_NAME_CHARS, MAX_SHEETS, type Workbook } from './workbook.ts';
import { readXml, type Attributes, type XmlReader } from './xml.ts';

const STYLES = 'styles.xml';

/**
 * Opens an OpenDocument workbook (ISO/IEC 26300-3). Throws an Error if it is none, the refusal `sheet.size` beyond the
 * limits.
 * @param part reads only as far as the first row of this sheet, or of a visible one: further sheets are unknown
 */
export async function openOds(
  archive: Archive,
  part?: { readonly sheet: string | undefined },
): Promise<Workbook> {
  const sheets: string[] = [];
  const filled = new Set<number>();
  const styles = createNumberStyles();
  // Formats shared among documents have their own part.
  if (archive.has(STYLES)) await readAll(archive, STYLES, styles);
  const leftOut = new Set<LeftOut>(leftOutOfOds(archive.parts));
  const hidden = new Set<number>();
  const cells = createFilledCellReader(() => filled.add(sheets.length - 1));
  const hiding = createHidingStyles();
  const content = createSheetFilter(
    (at, name, style) => {
      if (sheets.length >= MAX_SHEETS || name.length > MAX_NAME_CHARS) throw sizeRefusal();
      sheets.push(name);
      if (hiding.has(style)) hidden.add(at);
    },
    {
      /** Passes on elements: those before the first sheet are styles, later ones cells. */
      open(name, attributes) {
        if (sheets.length > 0) cells.open(name, attributes);
        else {
          styles.open(name, attributes);
          hiding.open(name, attributes);
        }
      },
      text: (text) => (sheets.length === 0 ? styles.text(text) : cells.text(text)),
      close: (name) => (sheets.length === 0 ? styles.close(name) : cells.close(name)),
    },
  );
  /** Returns whether the wanted sheet, or a visible one, has a filled cell. */
  const isEnough = (): boolean =>
    part !== undefined &&
    [...filled].some((at) => (part.sheet === undefined ? !hidden.has(at) : sheets[at] === part.sheet));
  await readAll(
    archive,
    CONTENT,
    {
      ...content,
      /** Records content that no list takes, and passes the element on. */
      open(name, attributes) {
        const what = findIgnoredKind(name, attributes);
        if (what) leftOut.add(what);
        content.open?.(name, attributes);
      },
    },
    isEnough,
  );
  return {
    sheets,
    leftOut: [...leftOut],
    filledSheets: () =>
      Promise.resolve([...filled].sort((a, b) => Number(hidden.has(a)) - Number(hidden.has(b)))),
    rows: (sheet, listener) => readRows(archive, { sheet, styles, listener }),
  };
}

/** Collects styles that hide a sheet, up to as many as there may be sheets. */
function createHidingStyles(): {
  open(name: string, attributes: Attributes): void;
  has(style: string | undefined): boolean;
} {
  const styles = new Set<string>();
  let current = '';
  return {
    /** Records a style that hides a sheet; ignores other elements. */
    open(element, { name = '', display }) {
      if (element === 'style') current = name;
      const isHiding = element === 'table-properties' && display === 'false';
      if (isHiding && styles.size < MAX_SHEETS && current.length <= MAX_NAME_CHARS) styles.add(current);
    },
    has: (style) => style !== undefined && styles.has(style),
  };
}

/** Calls `onFilled` for each non-empty cell, possibly several times. */
function createFilledCellReader(onFilled: () => void): Required<XmlReader> {
  let isCell = false;
  return {
    /** Calls `onFilled` for a value or formula in the attributes. */
    open(name, { formula, value, ...attributes }) {
      if (name === 'table-cell') isCell = true;
      const {
        'date-value': date,
        'time-value': time,
        'boolean-value': truth,
        'string-value': text,
      } = attributes;
      if (isCell && (formula ?? value ?? date ?? time ?? truth ?? text ?? '') !== '') onFilled();
    },
    /** Calls `onFilled` for text in a cell. */
    text(text) {
      if (isCell && text.trim() !== '') onFilled();
    },
    close(name) {
      if (name === 'table-cell') isCell = false;
    },
  };
}

/** Returns the kind of content that no list takes; undefined for other elements. */
function findIgnoredKind(name: string, { formula = '' }: Attributes): LeftOut | undefined {
  if (name === 'annotation') return 'comments';
  if (name === 'data-pilot-table') return 'pivots';
  return name === 'table-source' || /\[?'(file|https?):\/\//.test(formula) ? 'links' : undefined;
}

/** Reads a part to its end, or until `isEnough` returns true after a chunk. */
async function readAll(
  archive: Archive,
  part: string,
  reader: XmlReader,
  isEnough = (): boolean => false,
): Promise<void> {
  const pieces = readXml(archive.text(part, MAX_STREAMED_BYTES), reader);
  while ((await pieces.next()).done !== true)
    if (isEnough()) {
      await pieces.return(undefined);
      return;
    }
}
