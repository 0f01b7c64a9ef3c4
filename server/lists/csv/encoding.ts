import iconv from 'iconv-lite';
import { isUtf8 } from 'node:buffer';
import { Refusal } from '../../base/refusal.ts';
import { said, type Said } from '../../words/said.ts';
import { passwordRefusal } from '../sheets/archive.ts';
import { looksDeclared } from './delimiter.ts';
import { hasSignsOnly, kanaShare, letterFlaws, type LetterFlaws } from './letter-flaws.ts';

/** Signature of old office documents, and of encrypted ones of today. */
const OLD_WORKBOOK = Buffer.from([0xd0, 0xcf, 0x11, 0xe0]);
const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le');
/** Web pages, XML, rich texts, PDF and SYLK, which programs also save under the names of spreadsheets. */
const DOCUMENT =
  /^(?:\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)?\s*(?:mime-version:\s*1|<!doctype html|<\?xml\s|<(?:html|head|body|table)[\s>]|\{\\rtf\d|%pdf-\d|ID;P(?:WXL|CALC|SCALC))/i;
const START = 256;
/** Bytes decoded at a time. */
const SLICE = 64 * 1024;
const SAMPLE = 256 * 1024;
/** Bytes of non-ASCII lines for the statistics. */
const TELLING = 16 * 1024;
/** Bytes of such a line on either side of the character. */
const LINE = 2048;

/** Byte order marks, longer ones first: UTF-32LE begins like UTF-16LE. */
const BYTE_ORDER_MARKS: readonly (readonly [string, readonly number[]])[] = [
  ['UTF-8', [0xef, 0xbb, 0xbf]],
  ['UTF-32LE', [0xff, 0xfe, 0, 0]],
  ['UTF-32BE', [0, 0, 0xfe, 0xff]],
  ['UTF-16LE', [0xff, 0xfe]],
  ['UTF-16BE', [0xfe, 0xff]],
];

const WIDE = ['UTF-16LE', 'UTF-16BE', 'UTF-32LE', 'UTF-32BE'];

/** Single-byte and East Asian encodings, in order of preference if several give the same text. */
const LEGACY: readonly string[] = [
  ...['windows-1252', 'windows-1250', 'windows-1251', 'windows-1253', 'windows-1254', 'windows-1255'],
  ...['windows-1256', 'windows-1257', 'ISO-8859-15', 'ISO-8859-2', 'ISO-8859-5', 'ISO-8859-7', 'macintosh'],
  ...['cp850', 'cp437', 'cp852', 'cp866', 'KOI8-R', 'Shift_JIS', 'EUC-JP', 'EUC-KR', 'GB18030', 'Big5'],
];
/** Relative frequency of encodings in office files. */
const FREQUENCY: Readonly<Record<string, number>> = { 'windows-1252': 1.15, macintosh: 0.95, cp437: 0.95 };
/** Result for bytes that fit no encoding; none of these texts is ASCII. */
const NONE = 'ascii';
/**
 * An alternative is named if its score reaches this fraction of the best, from this many non-ASCII characters
 * on.
 */
const DOUBTS: readonly { readonly marks: number; readonly share: number }[] = [
  { marks: 40, share: 0.85 },
  { marks: 5, share: 0.6 },
  { marks: 3, share: 0.4 },
  { marks: 0, share: 0.15 },
];
/**
 * Nearly all ideographs of either are valid in the other. A low score means unusual text, such as Japanese
 * without kana: all encodings are in doubt whose score reaches this fraction of the best.
 */
const IDEOGRAPHS: readonly string[] = ['EUC-JP', 'GB18030'];
const JAPANESE: readonly string[] = ['Shift_JIS', 'EUC-JP'];
const [LOW_SCORE, DOUBT_LOW] = [0.3, 0.3];
/** Control characters that only a wrong encoding gives. */
const C1 = /[\u0080-\u009f]/;
const C1_WEIGHT = 0.01;
const FEW_MARKS = 20;
const FEW_WORDS = 3;
const FOREIGN_WORD = /(?<![a-z])[^\0-\x7f]{2}(?![a-z])/i;
/** Encodings of most files in Latin letters. */
const USUAL: readonly string[] = ['windows-1252', 'windows-1250'];
/** A text whose letters beyond ASCII are so few different ones may be of any language that has such letters. */
const FEW_LETTERS = 2;
const USUAL_OF_FEW_LETTERS: readonly string[] = [...USUAL, 'windows-1254'];
/** Letters at which Windows-1252 has those of Mac Roman and DOS, which are usual in few languages. */
const RARE_LETTERS = /[ŠšŽžŸƒ]/;
const MAX_ALTERNATIVES = 3;
/** Encodings that the statistics don't know: doubts where the best text is unlikely. */
const RARE: readonly string[] = ['cp857', 'cp737', 'cp862', 'maccyrillic', 'ISO-8859-16'];
/** Right readings of a few words score 0.02 at least, and have hardly any letters that words can't contain. */
const [UNLIKELY_SCORE, UNLIKELY_FLAWS] = [0.012, 1 / 12];
const EXAMPLE_LENGTH = 60;

/** An encoding, and others that would give another text of similar likelihood. */
export interface GuessedEncoding {
  readonly encoding: string;
  readonly alternatives: readonly string[];
  /** A line that differs between them; absent if none. */
  readonly example?: string;
}

/**
 * Returns a text file's encoding, and others that are plausible: by its byte order mark, as UTF-16 or UTF-32 by
 * zero bytes, as UTF-8 if nearly all of it is valid, otherwise by statistics.
 * @throws Refusal `csv.no-text` if the file is no text, `sheet.password` for an encrypted workbook
 */
export async function guessEncoding(bytes: Buffer): Promise<GuessedEncoding> {
  if (bytes.subarray(0, 4).equals(OLD_WORKBOOK))
    throw bytes.includes(ENCRYPTED) ? passwordRefusal() : noText(said('sheet.old'));
  if (DOCUMENT.test(bytes.toString('latin1', 0, START).replaceAll('\0', '')))
    throw noText(said('csv.document'));
  const marked = BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte));
  if (marked) return { encoding: marked[0], alternatives: [] };
  const sample = bytes.subarray(0, SAMPLE);
  if (sample.includes(0) && !isNarrow(sample.subarray(0, TELLING))) {
    const encoding = wideEncoding(sample);
    if (encoding === undefined) throw noText(said('csv.no-text'));
    return { encoding, alternatives: [] };
  }
  if (isUtf8(bytes)) {
    const isEscaped = JAPANESE_ESCAPES.some((escape) => sample.includes(escape));
    return { encoding: isEscaped ? ISO_2022_JP : 'UTF-8', alternatives: [] };
  }
  return guessLegacy(linesBeyondASCII(bytes));
}

