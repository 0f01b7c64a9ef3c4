import { strToU8, unzipSync, zipSync } from 'fflate';
import { madeOds, madeXlsx } from '../data/made-workbook.ts';
import type { Seeded } from '../data/seeded.ts';

/** A file that an import is tried with, and how it was made, so that a failure can be told. */
export interface MutatedFile {
  readonly what: string;
  readonly bytes: Uint8Array;
}

const PRICES =
  'Artikel;Bezeichnung;EK;VK;Seit\n4711;Schraube M8;1,20;2,49;01.03.2024\n4712;"Mutter; verzinkt";0,40;0,99;17.11.2023\n4713;Unterlegscheibe;1.118,68;2.126,90;02.02.2022\n';
const CUSTOMERS =
  'No,Name,City,Email,Since\n1,"Größmann, Ada",Łódź,ada@example.org,2024-01-31\n2,Bo,"São ""Paulo""",bo@example.org,2023-12-01\n3,Cy,京都,,2022-06-30\n';

const cells = (values: readonly string[]): string =>
  values
    .map((value) =>
      /^[\d.]+$/.test(value)
        ? `<c s="1"><v>${value}</v></c>`
        : `<c t="inlineStr"><is><t>${value}</t></is></c>`,
    )
    .join('');
const LINES = [
  ['Nr', 'Name', 'Betrag'],
  ['1', 'Ada', '118.68'],
  ['2', 'Bo', '126949'],
  ['3', 'Cy', '0.5'],
];
const styles =
  '<numFmts><numFmt numFmtId="170" formatCode="#,##0.00\\ [$€-407]"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="170"/></cellXfs>';
const XLSX = madeXlsx({
  sheets: { Kunden: LINES.map((line) => `<row>${cells(line)}</row>`).join(''), Leer: '' },
  styles,
  texts: '<si><t>Ulm</t></si>',
  before: '<cols><col min="2" max="2" hidden="1"/></cols>',
  after: '<mergeCells><mergeCell ref="A1:A2"/></mergeCells>',
});
const ODS = madeOds(
  `<table:table-column table:number-columns-repeated="3" table:default-cell-style-name="ce1"/>${LINES.map(
    (line) =>
      `<table:table-row>${line
        .map((value) =>
          /^[\d.]+$/.test(value)
            ? `<table:table-cell office:value-type="currency" office:currency="EUR" office:value="${value}"><text:p>${value}</text:p></table:table-cell>`
            : `<table:table-cell office:value-type="string"><text:p>${value}</text:p></table:table-cell>`,
        )
        .join('')}</table:table-row>`,
  ).join('')}`,
  '<number:number-style style:name="N1"><number:number number:decimal-places="2"/><number:text> kg</number:text></number:number-style><style:style style:name="ce1" style:family="table-cell" style:data-style-name="N1"/>',
);

const ODD_BYTES = [
  0x00, 0x09, 0x0a, 0x0d, 0x22, 0x27, 0x2c, 0x3b, 0x3c, 0x3d, 0x5c, 0x7c, 0x80, 0xc3, 0xef, 0xfe, 0xff,
];
const ODD_TEXTS = [
  '"',
  '""',
  ';',
  '\t',
  '\r',
  '\0',
  '=HYPERLINK("x")',
  '-1.234,56',
  '1e309',
  '99999999999999999999999',
  '\ufffe',
  '\ud800',
  '<',
  '&#0;',
  '&lol;',
  '<![CDATA[',
  ']]>',
  '9'.repeat(5000),
  ' '.repeat(60_000),
  '('.repeat(20_000),
  'a|'.repeat(20_000),
  'PT9999999999H',
  '2024-02-30',
];
const ODD_NUMBERS = ['-1', '0', '1', '16384', '1048576', '4000000000', '1e9', 'NaN', ''];

const splice = (bytes: Uint8Array, from: number, to: number, put: Uint8Array): Uint8Array =>
  Buffer.concat([bytes.subarray(0, from), put, bytes.subarray(to)]);

