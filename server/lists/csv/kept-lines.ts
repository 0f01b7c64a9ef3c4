import { charsOf, type FileLine, type ReadableTable } from '../reading/table-facts.ts';

/** Lines of a file that are to be read once more, kept so that the others need not be. */
export interface KeptLines {
  readonly add: (line: FileLine) => void;
  /** The file with these lines alone; as it is, where they are too many to be kept. */
  file(): ReadableTable;
}

const MAX_LINES = 50_000;
const MAX_LETTERS = 16 * 1024 * 1024;

export function createKeptLines(of: ReadableTable): KeptLines {
  let lines: FileLine[] | undefined = [];
  let letters = 0;
  return {
    add(line) {
      if ('cells' in line) letters += charsOf(line);
      if (letters > MAX_LETTERS || (lines?.push(line) ?? 0) > MAX_LINES) lines = undefined;
    },
    file() {
      const kept = lines;
      if (!kept) return of;
      const good = kept.filter((line) => 'cells' in line).length;
      return {
        ...of,
        lines: good,
        rejectedLines: kept.length - good,
        // eslint-disable-next-line @typescript-eslint/require-await -- as that of the whole file, which waits for its pieces
        async *read() {
          yield kept;
        },
      };
    },
  };
}
