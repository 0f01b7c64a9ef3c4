import { HELD, STREAMED, tooMuch, type Archive } from './archive.ts';
import {
  digitsText,
  formulaText,
  momentText,
  numberText,
  writtenMoment,
  type DaySystem,
} from './cell-text.ts';
import { leftOutOfXlsx } from './left-out.ts';
import { createMergedCells } from './merged-cells.ts';
import {
  builtInAmount,
  builtInFormat,
  writtenAmount,
  writtenFormat,
  type NumberFormat,
} from './number-format.ts';
import {
  columnTeller,
  createRowCells,
  joined,
  MOST_MERGED,
  MOST_ROWS,
  MOST_SHEETS,
  AS_IT_IS,
  type Amount,
  type SheetRow,
  type SheetListener,
  type Workbook,
} from './workbook.ts';
import { readXml, type Attributes } from './xml.ts';

/** Texts of a workbook are held, each once; empty ones cost nothing in the file. */
const MOST_TEXTS = 2_000_000;
const MOST_FORMATS = 100_000;

/** A part that another one refers to. */
interface Relation {
  readonly target: string;
  /** The last word of its kind, such as `worksheet`. */
  readonly kind: string;
}

/**
 * A workbook of Office Open XML (ECMA-376, part 1): sheets of cells, no charts.
 * @throws where it is none; Refusal `impossible`: more than can be read
 */
export async function openXlsx(archive: Archive): Promise<Workbook> {
  const root = await relationsOf(archive, '');
  const main = [...root.values()].find(({ kind }) => kind === 'officeDocument')?.target ?? 'xl/workbook.xml';
  const relations = await relationsOf(archive, main);
  const { sheets, system } = await sheetsOf(archive, main, relations);
  const partOf = (kind: string): string | undefined =>
    [...relations.values()].find((relation) => relation.kind === kind)?.target;
  let held: Promise<Held> | undefined;
  const merges = new Map<string, Promise<Merges>>();
  const rows: Workbook['rows'] = async function* (sheet, told) {
    const part = sheets[sheet]?.part;
    if (part === undefined) throw new Error('There is no such sheet.');
    const [texts, formats] = await (held ??= Promise.all([
      textsOf(archive, partOf('sharedStrings')),
      formatsOf(archive, partOf('styles')),
    ]));
    // Who only looks whether there is anything is told of nothing.
    const merged = told ? (merges.get(part) ?? mergesOf(archive, part)) : Promise.resolve(new Map());
    if (told) merges.set(part, merged);
    yield* rowsOf(archive, part, { texts, formats, system, told, merges: await merged });
  };
  return {
    sheets: sheets.map(({ name }) => name),
    leftOut: leftOutOfXlsx(archive.parts),
    firstFilled: () => firstFilled(sheets, rows),
    rows,
  };
}

/** Empty sheets before one that is not; each is a part of its own, and read once. */
const MOST_LOOKED_INTO = 100;

async function firstFilled(sheets: readonly Sheet[], rows: Workbook['rows']): Promise<number> {
  const all = [...sheets.entries()];
  const inOrder = [
    ...all.filter(([, { isHidden }]) => !isHidden),
    ...all.filter(([, { isHidden }]) => isHidden),
  ];
  const empty = new Set<string>();
  for (const [at, { part }] of inOrder.slice(0, MOST_LOOKED_INTO)) {
    if (empty.has(part)) continue;
    const reading = rows(at);
    const first = await reading.next();
    await reading.return(undefined);
    if (first.done !== true) return at;
    empty.add(part);
  }
  return 0;
}

type Held = [texts: readonly string[], formats: readonly Style[]];

/** What a cell's style says of its number. */
interface Style {
  readonly format?: NumberFormat | undefined;
  readonly amount?: Amount | undefined;
}

async function readHeld(
  archive: Archive,
  part: string,
  open: (name: string, attributes: Attributes) => void,
): Promise<void> {
  const reading = readXml(archive.text(part, HELD), { open });
  while ((await reading.next()).done !== true);
}

async function relationsOf(archive: Archive, part: string): Promise<Map<string, Relation>> {
  const folder = part.slice(0, part.lastIndexOf('/') + 1);
  const relations = new Map<string, Relation>();
  const listed = `${folder}_rels/${part.slice(folder.length)}.rels`;
  if (!archive.has(listed)) return relations;
  await readHeld(archive, listed, (name, { Id = '', Type = '', Target = '', TargetMode }) => {
    if (name !== 'Relationship' || TargetMode === 'External') return;
    const { pathname } = new URL(Target, `part:///${folder}`);
    relations.set(Id, { target: decodeURI(pathname.slice(1)), kind: Type.slice(Type.lastIndexOf('/') + 1) });
  });
  return relations;
}

interface Sheet {
  readonly name: string;
  readonly part: string;
  readonly isHidden: boolean;
}

