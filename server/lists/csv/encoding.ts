import iconv from 'iconv-lite';
import { isUtf8 } from 'node:buffer';
import { Refusal } from '../../base/refusal.ts';
import { said, type Said } from '../../words/said.ts';
import { passwordRefusal } from '../sheets/archive.ts';
import { looksDeclared } from './delimiter.ts';
import { hasSignsOnly, kanaShare, countLetterFlaws, type LetterFlaws } from './letter-flaws.ts';

/** OLE: old office documents and encrypted new ones. */
const OLD_WORKBOOK = Buffer.from([0xd0, 0xcf, 0x11, 0xe0]);
const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le');
/** HTML, XML, JSON, RTF, PDF, SYLK, DIF, vCard and MT940, also named as spreadsheets. */
const DOCUMENT =
  /^(?:\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)?\s*(?:mime-version:\s*1|<!doctype html|<\?xml\s|<!--|<(?:html|head|body|table|meta|style)[\s>]|\{\\rtf\d|%pdf-\d|ID;P(?:WXL|CALC|SCALC)|table\s+0,1\s+"|begin:v(?:card|calendar)\s|:20:|\[\s*\{\s*"|\{\s*"[^"]{1,80}"\s*:)/i;
const START = 256;
const SLICE = 64 * 1024;
const SAMPLE = 256 * 1024;
const TELLING = 16 * 1024;
const LINE = 2048;

/** Longest first: UTF-32LE begins like UTF-16LE. */
const BYTE_ORDER_MARKS: readonly (readonly [string, readonly number[]])[] = [
  ['UTF-8', [0xef, 0xbb, 0xbf]],
  ['UTF-32LE', [0xff, 0xfe, 0, 0]],
  ['UTF-32BE', [0, 0, 0xfe, 0xff]],
  ['UTF-16LE', [0xff, 0xfe]],
  ['UTF-16BE', [0xfe, 0xff]],
];

const WIDE = ['UTF-16LE', 'UTF-16BE', 'UTF-32LE', 'UTF-32BE'];

/** Preferred first among equal texts. */
const LEGACY: readonly string[] = [
  ...['windows-1252', 'windows-1250', 'windows-1251', 'windows-1253', 'windows-1254', 'windows-1255'],
  ...['windows-1256', 'windows-1257', 'ISO-8859-15', 'ISO-8859-2', 'ISO-8859-5', 'ISO-8859-7', 'macintosh'],
  ...[
    'cp850',
    'cp437',
    'cp852',
    'cp866',
    'KOI8-R',
    'windows-874',
    'Shift_JIS',
    'EUC-JP',
    'EUC-KR',
    'GB18030',
    'Big5',
  ],
];
const FREQUENCY: Readonly<Record<string, number>> = { 'windows-1252': 1.15, macintosh: 0.95, cp437: 0.95 };
/** Fits no encoding; none of these texts is ASCII. */
const NONE = 'ascii';
/** Fraction of the best score that names an alternative, by number of non-ASCII characters. */
const DOUBTS: readonly { readonly marks: number; readonly share: number }[] = [
  { marks: 40, share: 0.85 },
  { marks: 5, share: 0.6 },
  { marks: 3, share: 0.4 },
  { marks: 0, share: 0.15 },
];
/**
 * Nearly all ideographs of either are valid in the other. Low scores mean unusual text, such as Japanese
 * without kana: this fraction of the best score is in doubt.
 */
const IDEOGRAPHS: readonly string[] = ['EUC-JP', 'GB18030'];
const JAPANESE: readonly string[] = ['Shift_JIS', 'EUC-JP'];
const [LOW_SCORE, DOUBT_LOW] = [0.3, 0.3];
const C1 = /[\u0080-\u009f]/;
const EVERY_C1 = new RegExp(C1, 'g');
const C1_WEIGHT = 0.01;
const FEW_MARKS = 20;
const FEW_WORDS = 3;
/** For alphabets from Greek to Thai: single-byte encodings read one as another without a flaw. */
const FEW_FOREIGN_WORDS = 8;
const FOREIGN_ALPHABET = /[\u0370-\u0e7f]{2}/;
const FOREIGN_WORD = /(?<![a-z])[^\0-\x7f]{2}(?![a-z])/i;
const USUAL: readonly string[] = ['windows-1252', 'windows-1250'];
/** A byte can be a word of one letter in one of them, and a sign in another: `É preciso`, `à payer`, `ø`. */
const WESTERN: readonly string[] = ['windows-1252', 'macintosh', 'cp850'];
const WORDS_OF_A_LETTER = /(?<!\p{L}|\d ?)(?:[àáèéêíòóôöåæ](?= \p{L})|ø(?!\p{L}))/giu;
/** So few different non-ASCII letters prove no language. */
const FEW_LETTERS = 2;
const USUAL_OF_FEW_LETTERS: readonly string[] = [...USUAL, 'windows-1254'];
/** Windows-1252 has these where others have usual letters. */
const RARE_LETTERS = /[ŠšŽžŸƒ]/;
const MAX_ALTERNATIVES = 3;
const RARE: readonly string[] = [
  ...['cp857', 'cp737', 'cp862', 'cp1125', 'cp860', 'cp861', 'cp775'],
  ...['maccyrillic', 'macgreek', 'ISO-8859-6', 'ISO-8859-16'],
];
/** Encodings of old computers, or seldom used. A text that fits one may really be in one of {@link RARE}. */
const SELDOM = /^(?:cp\d+|macintosh|KOI8-R|ISO-8859-[57]|windows-874)$/;
/** They share small letters with one of {@link RARE}, or have capitals where that has letters. */
const CYRILLIC: readonly string[] = ['windows-1251', 'cp866'];
/** Right readings of a few words score at least 0.02. */
const [UNLIKELY_SCORE, UNLIKELY_FLAWS] = [0.012, 1 / 12];
const EXAMPLE_LENGTH = 60;

export interface GuessedEncoding {
  readonly encoding: string;
  readonly alternatives: readonly string[];
  readonly example?: string;
}

/**
 * Encoding detection: guesses a text's encoding, with up to three alternatives: by byte order mark, zero bytes, valid
 * UTF-8, then statistics.
 * @throws Refusal `csv.no-text` if the file is no text, `sheet.password` for an encrypted workbook
 */
export async function guessEncoding(bytes: Buffer): Promise<GuessedEncoding> {
  if (bytes.subarray(0, 4).equals(OLD_WORKBOOK))
    throw bytes.includes(ENCRYPTED) ? passwordRefusal() : noTextRefusal(said('sheet.old'));
  if (DOCUMENT.test(bytes.toString('latin1', 0, START).replaceAll('\0', '')))
    throw noTextRefusal(said('csv.document'));
  const marked = BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte));
  if (marked) return { encoding: marked[0], alternatives: [] };
  const sample = bytes.subarray(0, SAMPLE);
  if (sample.includes(0) && !isNarrow(sample.subarray(0, TELLING))) {
    const encoding = guessWideEncoding(sample);
    if (encoding === undefined) throw noTextRefusal(said('csv.no-text'));
    return { encoding, alternatives: [] };
  }
  if (isUtf8(bytes)) {
    const isEscaped = JAPANESE_ESCAPES.some((escape) => sample.includes(escape));
    return { encoding: isEscaped ? ISO_2022_JP : 'UTF-8', alternatives: [] };
  }
  return guessLegacy(linesBeyondASCII(bytes));
}