/** Returns whether more than 2% of the characters are control characters or undecodable: texts have next to none. */
const isOdd = (text: string): boolean =>
  (text.match(/[^\P{C}\t\r\n\p{Cf}]|\ufffd/gu)?.length ?? 0) > text.length / 50;

/** UTF-16 and UTF-32 have a greater fraction of zero bytes in any language. */
const MAX_ZEROS = 1 / 4;

/**
 * Returns whether a sample with zero bytes is nevertheless of a single-byte encoding or UTF-8, as databases write
 * zeros for unknown values.
 */
function isNarrow(sample: Buffer): boolean {
  const start = sample.toString('latin1');
  if (looksDeclared(start) || !isOdd(start)) return true;
  // In UTF-16 zeros come with other control characters if the letters aren't ASCII.
  const zeros = sample.filter((byte) => byte === 0);
  const broken = sample.toString('utf8').match(/[^\P{C}\0\t\r\n\p{Cf}\p{Cn}\p{Co}]|\ufffd/gu)?.length ?? 0;
  return zeros.length < sample.length * MAX_ZEROS && broken <= sample.length / 50;
}

/**
 * Returns which of UTF-16 and UTF-32, in either byte order, decodes the sample to the most ASCII characters;
 * undefined if all give nonsense.
 */