async function sheetsOf(
  archive: Archive,
  main: string,
  relations: ReadonlyMap<string, Relation>,
): Promise<{ readonly sheets: readonly Sheet[]; readonly system: DaySystem }> {
  const sheets: Sheet[] = [];
  let system: DaySystem = 1900;
  await readHeld(archive, main, (tag, { name = '', id = '', state = 'visible', date1904 = '' }) => {
    if (tag === 'workbookPr' && isTrue(date1904)) system = 1904;
    const relation = relations.get(id);
    if (tag !== 'sheet' || relation?.kind !== 'worksheet') return;
    if (sheets.length >= MOST_SHEETS) throw tooMuch();
    sheets.push({ name, part: relation.target, isHidden: state !== 'visible' });
  });
  return { sheets, system };
}

/** The texts that cells name by their place. */
async function textsOf(archive: Archive, part: string | undefined): Promise<readonly string[]> {
  const texts: string[] = [];
  if (part === undefined || !archive.has(part)) return texts;
  const rich = createRichText();
  const reading = readXml(archive.text(part, HELD), {
    open: (name) => rich.open(name),
    text: (text) => rich.text(text),
    close(name) {
      rich.close(name);
      if (name !== 'si') return;
      if (texts.length >= MOST_TEXTS) throw tooMuch();
      texts.push(rich.take());
    },
  });
  while ((await reading.next()).done !== true);
  return texts;
}

/** A text in runs of several looks, without how it is pronounced. */
function createRichText(): {
  open(name: string): void;
  text(text: string): void;
  close(name: string): void;
  take(): string;
} {
  let [isText, isSound, whole] = [false, false, ''];
  return {
    open(name) {
      if (name === 'rPh') isSound = true;
      if (name === 't') isText = true;
    },
    text(text) {
      if (isText && !isSound) whole = joined(whole, text);
    },
    close(name) {
      if (name === 'rPh') isSound = false;
      if (name === 't') isText = false;
    },
    take() {
      const text = whole;
      whole = '';
      return unescaped(text);
    },
  };
}

