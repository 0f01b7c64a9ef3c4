import { includesWords, sizeRefusal, type Archive } from './archive.ts';
import type { DaySystem } from './cell-text.ts';
import { leftOutOfXlsx } from './left-out.ts';
import { keepAddress } from './links.ts';
import { MAX_NAME_CHARS, MAX_SHEETS, type Workbook } from './workbook.ts';
import { readStyles, isTrue, parsePart, openSharedTexts, type Style } from './xlsx-parts.ts';
import { NO_END, readEnd, readRows, type SheetEnd } from './xlsx-rows.ts';

interface Relation {
  readonly target: string;
  /** Last segment of the type, such as `worksheet`. */
  readonly kind: string;
}

/**
 * Opens an Office Open XML workbook (ECMA-376, part 1). Throws an Error if it is none, the refusal `sheet.size` beyond
 * the limits.
 * @param maxChars characters to read of each sheet and of the shared texts
 */
export async function openXlsx(archive: Archive, maxChars = Infinity): Promise<Workbook> {
  const root = await readRelations(archive, '');
  const main = [...root.values()].find(({ kind }) => kind === 'officeDocument')?.target ?? 'xl/workbook.xml';
  const relations = await readRelations(archive, main);
  const { sheets, system: declared, isToCalculate } = await readSheets(archive, main, relations);
  const system = declared === 1900 && (await isOfLibreOffice(archive)) ? 1899 : declared;
  const partOf = (kind: string): string | undefined =>
    [...relations.values()].find((relation) => relation.kind === kind)?.target;
  const texts = openSharedTexts(archive, partOf('sharedStrings'), maxChars);
  let styles: Promise<readonly Style[]> | undefined;
  const ends = new Map<string, Promise<SheetEnd>>();
  /**
   * Yields the sheet's rows. Before the first it reads styles, and merged cells and links only for a listener with
   * `merged`. Throws for an unknown sheet.
   */
  const rows: Workbook['rows'] = async function* (sheet, listener) {
    const part = sheets[sheet]?.part;
    if (part === undefined) throw new Error('There is no such sheet.');
    const formats = await (styles ??= readStyles(archive, partOf('styles')));
    // Content checks and previews need none.
    const end = listener?.merged
      ? (ends.get(part) ?? readAddresses(archive, part).then((all) => readEnd(archive, part, all)))
      : Promise.resolve(NO_END);
    if (listener?.merged) ends.set(part, end);
    yield* readRows(archive, part, {
      ...{ texts, formats, system, isToCalculate, listener },
      ...{ end: await end, maxChars },
    });
  };
  return {
    sheets: sheets.map(({ name }) => name),
    leftOut: leftOutOfXlsx(archive.parts),
    filledSheets: (most) => findFilledSheets(sheets, rows, most),
    rows,
  };
}

/** Returns whether LibreOffice or a product of it saved the workbook; false also if its properties are unreadable. */
const isOfLibreOffice = (archive: Archive): Promise<boolean> =>
  includesWords(archive, 'docProps/app.xml', 'LibreOffice_project').catch(() => false);

const MAX_EXAMINED = 100;

/**
 * Returns indexes of sheets with content, visible ones first, among the first 100. An unreadable sheet counts only if
 * none has content before it.
 * @param maxSheets limit of the result
 */
async function findFilledSheets(
  sheets: readonly Sheet[],
  rows: Workbook['rows'],
  maxSheets = Infinity,
): Promise<readonly number[]> {
  const all = [...sheets.entries()];
  const inOrder = [
    ...all.filter(([, { isHidden }]) => !isHidden),
    ...all.filter(([, { isHidden }]) => isHidden),
  ];
  const filled: number[] = [];
  const empty = new Set<string>();
  for (const [at, { part }] of inOrder.slice(0, MAX_EXAMINED)) {
    if (filled.length >= maxSheets) break;
    if (empty.has(part)) continue;
    const reading = rows(at);
    // An unreadable first sheet counts: choosing it gives its error.
    const first = await reading.next().catch(() => ({ done: filled.length > 0 }));
    await reading.return(undefined);
    if (first.done === true) empty.add(part);
    else filled.push(at);
  }
  return filled;
}

/** Returns a part's relations within the package by id; empty without any. */
async function readRelations(archive: Archive, part: string): Promise<Map<string, Relation>> {
  const folder = folderOf(part);
  const relations = new Map<string, Relation>();
  const listed = relationsOf(part);
  if (!archive.has(listed)) return relations;
  await parsePart(archive, listed, (name, { Id = '', Type = '', Target = '', TargetMode }) => {
    if (name !== 'Relationship' || TargetMode === 'External') return;
    const { pathname } = new URL(Target, `part:///${folder}`);
    relations.set(Id, { target: decodeURI(pathname.slice(1)), kind: Type.slice(Type.lastIndexOf('/') + 1) });
  });
  return relations;
}

/** Returns a part's addresses outside the package by relation id: 100,000 at most. */
async function readAddresses(archive: Archive, part: string): Promise<Map<string, string>> {
  const addresses = new Map<string, string>();
  const listed = relationsOf(part);
  if (!archive.has(listed)) return addresses;
  await parsePart(archive, listed, (name, { Id = '', Target = '', TargetMode }) => {
    if (name === 'Relationship' && TargetMode === 'External' && addresses.size < MAX_ADDRESSES)
      addresses.set(Id.slice(0, MAX_NAME_CHARS), keepAddress(Target));
  });
  return addresses;
}

const MAX_ADDRESSES = 100_000;
const folderOf = (part: string): string => part.slice(0, part.lastIndexOf('/') + 1);
const relationsOf = (part: string): string =>
  `${folderOf(part)}_rels/${part.slice(folderOf(part).length)}.rels`;

interface Sheet {
  readonly name: string;
  readonly part: string;
  readonly isHidden: boolean;
}

/**
 * Returns the worksheets, the epoch of dates, and whether formulas have no results yet. Throws `sheet.size` for over
 * 10,000 sheets or a name of over 1,000 characters.
 */
async function readSheets(
  archive: Archive,
  main: string,
  relations: ReadonlyMap<string, Relation>,
): Promise<{
  readonly sheets: readonly Sheet[];
  readonly system: DaySystem;
  readonly isToCalculate: boolean;
}> {
  const sheets: Sheet[] = [];
  let system: DaySystem = 1900;
  let isToCalculate = false;
  await parsePart(
    archive,
    main,
    (tag, { name = '', id = '', state = 'visible', date1904, fullCalcOnLoad }) => {
      if (tag === 'calcPr') isToCalculate = isTrue(fullCalcOnLoad);
      if (tag === 'workbookPr' && isTrue(date1904)) system = 1904;
      const relation = relations.get(id);
      if (tag !== 'sheet' || relation?.kind !== 'worksheet') return;
      if (sheets.length >= MAX_SHEETS || name.length > MAX_NAME_CHARS) throw sizeRefusal();
      sheets.push({ name, part: relation.target, isHidden: state !== 'visible' });
    },
  );
  return { sheets, system, isToCalculate };
}
