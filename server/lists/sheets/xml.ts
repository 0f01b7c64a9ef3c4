import { SaxesParser } from 'saxes';
import { sizeRefusal } from './archive.ts';

/** Without prefixes, which programs choose. */
export type Attributes = Readonly<Record<string, string>>;

export interface XmlReader {
  /** At an element's start, with local names. */
  open?(name: string, attributes: Attributes): void;
  /** Text within an element, perhaps in pieces. */
  text?(text: string): void;
  /** At an element's end. */
  close?(name: string): void;
}

/** Characters buffered without a tag's or text's end. */
const MAX_UNENDED = 2 * 1024 * 1024;
const DEEPEST = 100;
/** LibreOffice repeats cell types here for itself. */
const ANOTHER_VIEW = 'calcext:';

/**
 * Parses chunks, calls `reader` for each element and text, and yields each chunk's length afterwards. Custom entities
 * aren't expanded. Throws an Error if it isn't well-formed, the refusal `sheet.size` beyond the limits of size and
 * depth.
 */
export async function* readXml(pieces: AsyncIterable<string>, reader: XmlReader): AsyncGenerator<number> {
  const parser = new SaxesParser({ xmlns: false, position: false });
  let unended = 0;
  let depth = 0;
  parser.on('opentag', ({ name, attributes }) => {
    unended = 0;
    if (++depth > DEEPEST) throw sizeRefusal();
    reader.open?.(local(name), withoutPrefixes(attributes));
  });
  parser.on('closetag', ({ name }) => {
    unended = 0;
    depth--;
    reader.close?.(local(name));
  });
  /** Passes text on, and restarts the count of characters without an event. */
  const text = (found: string): void => {
    unended = 0;
    reader.text?.(found);
  };
  parser.on('text', text);
  parser.on('cdata', text);
  for await (const piece of pieces) {
    unended += piece.length;
    parser.write(piece);
    if (unended > MAX_UNENDED) throw sizeRefusal();
    yield piece.length;
  }
  parser.close();
  yield 0;
}

const local = (name: string): string => name.slice(name.indexOf(':') + 1);

/** The limit of values is 1 MiB, and no tag has that many attributes. */
const MAX_VALUE_CHARS = 1024 * 1024;
const MAX_ATTRIBUTES = 1000;

/**
 * Returns attributes by local names. Leaves out `calcext:` ones, which repeat others. Throws `sheet.size` for over
 * 1,000, or a value of over 1 MiB.
 */
function withoutPrefixes(attributes: Attributes): Attributes {
  const plain: Record<string, string> = {};
  let count = 0;
  for (const [name, value] of Object.entries(attributes)) {
    if (value.length > MAX_VALUE_CHARS || ++count > MAX_ATTRIBUTES) throw sizeRefusal();
    if (!name.startsWith(ANOTHER_VIEW)) plain[local(name)] = value;
  }
  return plain;
}
