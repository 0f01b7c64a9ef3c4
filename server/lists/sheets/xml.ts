import { SaxesParser } from 'saxes';
import { sizeRefusal } from './archive.ts';

/** Names are without their prefixes, which every program may choose as it likes. */
export type Attributes = Readonly<Record<string, string>>;

export interface XmlReader {
  open?(name: string, attributes: Attributes): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** Letters without the end of a tag or a text: what the parser keeps until then. */
const MAX_UNENDED = 2 * 1024 * 1024;
const DEEPEST = 100;
/** Where LibreOffice says once more what a cell is, as only it understands. */
const ANOTHER_VIEW = 'calcext:';

/**
 * Reads a document a piece at a time, and yields the length of each behind it. Entities that a document makes up are none.
 * @throws where it is not well-formed; Refusal `impossible` where it is of no bounds
 */
export async function* readXml(pieces: AsyncIterable<string>, reader: XmlReader): AsyncGenerator<number> {
  const parser = new SaxesParser({ xmlns: false, position: false });
  let unended = 0;
  let depth = 0;
  parser.on('opentag', ({ name, attributes }) => {
    unended = 0;
    if (++depth > DEEPEST) throw sizeRefusal();
    reader.open?.(local(name), unprefixed(attributes));
  });
  parser.on('closetag', ({ name }) => {
    unended = 0;
    depth--;
    reader.close?.(local(name));
  });
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

/** No value of a list is longer (1 MiB), and no program writes as many attributes in one tag. */
const MAX_VALUE_CHARS = 1024 * 1024;
const MAX_ATTRIBUTES = 1000;

function unprefixed(attributes: Attributes): Attributes {
  const plain: Record<string, string> = {};
  let count = 0;
  for (const [name, value] of Object.entries(attributes)) {
    if (value.length > MAX_VALUE_CHARS || ++count > MAX_ATTRIBUTES) throw sizeRefusal();
    if (!name.startsWith(ANOTHER_VIEW)) plain[local(name)] = value;
  }
  return plain;
}