/** Returns whether over 2% of the text are control or undecodable characters, which texts hardly have. */
const isMostlyGarbled = (text: string): boolean =>
  (text.match(/[^\P{C}\t\r\n\p{Cf}]|\ufffd/gu)?.length ?? 0) > text.length / 50;

const MAX_ZEROS = 1 / 4;

/**
 * Returns whether the bytes are no UTF-16 or UTF-32. In narrow encodings too, databases write zero bytes for unknown
 * values.
 */
function isNarrow(sample: Buffer): boolean {
  const start = sample.toString('latin1');
  if (looksDeclared(start) || !isMostlyGarbled(start)) return true;
  const zeros = sample.filter((byte) => byte === 0);
  const broken = sample.toString('utf8').match(/[^\P{C}\0\t\r\n\p{Cf}\p{Cn}\p{Co}]|\ufffd/gu)?.length ?? 0;
  return zeros.length < sample.length * MAX_ZEROS && broken <= sample.length / 50;
}

/** Returns the wide encoding that gives most ASCII characters; undefined if none gives text. */
function guessWideEncoding(sample: Buffer): string | undefined {
  const [best] = WIDE.map((encoding) => {
    const text = iconv.decode(sample.subarray(0, TELLING), encoding, { stripBOM: true });
    const plain = text.match(/[\t\r\n\x20-\x7e]/g)?.length ?? 0;
    return { encoding, plain, isText: plain > 0 && !isMostlyGarbled(text) };
  })
    .filter(({ isText }) => isText)
    .sort((a, b) => b.plain - a.plain);
  return best?.encoding;
}

