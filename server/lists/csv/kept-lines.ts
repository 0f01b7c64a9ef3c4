import { charsOf, type FileLine, type ReadableTable } from '../reading/table-facts.ts';

/** A file's lines that will be read again, cached so that the others aren't. */
export interface KeptLines {
  readonly add: (line: FileLine) => void;
  /** Returns the file with these lines only; unchanged if they are too many to cache. */
  file(): ReadableTable;
}

const MAX_LINES = 50_000;
const MAX_LETTERS = 16 * 1024 * 1024;

/**
 * Creates an empty cache of lines of a file that will be read again. Beyond {@link MAX_LINES} or {@link MAX_LETTERS} it
 * is dropped as a whole.
 */
export function createKeptLines(table: ReadableTable): KeptLines {
  let lines: FileLine[] | undefined = [];
  let letters = 0;
  return {
    /** Caches a line; beyond the limits drops the whole cache. */
    add(line) {
      if ('cells' in line) letters += charsOf(line);
      if (letters > MAX_LETTERS || (lines?.push(line) ?? 0) > MAX_LINES) lines = undefined;
    },
    /** Returns a file that reads only the cached lines; the original file if the cache was dropped. */
    file() {
      const kept = lines;
      if (!kept) return table;
      const good = kept.filter((line) => 'cells' in line).length;
      return {
        ...table,
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
