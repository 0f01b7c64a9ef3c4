import { crc32 } from 'node:zlib';
import type { Disk, DiskFile } from './disk.ts';
import {
  FORMAT_VERSION,
  headerSchema,
  newerVersionError,
  parseControl,
  peekVersion,
  readControl,
  type Control,
  type Header,
} from './format.ts';
import { readLineBlocks } from './lines.ts';
import { createOperationReader, type Operation } from '../engine/operation.ts';

const MAX_HEADER_BYTES = 4096;
const NEWLINE = 0x0a;
const OBJECT = 0x7b;

/** Everything before `validLength` is as written. */
export interface Reading {
  /** Undefined: no header, so unusable. */
  readonly header: Header | undefined;
  /** Bytes up to the last valid control line's end. */
  readonly validLength: number;
  readonly size: number;
  /** Continued by a control line after `validLength`. */
  readonly crc: number;
  /** Last change before `validLength`. */
  readonly last: number;
  readonly closed: boolean;
  /** Bytes after `validLength` had been on disk, as later lines show. */
  readonly lostDurable: boolean;
}

export interface GroupBounds {
  readonly bytes: number;
  readonly entries: number;
}

/** Receives groups with verified checksums. */
export interface Sink {
  /** Beyond, the file counts as damaged. */
  readonly bounds?: GroupBounds;
  /** Returns false to stop before this group. */
  receiveGroup(operations: readonly Operation[], control: Control, header: Header): boolean;
  /** Called after each block; reading waits for it. */
  caughtUp?(): Promise<void>;
}

/**
 * Reads a store file, passing valid groups to `sink`; returns up to where it is valid. Throws StoreError
 * `newer-version`, and the disk's errors.
 */
export async function readStoreFile(disk: Disk, path: string, sink: Sink): Promise<Reading> {
  const file = await disk.open(path, 'read');
  try {
    return await readOpenFile(file, sink);
  } finally {
    await file.close();
  }
}

/** Returns a file's header; undefined if its first line is none. Throws StoreError `newer-version`. */
export async function readHeader(disk: Disk, path: string): Promise<Header | undefined> {
  const file = await disk.open(path, 'read');
  try {
    return await readHeaderOf(file);
  } finally {
    await file.close();
  }
}

/** Returns an open file's header; undefined if its first line is none. Throws StoreError `newer-version`. */
export async function readHeaderOf(file: DiskFile): Promise<Header | undefined> {
  const start = Buffer.alloc(MAX_HEADER_BYTES);
  const length = await file.read(start, 0);
  const end = start.subarray(0, length).indexOf(NEWLINE);
  return end < 0 ? undefined : parseHeader(start.subarray(0, end))?.header;
}

/** Returns the header in a line, with its checksum; undefined for another line. Throws StoreError `newer-version`. */
function parseHeader(line: Buffer): { header: Header; crc: number } | undefined {
  if (line.length > MAX_HEADER_BYTES) return undefined;
  if ((peekVersion(line) ?? 0) > FORMAT_VERSION) {
    throw newerVersionError();
  }
  const control = readControl(line, 0);
  const header = control && headerSchema.safeParse(control.body).data;
  return header && { header, crc: control.crc };
}

/** Reads an open store file like {@link readStoreFile}. */
async function readOpenFile(file: DiskFile, sink: Sink): Promise<Reading> {
  const size = await file.size();
  const reader = new StoreFileReader(sink);
  for await (const { bytes, offset } of readLineBlocks(file, size, sink.bounds?.bytes)) {
    reader.readLines(bytes, offset);
    await sink.caughtUp?.();
  }
  return reader.end(size);
}

class StoreFileReader {
  readonly #sink: Sink;
  #header: Header | undefined;
  #validLength = 0;
  #last = 0;
  #crc = 0;
  #validCrc = 0;
  readonly #readOperations = createOperationReader();
  #operations: Operation[] = [];
  #lines = 0;
  #groupBytes = 0;
  #isDamaged = false;
  #isClosed = false;
  #lostDurable = false;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  /**
   * Reads the complete lines in `bytes`, at `offset` in the file. After damage, only looks whether a later line shows
   * that the damaged part had been on disk.
   */
  readLines(bytes: Buffer, offset: number): void {
    let summed = 0;
    for (let start = 0, end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      const control = bytes[start] === OBJECT;
      if (this.#isDamaged) {
        this.#lostDurable ||= control && claimedDurableBytes(bytes.subarray(start, end)) > this.#validLength;
      } else {
        if (control) this.#crc = crc32(bytes.subarray(summed, start), this.#crc);
        this.#isDamaged = !this.#readLine(bytes, start, end);
        if (control && !this.#isDamaged) {
          summed = end + 1;
          this.#validLength = offset + summed;
          this.#validCrc = this.#crc;
        }
      }
      start = end + 1;
    }
    this.#crc = crc32(bytes.subarray(summed), this.#crc);
  }

  /** Returns up to where the file, of `size` bytes, is valid. Call it after all lines. */
  end(size: number): Reading {
    return {
      header: this.#header,
      validLength: this.#validLength,
      size,
      crc: this.#validCrc,
      last: this.#last,
      closed: this.#isClosed && this.#validLength === size,
      lostDurable: this.#lostDurable,
    };
  }

  /**
   * Reads a header, a control line or operations. Returns false, from which on the file counts as damaged, if the line
   * isn't as written, or exceeds the sink's bounds. Throws StoreError `newer-version`.
   */
  #readLine(bytes: Buffer, start: number, end: number): boolean {
    const header = this.#header;
    if (bytes[start] === OBJECT) {
      const line = bytes.subarray(start, end);
      return header ? this.#readControlLine(line, header) : this.#readHeaderLine(line);
    }
    this.#groupBytes += end - start;
    const { bounds } = this.#sink;
    if (bounds && (this.#groupBytes > bounds.bytes || this.#operations.length >= bounds.entries)) {
      this.#operations = [];
      return false;
    }
    const operations = header && this.#readOperations(bytes, start, end);
    if (!operations) return false;
    this.#lines++;
    for (const operation of operations) this.#operations.push(operation);
    return true;
  }

  /** Reads the file's first line; returns false if it is no header. Throws StoreError `newer-version`. */
  #readHeaderLine(line: Buffer): boolean {
    const parsed = parseHeader(line);
    if (!parsed) return false;
    this.#header = parsed.header;
    this.#crc = parsed.crc;
    this.#last = parsed.header.after;
    return true;
  }

  /** Passes the group to the sink. Returns false if the line is damaged or the sink stops. */
  #readControlLine(line: Buffer, header: Header): boolean {
    const control = readControl(line, this.#crc);
    const meaning = control && parseControl(control.body);
    if (!meaning || ('ops' in meaning && meaning.ops !== this.#lines)) return false;
    if (!this.#sink.receiveGroup(this.#operations, meaning, header)) return false;
    this.#operations = [];
    this.#lines = 0;
    this.#groupBytes = 0;
    this.#crc = control.crc;
    if ('last' in meaning) this.#last = meaning.last;
    this.#isClosed = 'end' in meaning || ('closed' in meaning && meaning.closed === true);
    return true;
  }
}

/** Returns the durable bytes that a damaged control line claims, unverified; 0 for other lines. */
function claimedDurableBytes(line: Buffer): number {
  const match = /^\{"ops":\d+,"last":\d+,"durable":(\d+)[,}]/.exec(
    line.toString('latin1', 0, MAX_HEADER_BYTES),
  );
  return match ? Number(match[1]) : 0;
}