/** Signs that XML cannot hold are written as their numbers. */
const unescaped = (text: string): string =>
  text.replace(/_x([\da-f]{4})_/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** By the number of a cell's style, what its number is shown as. */
async function formatsOf(archive: Archive, part: string | undefined): Promise<readonly Style[]> {
  const styles: Style[] = [];
  if (part === undefined || !archive.has(part)) return styles;
  const written = new Map<string, Style>();
  let isOfCells = false;
  await readHeld(archive, part, (name, { numFmtId = '0', formatCode = '' }) => {
    if (name === 'numFmt')
      written.set(numFmtId, { format: writtenFormat(formatCode), amount: writtenAmount(formatCode) });
    if (name === 'cellXfs' || name === 'cellStyleXfs') isOfCells = name === 'cellXfs';
    else if (name === 'cellStyles' || name === 'dxfs') isOfCells = false;
    if (name !== 'xf' || !isOfCells) return;
    if (styles.length >= MOST_FORMATS) throw tooMuch();
    const id = Number(numFmtId);
    styles.push(written.get(numFmtId) ?? { format: builtInFormat(id), amount: builtInAmount(id) });
  });
  return styles;
}

interface CellContext {
  readonly texts: readonly string[];
  readonly formats: readonly Style[];
  readonly system: DaySystem;
  readonly told?: SheetListener | undefined;
  readonly merges: Merges;
}

/** A cell as it stands in the file. */
interface RawCell {
  readonly column: number;
  readonly type: string;
  readonly style: number;
  value?: string;
  formula?: string;
}

async function* rowsOf(
  archive: Archive,
  part: string,
  context: CellContext,
): AsyncGenerator<readonly SheetRow[]> {
  const cells = createRowCells();
  const { told, merges } = context;
  const tellHidden = columnTeller(told?.hidden);
  const merged = createMergedCells();
  const rich = createRichText();
  let rows: SheetRow[] = [];
  let line = 0;
  let lastLine = 0;
  let column = 0;
  let isHidden = false;
  let cell: RawCell | undefined;
  let inside = '';
  const reading = readXml(archive.text(part, STREAMED), {
    open(name, { r, t = 'n', s = '0', hidden, min, max }) {
      if (name === 'col' && isTrue(hidden)) tellHidden?.(Number(min) - 1, Number(max) - 1);
      if (name === 'row') {
        isHidden = isTrue(hidden);
        line = lineOf(r ?? String(line + 1));
        column = 0;
      } else if (name === 'c') {
        column = r === undefined ? column : columnOf(r);
        cell = { column, type: t, style: Number(s) };
      } else if (cell && name === 'v') [inside, cell.value] = ['value', ''];
      else if (cell && name === 'f') [inside, cell.formula] = ['formula', ''];
      rich.open(name);
    },
    text(text) {
      if (cell && inside === 'value') cell.value = joined(cell.value ?? '', text);
      else if (cell && inside === 'formula') cell.formula = joined(cell.formula ?? '', text);
      else rich.text(text);
    },
    close(name) {
      rich.close(name);
      inside = '';
      if (name === 'c' && cell) {
        const style = context.formats[cell.style];
        const isNumber = cell.type === 'n' && isFilled(cell.value) && !style?.format;
        cells.put(cell.column, {
          text: cellText(cell, rich.take(), context),
          isText: isText(cell, context),
          amount: isNumber ? (style?.amount ?? AS_IT_IS) : undefined,
        });
        column = cell.column + 1;
        cell = undefined;
      }
      if (name !== 'row') return;
      // A line that comes again merges nothing again.
      for (const { column: from, to } of line > lastLine ? (merges.get(line) ?? []) : []) {
        told?.merged?.(line, to > line ? 'rows' : 'columns');
        if (to > line) merged.begin(from, to);
      }
      lastLine = Math.max(lastLine, line);
      merged.end(line, cells);
      const taken = cells.take();
      if (taken) rows.push({ line, ...taken, ...(isHidden ? { isHidden } : {}) });
    },
  });
  while ((await reading.next()).done !== true) {
    if (rows.length === 0) continue;
    yield rows;
    rows = [];
  }
}

/** By the line that they begin in: the column, and the line that they go on to. */
type Merges = ReadonlyMap<number, readonly { readonly column: number; readonly to: number }[]>;

/** Letters of a sheet that are looked through for them; behind its cells, where they stand, the file has to be unpacked first. */
const SEARCHED = 256 * 1024 * 1024;
const END_OF_CELLS = /<\/(?:\w+:)?sheetData\s*>/;
/** No tag goes on behind the beginning of another: else each would be looked through to the end of all. */
const MERGED = /<(?:\w+:)?mergeCell\s[^<>]*>/gi;
const MERGED_FROM = /\bref\s*=\s*["']([A-Z]{1,3})(\d{1,7}):[A-Z]{1,3}(\d{1,7})["']/i;
/** Letters that a tag may take. */
const TAG = 1024;

/** The cells of a sheet that are merged with others. They stand behind the rows, and are needed before them. */
async function mergesOf(archive: Archive, part: string): Promise<Merges> {
  const merges = new Map<number, { column: number; to: number }[]>();
  let [rest, searched, count, isBehind] = ['', 0, 0, false];
  for await (const piece of archive.text(part, STREAMED)) {
    searched += piece.length;
    if (searched > SEARCHED) break;
    rest += piece;
    const end = isBehind ? 0 : rest.search(END_OF_CELLS);
    isBehind ||= end >= 0;
    if (isBehind)
      for (const [tag] of rest.slice(end).matchAll(MERGED)) {
        const [, column, first, last] = MERGED_FROM.exec(tag) ?? [];
        if (column === undefined) continue;
        if (++count > MOST_MERGED) throw tooMuch();
        const line = Number(first);
        const here = merges.get(line) ?? [];
        here.push({ column: columnOf(column), to: Number(last) });
        merges.set(line, here);
      }
    const open = rest.lastIndexOf('<');
    rest = open > rest.lastIndexOf('>') && rest.length - open < TAG ? rest.slice(open) : '';
  }
  return merges;
}

function lineOf(row: string): number {
  const line = Number(row);
  if (!Number.isInteger(line) || line < 1 || line > MOST_ROWS) throw new Error('A row stands nowhere.');
  return line;
}

const isTrue = (text = ''): boolean => /^\s*(1|true)\s*$/.test(text);

/** From 0; `AB12` stands in the column of `AB`. */
function columnOf(reference: string): number {
  let column = 0;
  for (const letter of /^[A-Z]{1,3}/i.exec(reference)?.[0].toUpperCase() ?? '')
    column = column * 26 + letter.charCodeAt(0) - 64;
  if (column === 0) throw new Error('A cell stands nowhere.');
  return column - 1;
}

/** Whether it holds a text, or a number that is shown as a name, such as a postal code. */
const isText = ({ type, style }: RawCell, { formats }: CellContext): boolean =>
  TEXTS.has(type) || (type === 'n' && formats[style]?.format?.digits !== undefined);
const TEXTS: ReadonlySet<string> = new Set(['inlineStr', 's', 'str']);

/** Of a formula that nobody has computed the value is there, and empty. */
const isFilled = (value = ''): boolean => value.trim() !== '';

function cellText(
  { type, style, value, formula }: RawCell,
  inline: string,
  { texts, formats, system }: CellContext,
): string {
  if (type === 'inlineStr') return inline;
  const isComputed = value !== undefined && (type === 'str' || isFilled(value));
  if (!isComputed) return formula === undefined ? '' : formulaText(formula);
  if (type === 's') return sharedText(texts, value);
  if (type === 'str') return unescaped(value);
  if (type === 'e') return value;
  if (type === 'b') return isTrue(value) ? 'true' : 'false';
  if (type === 'd') return writtenMoment(value);
  const format = formats[style]?.format;
  if (format?.digits !== undefined) return digitsText(value, format.digits);
  return format ? momentText(value, format, system) : numberText(value);
}

function sharedText(texts: readonly string[], place: string): string {
  const text = texts[Number(place)];
  if (text === undefined) throw new Error('A cell names a text that is not there.');
  return text;
}
