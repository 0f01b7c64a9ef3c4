import { analyse } from 'chardet';
import iconv from 'iconv-lite';
import { isUtf8 } from 'node:buffer';
import { Refusal } from '../../base/refusal.ts';
import { said, type Said } from '../../words/said.ts';

/** How documents of old office programs begin, and encrypted ones of today. */
const OLD_WORKBOOK = Buffer.from([0xd0, 0xcf, 0x11, 0xe0]);
/** Bytes that are decoded at a time. */
const SLICE = 64 * 1024;
const SAMPLE = 256 * 1024;
/** How sure chardet must be (of 100; short lists never give much) that a file is in no Latin script. */
const SURE = 20;
/** Latin letters that every Windows-1252 file also fits; telling them apart by statistics is guessing. */
const LATIN = /^(ISO-8859-\d+|windows-125[02478]|UTF-8|ASCII)$/i;

/**
 * The encoding of a text file: by its byte order mark, by being UTF-8 throughout, by its zero bytes
 * (UTF-16), by statistics for scripts that are not Latin, and Windows-1252 else.
 * @throws Refusal `impossible` when the file is no text
 */
export function guessEncoding(bytes: Buffer): string {
  if (bytes.subarray(0, 4).equals(OLD_WORKBOOK)) throw noText(said('sheet.old'));
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'UTF-8';
  if (first === 0xff && second === 0xfe) return 'UTF-16LE';
  if (first === 0xfe && second === 0xff) return 'UTF-16BE';

  const sample = bytes.subarray(0, SAMPLE);
  const wide = wideEncoding(sample);
  if (wide) return wide;
  if (isUtf8(bytes)) return 'UTF-8';
  if (sample.includes(0)) throw noText(said('csv.no-text'));
  const guesses = analyse(sample).filter(({ name }) => iconv.encodingExists(name));
  const best = guesses.find(({ name }) => !LATIN.test(name));
  const latin = guesses.find(({ name }) => LATIN.test(name));
  return best && best.confidence >= SURE && best.confidence > 1.5 * (latin?.confidence ?? 0)
    ? best.name
    : 'windows-1252';
}

/** Most letters have a zero byte: behind them in little-endian files, before them in big-endian ones. */
function wideEncoding(sample: Buffer): string | undefined {
  let even = 0;
  let odd = 0;
  sample.forEach((byte, at) => {
    if (byte === 0 && at % 2 === 0) even++;
    else if (byte === 0) odd++;
  });
  const many = sample.length / 8;
  if (odd > many && even < odd / 8) return 'UTF-16LE';
  if (even > many && odd < even / 8) return 'UTF-16BE';
  return undefined;
}

function noText(message: Said): Refusal {
  return new Refusal('impossible', 'csv.no-text', message);
}

/** The text of a file in slices, without its byte order mark. @throws Refusal `malformed`: no such encoding */
export function* decodeSlices(bytes: Buffer, encoding: string): Generator<string> {
  const isKnown: boolean = iconv.encodingExists(encoding);
  if (!isKnown) {
    throw new Refusal(
      'malformed',
      'csv.encoding',
      said('csv.unknown-encoding', { encoding: encoding.slice(0, 40) }),
    );
  }
  const decoder = iconv.getDecoder(encoding);
  for (let at = 0; at < bytes.length; at += SLICE) yield decoder.write(bytes.subarray(at, at + SLICE));
  const end = decoder.end();
  if (end) yield end;
}