/** Changes a few bytes: other ones, fewer, more, or the same ones many times. */
function mutateBytes(bytes: Uint8Array, luck: Seeded): Uint8Array {
  let mutated = bytes;
  for (let left = 1 + luck.below(8); left > 0; left--) {
    const at = luck.below(mutated.length + 1);
    const end = Math.min(mutated.length, at + luck.below(40));
    const some = mutated.subarray(at, end);
    switch (luck.below(5)) {
      case 0:
        mutated = splice(mutated, at, Math.min(at + 1, mutated.length), Uint8Array.of(luck.pick(ODD_BYTES)));
        break;
      case 1:
        mutated = splice(mutated, at, end, new Uint8Array());
        break;
      case 2:
        mutated = splice(
          mutated,
          at,
          at,
          Buffer.concat(Array.from({ length: luck.below(2000) }, () => some)),
        );
        break;
      case 3:
        mutated = splice(mutated, at, at, strToU8(luck.pick(ODD_TEXTS)));
        break;
      default:
        mutated = splice(
          mutated,
          at,
          at,
          Uint8Array.from({ length: luck.below(64) }, () => luck.below(256)),
        );
    }
  }
  return mutated;
}

/** Changes XML where it means something: attributes, texts and tags, some of them many times. */
function mutateXml(xml: string, luck: Seeded): string {
  let mutated = xml;
  for (let left = 1 + luck.below(4); left > 0; left--) {
    const places = [...mutated.matchAll(luck.pick([/="[^"]*"/g, />[^<]+</g, /<[^<>]+>/g]))];
    if (places.length === 0) return mutated;
    const { index, 0: found } = luck.pick(places);
    const put = found.startsWith('=')
      ? `="${luck.pick([...ODD_NUMBERS, ...ODD_TEXTS]).replace(/["<]/g, '')}"`
      : found.startsWith('>')
        ? `>${luck.pick(ODD_TEXTS)}<`
        : found.repeat(luck.pick([0, 2, 50, 20_000]));
    mutated = mutated.slice(0, index) + put + mutated.slice(index + found.length);
    if (mutated.length > 4_000_000) return mutated;
  }
  return mutated;
}

function mutateWorkbook(workbook: Uint8Array, luck: Seeded): Uint8Array {
  const parts = unzipSync(workbook);
  const names = Object.keys(parts);
  const name = luck.pick(names);
  switch (luck.below(6)) {
    case 0:
      return mutateBytes(workbook, luck);
    case 1:
      Reflect.deleteProperty(parts, name);
      break;
    case 2:
      parts[luck.pick([name.toUpperCase(), `../${name}`, luck.pick(names)])] =
        parts[name] ?? new Uint8Array();
      break;
    case 3:
      // Packs into little.
      parts[name] = Buffer.concat([
        parts[name] ?? new Uint8Array(),
        Buffer.alloc(luck.below(64) * 1024 * 1024, 32),
      ]);
      break;
    default:
      parts[name] = strToU8(mutateXml(Buffer.from(parts[name] ?? []).toString('utf8'), luck));
  }
  const packed = zipSync(parts, { level: 6 });
  return luck.happens(0.1) ? mutateBytes(packed, luck) : packed;
}

/** A whole file to mutate. */
export interface SeedFile {
  readonly kind: 'xlsx' | 'ods' | 'csv';
  readonly bytes: Uint8Array;
}

/** A file as an office may have it, mutated as the luck decides. Without `seeds` one of its own is taken. */
export function mutatedFile(luck: Seeded, seeds: readonly SeedFile[] = []): MutatedFile {
  if (seeds.length > 0 && luck.happens(0.6)) {
    const { kind, bytes } = luck.pick(seeds);
    return { what: kind, bytes: kind === 'csv' ? mutateBytes(bytes, luck) : mutateWorkbook(bytes, luck) };
  }
  const kind = luck.pick(['xlsx', 'ods', 'csv'] as const);
  if (kind === 'csv') {
    const text = luck.pick([PRICES, CUSTOMERS]).repeat(luck.pick([1, 1, 1, 100, 100, 3000]));
    const bytes = Buffer.from(text, luck.pick(['utf8', 'latin1', 'utf16le'] as const));
    return { what: kind, bytes: mutateBytes(bytes, luck) };
  }
  return { what: kind, bytes: mutateWorkbook(kind === 'xlsx' ? XLSX : ODS, luck) };
}