function wideEncoding(sample: Buffer): string | undefined {
  const [best] = WIDE.map((encoding) => {
    const text = iconv.decode(sample.subarray(0, TELLING), encoding, { stripBOM: true });
    const plain = text.match(/[\t\r\n\x20-\x7e]/g)?.length ?? 0;
    return { encoding, plain, isText: plain > 0 && !isOdd(text) };
  })
    .filter(({ isText }) => isText)
    .sort((a, b) => b.plain - a.plain);
  return best?.encoding;
}

/**
 * Returns the lines with non-ASCII bytes from the start of the file, joined, up to about {@link TELLING} bytes. Of
 * long lines only the surroundings are taken.
 */
function linesBeyondASCII(bytes: Buffer): Buffer {
  const lines: Buffer[] = [];
  let size = 0;
  for (let at = 0; at < bytes.length && size < TELLING; at++) {
    if ((bytes[at] ?? 0) <= 0x7f) continue;
    const before = bytes.subarray(Math.max(0, at - LINE), at);
    const behind = bytes.subarray(at, at + LINE);
    const start = at - before.length + before.lastIndexOf(0x0a) + 1;
    const newline = behind.indexOf(0x0a);
    const end = at + (newline === -1 ? behind.length : newline + 1);
    lines.push(bytes.subarray(start, end));
    size += end - start;
    at = end - 1;
  }
  return Buffer.concat(lines);
}

/** A text in an encoding. */
interface Reading {
  readonly encoding: string;
  readonly text: string;
}

interface Candidate extends Reading, LetterFlaws {
  /** Number of different non-ASCII letters, and of all that one alphabet lacks. */
  readonly letters: number;
  readonly apart: number;
  /** Its non-ASCII characters are signs such as those of `5 °C` or `it’s`: only other signs leave a doubt. */
  readonly isOfSigns?: boolean;
  readonly score: number;
}

/**
 * Guesses a single-byte or East Asian encoding by statistics, with up to three alternatives; UTF-8 with a few
 * broken bytes comes first. Throws `csv.no-text` if no encoding fits.
 */
async function guessLegacy(sample: Buffer): Promise<GuessedEncoding> {
  const candidates = (await Promise.all(LEGACY.map((encoding) => scoreEncoding(sample, encoding)))).sort(
    (a, b) => b.score - a.score,
  );
  const [best] = candidates;
  if (!best) throw noText(said('csv.no-text'));
  const utf8 = mostlyUTF8(sample);
  const { text, score, words, marks, flaws, letters, isOfSigns = false } = utf8 ?? best;
  // By frequency, not by score: statistics can't decide between equal texts.
  const usualFor = (given: string): string =>
    LEGACY.find((name) => candidates.some((each) => each.encoding === name && each.text === given)) ??
    best.encoding;
  const encoding = utf8 ? 'UTF-8' : usualFor(text);
  const isLow = score < LOW_SCORE && IDEOGRAPHS.includes(encoding);
  const doubt = isLow ? DOUBT_LOW : (DOUBTS.find((each) => marks >= each.marks)?.share ?? 0);
  // Statistics know nothing of a few words: a text without flaws fits too if the best one has some, if either has
  // words without ASCII letters, or if its encoding is a usual one.
  const isOdd = flaws >= 1 && marks < FEW_MARKS;
  const isForeign = FOREIGN_WORD.test(text);
  const isUsual = (each: Candidate): boolean => USUAL.includes(each.encoding) || FOREIGN_WORD.test(each.text);
  // Nor of the words of one letter: `mâine` looks Latvian as `māine`.
  const isRare = !USUAL.includes(encoding) || (encoding === USUAL[0] && RARE_LETTERS.test(text));
  const isOfFewLetters = (each: Candidate): boolean =>
    letters > 0 &&
    letters <= FEW_LETTERS &&
    each.apart === 0 &&
    (isRare || USUAL_OF_FEW_LETTERS.includes(each.encoding));
  const mayBe = (each: Candidate): boolean =>
    each.flaws === 0 &&
    (isOdd || (words <= FEW_WORDS && (isForeign || isUsual(each))) || isOfFewLetters(each));
  const fits = (each: Candidate): boolean =>
    (!isOfSigns || each.isOfSigns === true) &&
    ((each.score > 0 && each.score >= doubt * score) || mayBe(each));
  const isUnlikely = score < UNLIKELY_SCORE || (flaws >= 2 && flaws >= marks * UNLIKELY_FLAWS);
  const likely = utf8 ? [best] : candidates.filter(fits);
  const isAlone = likely.every((each) => each.text === text);
  const others = isUnlikely && isAlone ? unlikelyReadings(sample, candidates) : likely;
  const differing = new Set(others.filter((each) => each.text !== text).map((each) => each.text));
  const alternatives = [...differing].slice(0, MAX_ALTERNATIVES);
  const [first] = alternatives;
  return {
    encoding,
    alternatives: alternatives.map(
      (given) =>
        others.find((each) => RARE.includes(each.encoding) && each.text === given)?.encoding ??
        usualFor(given),
    ),
    ...(first !== undefined ? { example: lineThatDiffers(text, first) } : {}),
  };
}