const [LF, CR] = [0x0a, 0x0d];
const endsLine = (byte: number): boolean => byte === LF || byte === CR;

/** After LF or CR; 0 without any. */
const endOfLines = (bytes: Buffer): number => Math.max(bytes.lastIndexOf(LF), bytes.lastIndexOf(CR)) + 1;

/** Returns about 16 KiB of lines with non-ASCII bytes; of long lines only the surroundings. */
function linesBeyondASCII(bytes: Buffer): Buffer {
  const lines: Buffer[] = [];
  let size = 0;
  for (let at = 0; at < bytes.length && size < TELLING; at++) {
    if ((bytes[at] ?? 0) <= 0x7f) continue;
    const before = bytes.subarray(Math.max(0, at - LINE), at);
    const behind = bytes.subarray(at, at + LINE);
    const start = at - before.length + endOfLines(before);
    const newline = behind.findIndex(endsLine);
    const end = at + (newline === -1 ? behind.length : newline + 1);
    lines.push(bytes.subarray(start, end));
    size += end - start;
    at = end - 1;
  }
  return Buffer.concat(lines);
}

interface Reading {
  readonly encoding: string;
  readonly text: string;
}

interface Candidate extends Reading, LetterFlaws {
  /** Different non-ASCII letters, and occurrences that the best alphabet lacks. */
  readonly letters: number;
  readonly apart: number;
  /** All non-ASCII characters are signs (`5 °C`, `it’s`): only other signs raise a doubt. */
  readonly isOfSigns?: boolean;
  readonly score: number;
}

/**
 * Guesses an 8-bit or Asian encoding, with up to three alternatives and a line that differs. UTF-8 with a few broken
 * bytes comes first. Throws `csv.no-text` if none fits.
 */
