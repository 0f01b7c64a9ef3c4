import { strToU8, zipSync } from 'fflate';

/** What stands in a workbook that no spreadsheet program made, part by part. */
export interface MadeXlsx {
  /** By their names, what stands in each sheet's data: `<row>…</row>`. */
  readonly sheets: Readonly<Record<string, string>>;
  /** What stands in the list of styles. */
  readonly styles?: string;
  /** `<si>…</si>`, one after the other. */
  readonly texts?: string;
  /** Where the texts stand; usually `sharedStrings.xml`. */
  readonly textsPart?: string;
  /** What kind each sheet is; `worksheet` unless said. */
  readonly kinds?: Readonly<Record<string, string>>;
  readonly is1904?: boolean;
  /** All formulas are still to be calculated, as scripts write workbooks. */
  readonly isToCalculate?: boolean;
  /** What stands before the rows of each sheet, such as its columns. */
  readonly before?: string;
  /** What stands behind them, such as which cells are merged. */
  readonly after?: string;
  /** What else is packed with it, by its path. */
  readonly others?: Readonly<Record<string, string>>;
  /** Names of the sheets that are not shown. */
  readonly hidden?: readonly string[];
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';

const relations = (all: readonly (readonly [id: string, kind: string, target: string])[]): string =>
  `<Relationships xmlns="${PACKAGE}">${all
    .map(([id, kind, target]) => `<Relationship Id="${id}" Type="${RELATIONS}/${kind}" Target="${target}"/>`)
    .join('')}</Relationships>`;

export function madeXlsx({
  sheets,
  styles = '',
  texts = '',
  textsPart = 'sharedStrings.xml',
  kinds = {},
  is1904 = false,
  isToCalculate = false,
  before = '',
  after = '',
  others = {},
  hidden = [],
}: MadeXlsx): Buffer {
  const names = Object.keys(sheets);
  const parts: Record<string, string> = {
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': relations([['rId1', 'officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><workbookPr date1904="${is1904 ? 1 : 0}"/><sheets>${names
      .map(
        (name, at) =>
          `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}" state="${hidden.includes(name) ? 'veryHidden' : 'visible'}"/>`,
      )
      .join('')}</sheets>${isToCalculate ? '<calcPr calcId="124519" fullCalcOnLoad="1"/>' : ''}</workbook>`,
    'xl/_rels/workbook.xml.rels': relations([
      ...names.map(
        (name, at) => [`rId${at + 1}`, kinds[name] ?? 'worksheet', `worksheets/sheet${at + 1}.xml`] as const,
      ),
      ['texts', 'sharedStrings', textsPart],
      ['styles', 'styles', 'styles.xml'],
    ]),
    'xl/styles.xml': `<styleSheet xmlns="${MAIN}">${styles}</styleSheet>`,
    [`xl/${textsPart}`]: `<sst xmlns="${MAIN}">${texts}</sst>`,
    ...Object.fromEntries(
      names.map((name, at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        `<worksheet xmlns="${MAIN}">${before}<sheetData>${sheets[name] ?? ''}</sheetData>${after}</worksheet>`,
      ]),
    ),
  };
  return packed({ ...parts, ...others });
}

/**
 * @param table what stands in its one sheet: `<table:table-row>…</table:table-row>`
 * @param styles those of its cells and numbers
 * @param settings elements before the sheet
 */
export function madeOds(table: string, styles = '', settings = ''): Buffer {
  return packed({
    mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
    'content.xml': `<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:number="urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0"><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:spreadsheet>${settings}<table:table table:name="S">${table}</table:table></office:spreadsheet></office:body></office:document-content>`,
  });
}

const packed = (parts: Readonly<Record<string, string>>): Buffer =>
  Buffer.from(
    zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])), {
      level: 1,
    }),
  );