/** Returns the readings of an unlikely text: those in rare encodings without flaws, then the others by score. */
function unlikelyReadings(sample: Buffer, candidates: readonly Reading[]): readonly Reading[] {
  const rare = RARE.map((encoding) => ({ encoding, text: iconv.decode(sample, encoding) }));
  const flaws = ({ text }: Reading): number => letterFlaws(text).flaws + alphabetOf(text).apart;
  return [...rare.filter((each) => flaws(each) === 0 && !C1.test(each.text)), ...candidates];
}

/**
 * Returns a candidate: the sample decoded in this encoding, and its score. The statistics (jschardet) are lowered
 * by letters that words can't contain, and raised for signs and kana.
 */
async function scoreEncoding(sample: Buffer, encoding: string): Promise<Candidate> {
  // Its models take 60 MB, which nothing else needs.
  const { chardet } = await import('jschardet');
  const text = corrected(iconv.decode(sample, encoding), encoding);
  // The statistics know few words in capitals.
  const recased = text.replace(/\p{Lu}{2,}/gu, (word) => word.charAt(0) + word.slice(1).toLowerCase());
  const bytes = recased === text ? sample : iconv.encode(recased, encoding);
  const found = chardet.detect(bytes, { includeEncodings: [encoding, NONE], noMatchEncoding: NONE });
  // They know Japanese by its usual characters, which lists in katakana lack.
  const kana = JAPANESE.includes(encoding) ? kanaShare(text) : 0;
  const isOfSigns = hasSignsOnly(text);
  const known = found.encoding === NONE ? 0 : found.confidence;
  const confidence = isOfSigns ? 1 : Math.max(known, kana);
  const { words, marks, flaws } = letterFlaws(text);
  const { letters, apart } = alphabetOf(text);
  const share = marks === 0 ? 1 : Math.max(0, 1 - (flaws + apart / 2) / marks);
  const weight = (FREQUENCY[encoding] ?? 1) * share ** Math.min(12, 3 + marks / 10);
  const score = confidence * weight * (C1.test(text) ? C1_WEIGHT : 1);
  return { encoding, text, words, marks, flaws, letters, apart, isOfSigns, score };
}

/**
 * Returns the sample as a UTF-8 candidate if only a few bytes are broken, as in a cut or merged file; otherwise
 * undefined.
 */