async function guessLegacy(sample: Buffer): Promise<GuessedEncoding> {
  const candidates = (await Promise.all(LEGACY.map((encoding) => scoreEncoding(sample, encoding)))).sort(
    (a, b) => b.score - a.score,
  );
  const [best] = candidates;
  if (!best) throw noTextRefusal(said('csv.no-text'));
  const utf8 = readBrokenUTF8(sample);
  const { text, score, words, marks, flaws, letters, isOfSigns = false } = utf8 ?? best;
  /** Returns the most usual encoding that reads the sample as this text; the best-scored one if none does. */
  const usualFor = (given: string, among: readonly Reading[] = candidates): string =>
    [...LEGACY, ...RARE].find((name) =>
      among.some((each) => each.encoding === name && each.text === given),
    ) ?? best.encoding;
  const encoding = utf8 ? 'UTF-8' : usualFor(text);
  const isLow = score < LOW_SCORE && IDEOGRAPHS.includes(encoding);
  const doubt = isLow ? DOUBT_LOW : (DOUBTS.find((each) => marks >= each.marks)?.share ?? 0);
  // Statistics fail on few words. A flawless text fits too if the best has flaws, either has words without
  // ASCII letters, or its encoding is usual.
  const isOdd = flaws >= 1 && marks < FEW_MARKS;
  const isForeign = FOREIGN_WORD.test(text);
  const isUsual = (each: Candidate): boolean => USUAL.includes(each.encoding) || FOREIGN_WORD.test(each.text);
  // And on a single letter: `mâine` looks Latvian as `māine`.
  const isRare = !USUAL.includes(encoding) || (encoding === USUAL[0] && RARE_LETTERS.test(text));
  /** Returns whether the text has few such letters, in this reading of one alphabet, and usual for it or `isRare`. */
  const isOfFewLetters = (each: Candidate): boolean =>
    letters > 0 &&
    letters <= FEW_LETTERS &&
    each.apart === 0 &&
    (isRare || USUAL_OF_FEW_LETTERS.includes(each.encoding));
  /** Returns whether a flawless reading may be right in spite of its score. */
  const mayBe = (each: Candidate): boolean =>
    each.flaws === 0 &&
    (isOdd ||
      (words <= FEW_WORDS && (isForeign || isUsual(each))) ||
      (words <= FEW_FOREIGN_WORDS && [text, each.text].every((one) => FOREIGN_ALPHABET.test(one))) ||
      isOfFewLetters(each));
  /** Returns whether the few signs may be letters of a Western encoding, flawless but for words of one letter. */
  const isOfShortWords = (each: Candidate): boolean =>
    words <= FEW_WORDS &&
    letters === 0 &&
    WESTERN.includes(each.encoding) &&
    each.flaws > 0 &&
    countLetterFlaws(each.text.replace(WORDS_OF_A_LETTER, '')).flaws === 0;
  /** Returns whether to offer the reading as an alternative. */
  const isLikely = (each: Candidate): boolean =>
    isOfShortWords(each) ||
    ((!isOfSigns || each.isOfSigns === true) &&
      ((each.score > 0 && each.score >= doubt * score) || mayBe(each)));
  const isUnlikely = score < UNLIKELY_SCORE || (flaws >= 2 && flaws >= marks * UNLIKELY_FLAWS);
  const likely = utf8 ? [best] : candidates.filter(isLikely);
  const isAlone = likely.every((each) => each.text === text);
  // Mac Cyrillic has other capitals than Windows-1251, DOS Ukrainian other letters, DOS Hebrew those for capitals.
  const isRareLikely =
    (SELDOM.test(encoding) && !isOfSigns) ||
    (CYRILLIC.includes(encoding) && (flaws >= 1 || !/[а-яё]/u.test(text)));
  const others =
    isUnlikely && isAlone
      ? readingsIfUnlikely(sample, candidates)
      : [...likely, ...(isRareLikely ? rareReadings(sample) : [])];
  const differing = new Set(others.filter((each) => each.text !== text).map((each) => each.text));
  const alternatives = [...differing].slice(0, MAX_ALTERNATIVES);
  const [first] = alternatives;
  return {
    encoding,
    alternatives: alternatives.map((given) => usualFor(given, [...candidates, ...others])),
    ...(first !== undefined ? { example: findDifferingLine(text, first) } : {}),
  };
}

/** Returns readings in rare encodings without flaws, then the candidates. */
const readingsIfUnlikely = (sample: Buffer, candidates: readonly Reading[]): readonly Reading[] => [
  ...rareReadings(sample),
  ...candidates,
];

/** Returns flawless readings in rare encodings. */
function rareReadings(sample: Buffer): readonly Reading[] {
  const rare = RARE.map((encoding) => ({ encoding, text: iconv.decode(sample, encoding) }));
  const flaws = ({ text }: Reading): number => countLetterFlaws(text).flaws + countForeignLetters(text).apart;
  return rare.filter((each) => flaws(each) === 0 && !C1.test(each.text));
}

/**
 * Scores a reading by the statistics of jschardet; lower for letters that words can't contain, higher for signs and
 * kana.
 */
