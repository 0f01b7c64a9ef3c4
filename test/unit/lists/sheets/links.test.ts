import { describe, expect, it } from 'vitest';
import { importTable } from '../../../../server/lists/csv/import.ts';
import { readTable } from '../../../../server/lists/csv/read.ts';
import { english } from '../../../../server/words/said.ts';
import { testLists } from '../../../support/harness/lists.ts';
import { madeOds, madeXlsx } from '../../../support/data/made-workbook.ts';

const LINK = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink';
const SITE = 'https://kern.example/auftrag/17';

interface Linked {
  /** By the reference of their cells. */
  readonly links?: Readonly<Record<string, string>>;
  /** By the cell's row. */
  readonly formulas?: Readonly<Record<number, string>>;
}

/** A sheet of the column “Name” with these texts. */
function xlsx(texts: readonly string[], { links = {}, formulas = {} }: Linked): Buffer {
  const rows = ['Name', ...texts].map((text, at) => {
    const formula = formulas[at + 1];
    const cell =
      formula === undefined
        ? `<c r="A${at + 1}" t="inlineStr"><is><t>${text}</t></is></c>`
        : `<c r="A${at + 1}" t="str">${formula}<v>${text}</v></c>`;
    return `<row r="${at + 1}">${cell}<c r="B${at + 1}"><v>${at}</v></c></row>`;
  });
  const all = Object.entries(links);
  const relations = all.map(
    ([, target], at) =>
      `<Relationship Id="rId${at}" Type="${LINK}" Target="${target}" TargetMode="External"/>`,
  );
  const tags = all.map(([ref], at) => `<hyperlink ref="${ref}" r:id="rId${at}" tooltip="Öffnen"/>`).join('');
  return madeXlsx({
    sheets: { Kunden: rows.join('') },
    after: `<hyperlinks xmlns:r="x">${tags}<hyperlink ref="A3" location="Kunden!A1"/></hyperlinks>`,
    others: {
      'xl/worksheets/_rels/sheet1.xml.rels': `<Relationships>${relations.join('')}</Relationships>`,
    },
  });
}

const linkedIn = async (file: Buffer): Promise<number> => (await readTable(file, {})).linked;

describe('links in a workbook', () => {
  it.each([
    ['with another text', { A2: SITE }, 1],
    ['over several cells', { 'A2:A4': SITE }, 3],
    ['with another address of mail', { A2: 'mailto:buero@kern.example' }, 1],
    ['that show their address', { A4: 'mailto:anna@kern.example' }, 0],
    ['that show it without its scheme', { A5: 'https://www.kern.example/' }, 0],
    ['of cells without a text', { A9: SITE }, 0],
  ])('of xlsx %s', async (_what, links, count) => {
    const texts = ['Auftrag 17', 'Weiß', 'anna@kern.example', 'www.kern.example'];
    expect(await linkedIn(xlsx(texts, { links }))).toBe(count);
  });

  it.each([
    ['with its address', { 2: `<f>HYPERLINK("${SITE}","Auftrag 17")</f>` }, 1],
    ['that is computed', { 2: '<f>IF(B2="","",HYPERLINK(B2&amp;"/17",A1))</f>' }, 1],
    ['with a place in the workbook', { 2: '<f>HYPERLINK("#Kunden!A1","Auftrag 17")</f>' }, 0],
    [
      'that cells share',
      { 2: '<f t="shared" ref="A2:A3" si="0">HYPERLINK(B2,A1)</f>', 3: '<f t="shared" si="0"/>' },
      2,
    ],
    ['of another kind', { 2: '<f>UPPER(A1)</f>', 3: '<f>LOWER("Hyperlink")</f>' }, 0],
  ])('of xlsx in a formula %s', async (_what, formulas, count) => {
    expect(await linkedIn(xlsx(['Auftrag 17', 'Weiß'], { formulas }))).toBe(count);
  });

  it.each([
    ['with another text', `<text:p><text:a xlink:href="${SITE}">Auftrag 17</text:a></text:p>`, 1],
    ['beside text', `<text:p>siehe <text:a xlink:href="${SITE}">${SITE}</text:a></text:p>`, 1],
    ['that shows its address', `<text:p><text:a xlink:href="${SITE}/">${SITE}</text:a></text:p>`, 0],
    ['to a place in it', '<text:p><text:a xlink:href="#Kunden.A1">Auftrag 17</text:a></text:p>', 0],
    ['without a link', '<text:p>Auftrag 17</text:p>', 0],
  ])('of ods %s', async (_what, paragraph, count) => {
    const row = (content: string): string =>
      `<table:table-row><table:table-cell office:value-type="string">${content}</table:table-cell></table:table-row>`;
    const rows = row('<text:p>Name</text:p>') + row(paragraph);
    expect(await linkedIn(madeOds(rows.replaceAll('xlink:', 'table:')))).toBe(count);
  });

  it('of ods in a formula', async () => {
    const formula = `of:=HYPERLINK(&quot;${SITE}&quot;;&quot;Auftrag 17&quot;)`;
    const rows =
      '<table:table-row><table:table-cell office:value-type="string"><text:p>Name</text:p></table:table-cell></table:table-row>' +
      `<table:table-row><table:table-cell table:formula="${formula}" office:value-type="string"><text:p>Auftrag 17</text:p></table:table-cell></table:table-row>`;
    expect(await linkedIn(madeOds(rows))).toBe(1);
  });

  it('are named before the import', async () => {
    const { lists } = await testLists();
    const file = xlsx(['Auftrag 17', 'Auftrag 18'], { links: { A2: SITE, A3: `${SITE}8` } });
    const { notes } = await importTable(lists, file, { to: { name: 'Aufträge' }, by: '7' });
    expect(notes.map((note) => english(note))).toEqual([
      '2 cells hold a link under another text. The addresses aren’t imported. To keep addresses, put them in a column of their own.',
    ]);
  });

  it('of a hostile sheet over all its cells cost no more than a few', async () => {
    const file = xlsx(['Auftrag 17'], { links: { 'A1:XFD1048576': SITE, 'A2:XFD1048576': `${SITE}8` } });
    expect(await linkedIn(file)).toBeGreaterThan(0);
  });

  it('of a hostile sheet over the same cells cost no more than a few', { timeout: 10_000 }, async () => {
    const rows = '<row r="1"><c r="A1" t="inlineStr"><is><t>Name</t></is></c></row>';
    const file = madeXlsx({
      sheets: { Kunden: `${rows}<row r="2"><c r="A2"><v>1</v></c></row>` },
      after: `<hyperlinks xmlns:r="x">${'<hyperlink ref="A1:XFD6" r:id="rId0"/>'.repeat(5000)}</hyperlinks>`,
      others: {
        'xl/worksheets/_rels/sheet1.xml.rels': `<Relationships><Relationship Id="rId0" Type="${LINK}" Target="${SITE}" TargetMode="External"/></Relationships>`,
      },
    });
    expect(await linkedIn(file)).toBe(2);
  });
});
