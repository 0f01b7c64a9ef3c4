import { countChars, type FileLine, type ReadableTable } from '../reading/table-facts.ts';

export interface KeptLines {
  readonly add: (line: FileLine) => void;
  /** Returns a file of these lines; unchanged if too many to cache. */
  file(): ReadableTable;
}

const MAX_LINES = 50_000;
const MAX_LETTERS = 16 * 1024 * 1024;

/**
 * Caches lines of `table`, up to 50,000 lines or 16 Mi characters. `file` returns a table that reads them again; beyond
 * the limits, `table` itself.
 */
export function createKeptLines(table: ReadableTable): KeptLines {
  let lines: FileLine[] | undefined = [];
  let letters = 0;
  return {
    /** Caches a line; drops all for good once there are too many lines or characters. */
    add(line) {
      if ('cells' in line) letters += countChars(line);
      if (letters > MAX_LETTERS || (lines?.push(line) ?? 0) > MAX_LINES) lines = undefined;
    },
    /** Returns a table that reads the cached lines, with their counts; beyond the limits `table` itself. */
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