async function scoreEncoding(sample: Buffer, encoding: string): Promise<Candidate> {
  const { chardet } = await import('jschardet');
  const text = correctSigns(iconv.decode(sample, tableOf(encoding)), encoding);
  const recased = text.replace(/\p{Lu}{2,}/gu, (word) => word.charAt(0) + word.slice(1).toLowerCase());
  const bytes = recased === text ? sample : iconv.encode(recased, tableOf(encoding));
  const found = chardet.detect(bytes, { includeEncodings: [encoding, NONE], noMatchEncoding: NONE });
  // Statistics miss Japanese lists in katakana.
  const kana = JAPANESE.includes(encoding) ? kanaShare(text) : 0;
  const isOfSigns = hasSignsOnly(text);
  const known = found.encoding === NONE ? 0 : found.confidence;
  const confidence = isOfSigns ? 1 : Math.max(known, kana);
  const { words, marks, flaws } = countLetterFlaws(text);
  const { letters, apart, all } = countForeignLetters(text);
  // Marks count once a word, letters as often as rows repeat them.
  const share = marks === 0 ? 1 : Math.max(0, 1 - flaws / marks - apart / Math.max(2 * marks, all));
  const weight = (FREQUENCY[encoding] ?? 1) * share ** Math.min(12, 3 + marks / 10);
  const score = confidence * weight * (C1.test(text) ? C1_WEIGHT : 1);
  return { encoding, text, words, marks, flaws, letters, apart, isOfSigns, score };
}

