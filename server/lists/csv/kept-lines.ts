import type { TableFile } from './read.ts';
import type { BadLine, CsvRecord } from './records.ts';

/** Lines of a file that are to be read once more, kept so that the others need not be. */
export interface KeptLines {
  readonly add: (record: CsvRecord | BadLine) => void;
  /** The file with these lines alone; as it is, where they are too many to be kept. */
  file(): TableFile;
}

const MOST_LINES = 50_000;
const MOST_LETTERS = 16 * 1024 * 1024;

export function createKeptLines(of: TableFile): KeptLines {
  let records: (CsvRecord | BadLine)[] | undefined = [];
  let letters = 0;
  return {
    add(record) {
      if ('fields' in record) letters += record.fields.reduce((sum, field) => sum + field.length, 0);
      if (letters > MOST_LETTERS || (records?.push(record) ?? 0) > MOST_LINES) records = undefined;
    },
    file() {
      const kept = records;
      if (!kept) return of;
      const lines = kept.filter((record) => 'fields' in record).length;
      return {
        ...of,
        lines,
        rejectedLines: kept.length - lines,
        // eslint-disable-next-line @typescript-eslint/require-await -- as that of the whole file, which waits for its pieces
        async *read() {
          yield { records: kept, share: 1 };
        },
      };
    },
  };
}
