/** Where a line came to stand. */
export interface LineSpan {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

/**
 * A transaction's last piece is kept with its unused end, so that larger pieces would waste memory: a page of 500 rows of an
 * import took twice its size in pieces of up to 256 KiB.
 */
const LARGEST = 32 * 1024;

/** A put (of `json`) or a delete (none), as one line of a file without its line break; see `format.ts`. */
export function operationLine(seq: number, table: string, key: string, json?: string): string {
  const entry = JSON.stringify([seq, table, key]);
  return json === undefined ? entry : `${entry.slice(0, -1)},${json}]`;
}

/** Gathers operations, each a line, in few, large pieces of bytes, which are kept for as long as any of the lines is. */
export interface LineBuffer {
  /** A put (of `json`) or a delete (none). */
  add(seq: number, table: string, key: string, json?: string): LineSpan;
  /** All pieces so far, each line with its line break. */
  pieces(): readonly Buffer[];
}

/** No lines. One line takes just its own room, many are gathered in pieces that double in size. */
export function createLineBuffer(): LineBuffer {
  const full: Buffer[] = [];
  let piece = Buffer.alloc(0);
  let used = 0;
  let nextSize = 0;
  const write = (line: string): LineSpan => {
    const start = used;
    const end = start + piece.write(line, start);
    piece[end] = 0x0a;
    used = end + 1;
    return { bytes: piece, start, end };
  };
  return {
    add(seq, table, key, json) {
      const line = operationLine(seq, table, key, json);
      // No character takes more than three bytes: mostly there is room without counting.
      if (piece.length - used <= 3 * line.length) {
        const length = Buffer.byteLength(line) + 1;
        if (piece.length - used >= length) return write(line);
        if (used > 0) full.push(piece.subarray(0, used));
        piece = Buffer.allocUnsafe(Math.max(length, nextSize));
        nextSize = Math.min(2 * piece.length, LARGEST);
        used = 0;
      }
      return write(line);
    },
    pieces: () => (used > 0 ? [...full, piece.subarray(0, used)] : full),
  };
}