/** Returns UTF-8 with only a few broken bytes, as in a cut or merged file; undefined otherwise. */
function readBrokenUTF8(sample: Buffer): Omit<Candidate, 'encoding'> | undefined {
  const text = sample.toString('utf8');
  const words = [...new Set(text.split(/[\s;,|"]+/))];
  const broken = words.join('').match(/\ufffd/g)?.length ?? 0;
  const intact = countLetterFlaws(words.filter((word) => !word.includes('\ufffd')).join(' '));
  const isMostly = intact.marks >= Math.max(1, broken) && intact.flaws <= intact.marks / 4;
  return isMostly ? { text, ...intact, ...countForeignLetters(text), score: 1 } : undefined;
}

/**
 * Returns the first line with undecodable bytes, otherwise the first that differs; cut to 60 characters. Empty if none
 * does.
 */
function findDifferingLine(text: string, other: string): string {
  const [lines, others] = [text, other].map((each) => each.split(/[\r\n]+/)) as [string[], string[]];
  const line = lines.find((each) => each.includes('\ufffd')) ?? lines.find((each, at) => each !== others[at]);
  return (line ?? '').trim().slice(0, EXAMPLE_LENGTH);
}

/** Creates the refusal `csv.no-text`. */
function noTextRefusal(message: Said): Refusal {
  return new Refusal('impossible', 'csv.no-text', message);
}

/** Switches alphabets by ASCII escapes. Missing in iconv-lite, present in Node. */
const ISO_2022_JP = 'ISO-2022-JP';
const JAPANESE_ESCAPES = ['\u001b$B', '\u001b$@'];

/** Could hide signs from a filter; no office program writes them. */
const NO_TEXT = /utf-?7|base64|hex/i;

/**
 * Yields slices of at most 64 KiB, without byte order mark.
 * @throws Refusal `csv.encoding` for an unknown encoding
 */
export function* decodeSlices(bytes: Buffer, encoding: string): Generator<string> {
  const isEscaped = encoding.toUpperCase() === ISO_2022_JP;
  const isKnown: boolean = isEscaped || (iconv.encodingExists(encoding) && !NO_TEXT.test(encoding));
  if (!isKnown) {
    throw new Refusal(
      'malformed',
      'csv.encoding',
      said('csv.unknown-encoding', { encoding: encoding.slice(0, 40) }),
    );
  }
  const decoder = isEscaped ? streamDecoder(encoding) : iconv.getDecoder(tableOf(encoding));
  const isWide = /^(utf|ucs)-?(16|32|2)/i.test(encoding);
  for (let at = 0; at < bytes.length;) {
    // iconv-lite 0.7 loses split GB18030 characters: end slices at line ends.
    const slice = bytes.subarray(at, at + SLICE);
    const isLast = at + SLICE >= bytes.length;
    const end = isWide || isLast ? 0 : endOfLines(slice);
    const whole = end > 0 ? slice.subarray(0, end) : slice;
    const text = correctSigns(decoder.write(whole), encoding);
    // No program writes control characters of ISO 8859: the letters are another encoding's.
    yield /^iso-?8859/i.test(encoding) ? text.replace(EVERY_C1, '\ufffd') : text;
    at += whole.length;
  }
  const end = decoder.end();
  if (end) yield end;
}

/** They have letters and signs where the others draw boxes or have control characters, and equal them otherwise. */
const SUPERSETS: readonly (readonly [RegExp, string])[] = [
  [/^koi8-?r$/i, 'KOI8-U'],
  [/^(?:iso-?8859-?1|latin-?1)$/i, 'windows-1252'],
  [/^(?:iso-?8859-?9|latin-?5)$/i, 'windows-1254'],
];

/** Returns the table to decode by, which for some encodings is a superset's, as in browsers. */
const tableOf = (encoding: string): string =>
  SUPERSETS.find(([name]) => name.test(encoding))?.[1] ?? encoding;

/** Decodes in pieces as iconv does, by TextDecoder. */
function streamDecoder(encoding: string): Pick<iconv.DecoderStream, 'write' | 'end'> {
  const decoder = new TextDecoder(encoding);
  return { write: (bytes) => decoder.decode(bytes, { stream: true }), end: () => decoder.decode() };
}

/** Japanese fonts display a backslash as yen: `\\12,000`. */
const YEN = /(?<=(?:^|[\r\n,;\t"])-?)\\(?=-?\d[\d,.]*(?:[\r\n,;\t"]|$))/g;

/**
 * Corrects signs that tables of iconv-lite lack: Mac Roman is from before the euro (1998), and Shift_JIS lacks the yen
 * sign.
 */
function correctSigns(text: string, encoding: string): string {
  if (/^(?:x-?)?mac(?:intosh|-?roman)?$/i.test(encoding)) return text.replaceAll('¤', '€');
  return /^(?:shift_?jis|cp932|windows-31j)$/i.test(encoding) ? text.replace(YEN, '¥') : text;
}

const ALPHABETS: readonly ReadonlySet<string>[] = [
  'àâæçéèêëîïôœùûüÿ',
  'áéíóúüñàèòçï',
  'áâãàçéêíóôõú',
  'àèéìíîòóùú',
  'äöüßéèàáôçñ',
  'æøåéèêóòôäöü',
  'åäöéèüšž',
  'áðéíóúýþæöø',
  'éëïöüèêáàóíçûô',
  'ąćęłńóśźż',
  'áčďéěíňóřšťúůýžöü',
  'áäčďéíĺľňóôŕšťúýž',
  'áéíóöőúüű',
  'ăâîșțşţ',
  'čćđšž',
  'çğıiöşüâîû',
  'äõöüšž',
  'āčēģīķļņōŗšūž',
  'ąčęėįšųūž',
  'ëç',
].map((letters) => new Set(letters));

const LATIN_LETTER = /(?![µªº])[^\0-\x7f]/gu;
const IS_LATIN = /\p{Script=Latin}/u;

/**
 * Counts different non-ASCII Latin letters, their occurrences (`all`), and those that the best alphabet lacks
 * (`apart`): `Muńoz, Gómez, Martín` mixes Polish and Spanish, as wrongly decoded text does.
 */
function countForeignLetters(text: string): {
  readonly letters: number;
  readonly apart: number;
  readonly all: number;
} {
  const counts = new Map<string, number>();
  for (const [letter] of text.toLowerCase().matchAll(LATIN_LETTER))
    if (IS_LATIN.test(letter)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  const sum = (alphabet?: ReadonlySet<string>): number =>
    [...counts].reduce((all, [letter, count]) => all + (alphabet?.has(letter) === true ? 0 : count), 0);
  return { letters: counts.size, apart: Math.min(...ALPHABETS.map(sum)), all: sum() };
}
