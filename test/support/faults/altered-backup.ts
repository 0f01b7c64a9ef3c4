import { crc32 } from 'node:zlib';
import { checkedLine } from '../../../server/store/files/format.ts';

/** An entry of the partition `system` of a backup. */
export interface BackedUp {
  readonly table: string;
  readonly key: string;
  readonly value: unknown;
}

type Line = readonly [number, string, string, unknown];
interface Part {
  readonly partition: string;
  last: number;
  readonly lines: Line[];
}

/**
 * A backup as whoever gets at the file makes it another one: whole by its checksums, for which nobody needs a secret.
 * @param change gets what stands in the partition, and answers what is to stand there
 * @param last what is to be the number of the last change
 */
export function alteredBackup(
  backup: Buffer,
  change: (entries: readonly BackedUp[]) => readonly BackedUp[],
  last?: number,
  partition = 'system',
): Buffer {
  const [header, ...rest] = backup
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);
  const parts: Part[] = [];
  for (const line of rest) {
    if (Array.isArray(line)) parts.at(-1)?.lines.push(line as unknown as Line);
    else if (isPart(line)) parts.push({ partition: line.partition, last: line.last, lines: [] });
  }
  const part = parts.find((each) => each.partition === partition);
  if (!part) throw new Error('no backup of an office');
  const changed = change(part.lines.map(([, table, key, value]) => ({ table, key, value })));
  part.lines.splice(
    0,
    Infinity,
    ...inOrder(changed).map(({ table, key, value }): Line => [1, table, key, value]),
  );
  part.last = last ?? part.last;
  return written(header, parts);
}

/** By table, and of each table by key, as a backup has to be. */
function inOrder(entries: readonly BackedUp[]): BackedUp[] {
  const byKey = (a: BackedUp, b: BackedUp): number => a.key.length - b.key.length || (a.key < b.key ? -1 : 1);
  return [...new Set(entries.map(({ table }) => table))].flatMap((name) =>
    entries.filter(({ table }) => table === name).sort(byKey),
  );
}

const isPart = (line: unknown): line is { partition: string; last: number } =>
  typeof line === 'object' && line !== null && 'partition' in line && 'last' in line;

function written(header: unknown, parts: readonly Part[]): Buffer {
  const pieces: Buffer[] = [];
  let crc = 0;
  const put = (body: object): void => {
    const made = checkedLine(body, crc);
    pieces.push(made.line);
    crc = made.crc;
  };
  put({ ...(header as object), crc: undefined });
  // The sum of a control line goes over all before it; what stands between two of them is summed by the reader.
  for (const { partition, last, lines } of parts) {
    put({ partition, last });
    const text = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    pieces.push(text);
    crc = crc32(text, crc);
    put({ ops: lines.length, last, durable: 0 });
  }
  put({ end: true, entries: parts.reduce((sum, { lines }) => sum + lines.length, 0) });
  return Buffer.concat(pieces);
}
