import type { LeftOut } from '../../base/vocabulary.ts';
import { STREAMED, tooMuch, type Archive } from './archive.ts';
import { leftOutOfOds } from './left-out.ts';
import { createNumberStyles } from './number-styles.ts';
import { CONTENT, inSheets, rowsOf } from './ods-rows.ts';
import { MAX_NAME_CHARS, MOST_SHEETS, type Workbook } from './workbook.ts';
import { readXml, type Attributes, type XmlReader } from './xml.ts';

const STYLES = 'styles.xml';
/**
 * A workbook of OpenDocument (ISO/IEC 26300-3): its sheets, without what changed in them before and what is noted at cells.
 * @throws where it is none; Refusal `impossible`: more than can be read
 */
export async function openOds(archive: Archive): Promise<Workbook> {
  const sheets: string[] = [];
  const styles = createNumberStyles();
  // Formats that programs share among documents stand apart.
  if (archive.has(STYLES)) await readAll(archive, STYLES, styles);
  const leftOut = new Set<LeftOut>(leftOutOfOds(archive.parts));
  const content = inSheets(
    (_at, name) => {
      if (sheets.length >= MOST_SHEETS || name.length > MAX_NAME_CHARS) throw tooMuch();
      sheets.push(name);
    },
    {
      // Behind the first sheet there are none.
      open: (name, attributes) => sheets.length === 0 && styles.open(name, attributes),
      text: (text) => sheets.length === 0 && styles.text(text),
      close: (name) => sheets.length === 0 && styles.close(name),
    },
  );
  await readAll(archive, CONTENT, {
    ...content,
    open(name, attributes) {
      const what = leftOutIn(name, attributes);
      if (what) leftOut.add(what);
      content.open?.(name, attributes);
    },
  });
  return {
    sheets,
    leftOut: [...leftOut],
    firstFilled: () => firstFilled(archive),
    rows: (sheet, told) => rowsOf(archive, { sheet, styles, told }),
  };
}

/** What stands among the cells and no list takes. */
function leftOutIn(name: string, { formula = '' }: Attributes): LeftOut | undefined {
  if (name === 'annotation') return 'comments';
  if (name === 'data-pilot-table') return 'pivots';
  return name === 'table-source' || /\[?'(file|https?):\/\//.test(formula) ? 'links' : undefined;
}

async function readAll(archive: Archive, part: string, reader: XmlReader): Promise<void> {
  const reading = readXml(archive.text(part, STREAMED), reader);
  while ((await reading.next()).done !== true);
}

/** All sheets stand in one part, which is read no further than to the first row that holds anything. */
async function firstFilled(archive: Archive): Promise<number> {
  const reading = rowsOf(archive, {});
  const first = await reading.next();
  await reading.return(undefined);
  return first.done === true ? 0 : (first.value[0]?.sheet ?? 0);
}
