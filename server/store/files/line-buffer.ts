export interface LineSpan {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

/** An entry's line outside the JavaScript heap; parsed on demand. */
export interface LineRef {
  readonly key: string;
  readonly seq: number;
  /** Shared by many lines; `SegmentCompactor` may replace it. */
  bytes: Buffer;
  start: number;
  /** Offset of the line break. */
  end: number;
}

/** A transaction's last buffer is kept with its unused end. */
const MAX_CHUNK_BYTES = 32 * 1024;

/** Returns a put (with `json`) or delete as one line, without line break. */
export function operationLine(seq: number, table: string, key: string, json?: string): string {
  const entry = JSON.stringify([seq, table, key]);
  return json === undefined ? entry : `${entry.slice(0, -1)},${json}]`;
}

/** Returns a line as bytes outside Node's pool, of which one line would keep 64 KiB. */
export function lineBytes(line: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(line));
  bytes.write(line);
  return bytes;
}

/** Collects operation lines in few large buffers, each kept as long as any line in it. */
export interface LineBuffer {
  /** Adds a put (with `json`) or delete; returns its position. */
  add(seq: number, table: string, key: string, json?: string): LineSpan;
  /** Adds a line, with line break, in its own buffer. */
  addLine(line: Buffer): void;
  /** Returns all buffers; lines end in line breaks. */
  pieces(): readonly Buffer[];
}

/**
 * Creates an empty buffer of operation lines. Its first piece has its line's size; later ones double, up to
 * `MAX_CHUNK_BYTES`.
 */
export function createLineBuffer(): LineBuffer {
  const full: Buffer[] = [];
  let piece = Buffer.alloc(0);
  let used = 0;
  let nextSize = 0;
  /** Appends a line, for which the present piece must have room; returns its position. */
  const write = (line: string): LineSpan => {
    const start = used;
    const end = start + piece.write(line, start);
    piece[end] = 0x0a;
    used = end + 1;
    return { bytes: piece, start, end };
  };
  return {
    /**
     * Appends a put's line, a delete's without `json`, in a new piece if the present one lacks room. Returns its
     * position.
     */
    add(seq, table, key, json) {
      const line = operationLine(seq, table, key, json);
      if (piece.length - used <= 3 * line.length) {
        const length = Buffer.byteLength(line) + 1;
        if (piece.length - used >= length) return write(line);
        if (used > 0) full.push(piece.subarray(0, used));
        // Outside Node's pool, as in `lineBytes`.
        piece = Buffer.allocUnsafeSlow(Math.max(length, nextSize));
        nextSize = Math.min(2 * piece.length, MAX_CHUNK_BYTES);
        used = 0;
      }
      return write(line);
    },
    /** Adds a line, which ends with its line break, as a piece of its own. */
    addLine(line) {
      if (used > 0) full.push(piece.subarray(0, used));
      full.push(line);
      piece = Buffer.alloc(0);
      used = 0;
    },
    pieces: () => (used > 0 ? [...full, piece.subarray(0, used)] : full),
  };
}
