/** A line's position. */
export interface LineSpan {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

/** One entry in memory: its line (`format.ts`), outside the JavaScript heap; parsed on demand. */
export interface LineRef {
  readonly key: string;
  readonly seq: number;
  /** Has the lines of many entries; may be replaced by a copy (`segment-compactor.ts`). */
  bytes: Buffer;
  start: number;
  /** The end of the line; a line break always follows. */
  end: number;
}

/** A transaction's last piece is kept with its unused end. */
const MAX_CHUNK_BYTES = 32 * 1024;

/** Returns a put (with `json`) or a delete as one line, without line break; see `format.ts`. */
export function operationLine(seq: number, table: string, key: string, json?: string): string {
  const entry = JSON.stringify([seq, table, key]);
  return json === undefined ? entry : `${entry.slice(0, -1)},${json}]`;
}

/** Returns a line as bytes that may be kept. In Node's pool, one line would keep the pool: 64 KiB in Node 24. */
export function lineBytes(line: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(line));
  bytes.write(line);
  return bytes;
}

/** Collects operations as lines in few, large buffers, which live as long as any of their lines. */
export interface LineBuffer {
  /** Adds a put (with `json`) or a delete. */
  add(seq: number, table: string, key: string, json?: string): LineSpan;
  /** Adds a line that has its line break already, in a buffer of its own. */
  addLine(line: Buffer): void;
  /** Returns all buffers so far; each line has its line break. */
  pieces(): readonly Buffer[];
}

/**
 * Creates an empty buffer of lines. A single line takes just its own size; for many lines, each further piece of
 * memory is twice as large.
 */
export function createLineBuffer(): LineBuffer {
  const full: Buffer[] = [];
  let piece = Buffer.alloc(0);
  let used = 0;
  let nextSize = 0;
  /** Appends a line to the present buffer, which must have room. */
  const write = (line: string): LineSpan => {
    const start = used;
    const end = start + piece.write(line, start);
    piece[end] = 0x0a;
    used = end + 1;
    return { bytes: piece, start, end };
  };
  return {
    /** Adds the line of a put (with `json`) or of a deletion. Returns where the line is. */
    add(seq, table, key, json) {
      const line = operationLine(seq, table, key, json);
      // A character takes at most three bytes.
      if (piece.length - used <= 3 * line.length) {
        const length = Buffer.byteLength(line) + 1;
        if (piece.length - used >= length) return write(line);
        if (used > 0) full.push(piece.subarray(0, used));
        // Not of Node's pool, as in `lineBytes`.
        piece = Buffer.allocUnsafeSlow(Math.max(length, nextSize));
        nextSize = Math.min(2 * piece.length, MAX_CHUNK_BYTES);
        used = 0;
      }
      return write(line);
    },
    /** Adds a line that has its line break already, in a buffer of its own. */
    addLine(line) {
      if (used > 0) full.push(piece.subarray(0, used));
      full.push(line);
      piece = Buffer.alloc(0);
      used = 0;
    },
    pieces: () => (used > 0 ? [...full, piece.subarray(0, used)] : full),
  };
}