function mostlyUTF8(sample: Buffer): Omit<Candidate, 'encoding'> | undefined {
  const text = sample.toString('utf8');
  const words = [...new Set(text.split(/[\s;,|"]+/))];
  const broken = words.join('').match(/\ufffd/g)?.length ?? 0;
  const intact = letterFlaws(words.filter((word) => !word.includes('\ufffd')).join(' '));
  // Hardly any word in another encoding is valid UTF-8.
  const isMostly = intact.marks >= Math.max(1, broken) && intact.flaws <= intact.marks / 4;
  return isMostly ? { text, ...intact, ...alphabetOf(text), score: 1 } : undefined;
}

/**
 * Returns the first line that differs between two decodings, one with undecodable bytes first, cut to {@link
 * EXAMPLE_LENGTH}.
 */
function lineThatDiffers(text: string, other: string): string {
  const others = other.split('\n');
  const lines = text.split('\n');
  const line = lines.find((each) => each.includes('\ufffd')) ?? lines.find((each, at) => each !== others[at]);
  return (line ?? '').trim().slice(0, EXAMPLE_LENGTH);
}

/** Creates the refusal `csv.no-text` of a file that is no text. */
function noText(message: Said): Refusal {
  return new Refusal('impossible', 'csv.no-text', message);
}

/** Switches between alphabets by escape sequences; all of its bytes are ASCII. iconv-lite lacks it, Node has it. */
const ISO_2022_JP = 'ISO-2022-JP';
const JAPANESE_ESCAPES = ['\u001b$B', '\u001b$@'];

/** Encodings for transport: they may hide signs that a filter looks for, and no office program writes them. */
const NO_TEXT = /utf-?7|base64|hex/i;

/**
 * Yields a file's text in slices, without its byte order mark.
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
  const decoder = isEscaped ? streamDecoder(encoding) : iconv.getDecoder(encoding);
  const isWide = /^(utf|ucs)-?(16|32|2)/i.test(encoding);
  for (let at = 0; at < bytes.length;) {
    // At a line end if possible: iconv-lite 0.7 loses split characters of GB18030.
    const slice = bytes.subarray(at, at + SLICE);
    const end = isWide ? 0 : slice.lastIndexOf(0x0a) + 1;
    const whole = end > 0 ? slice.subarray(0, end) : slice;
    yield corrected(decoder.write(whole), encoding);
    at += whole.length;
  }
  const end = decoder.end();
  if (end) yield end;
}

/** Returns Node's decoder of an encoding in the form of those of iconv-lite. */
function streamDecoder(encoding: string): Pick<iconv.DecoderStream, 'write' | 'end'> {
  const decoder = new TextDecoder(encoding);
  return { write: (bytes) => decoder.decode(bytes, { stream: true }), end: () => decoder.decode() };
}

/**
 * Returns decoded Mac Roman text with the euro in place of the currency sign, as since 1998; iconv-lite has the
 * older table. Texts in other encodings stay unchanged.
 */
const corrected = (text: string, encoding: string): string =>
  /^(?:x-?)?mac(?:intosh|-?roman)?$/i.test(encoding) ? text.replaceAll('¤', '€') : text;

/** Letters beyond ASCII of languages in Latin script, with signs that their texts contain. */
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
 * Returns how many different non-ASCII Latin letters a text has, and how many of all don't belong to the one
 * alphabet that fits best: `Muńoz, Gómez, Martín` mixes Polish and Spanish, as text in the wrong encoding does.
 * Names of other languages count too, so it compares readings and proves none wrong.
 */
function alphabetOf(text: string): { readonly letters: number; readonly apart: number } {
  const counts = new Map<string, number>();
  for (const [letter] of text.toLowerCase().matchAll(LATIN_LETTER))
    if (IS_LATIN.test(letter)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  const all = [...counts];
  const apart = ALPHABETS.map((alphabet) =>
    all.reduce((sum, [letter, count]) => sum + (alphabet.has(letter) ? 0 : count), 0),
  );
  return { letters: all.length, apart: all.length === 0 ? 0 : Math.min(...apart) };
}
