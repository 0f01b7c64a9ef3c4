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
import { wholeLines } from './lines.ts';
import { createOperationReader, type Operation } from '../engine/operation.ts';

const LONGEST_HEADER = 4096;
const NEWLINE = 0x0a;
const OBJECT = 0x7b;

/** Result of reading a file. Everything before `validLength` is as it was written. */
export interface Reading {
  /** Undefined: the first line is no header of ours, so the file can't be used. */
  readonly header: Header | undefined;
  /** Bytes up to and including the last valid control line. */
  readonly validLength: number;
  readonly size: number;
  /** The checksum with which a control line after `validLength` continues. */
  readonly crc: number;
  /** Number of the last change before `validLength`. */
  readonly last: number;
  /** The last control line says that the file was closed properly. */
  readonly closed: boolean;
  /** Later lines show that bytes after `validLength` had been on disk. */
  readonly lostDurable: boolean;
}

/** Bounds for one group of a foreign file. */
export interface GroupBounds {
  readonly bytes: number;
  readonly entries: number;
}

/** Receives a file's content group by group, each after its checksum was verified. */
export interface Sink {
  /** Beyond these bounds the file counts as damaged; absent: unbounded. */
  readonly bounds?: GroupBounds;
  /** Returns false to stop before this group. */
  group(operations: readonly Operation[], control: Control, header: Header): boolean;
  /** Checked regularly: reading continues when it resolves. */
  caughtUp?(): Promise<void>;
}

/** Reads a file, passes valid groups to `sink`, and returns how far it is valid. Throws `newer-version`. */
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
    return await headerOf(file);
  } finally {
    await file.close();
  }
}

/** Returns an open file's header, if it has one. Throws StoreError `newer-version`. */
export async function headerOf(file: DiskFile): Promise<Header | undefined> {
  const start = Buffer.alloc(LONGEST_HEADER);
  const length = await file.read(start, 0);
  const end = start.subarray(0, length).indexOf(NEWLINE);
  return end < 0 ? undefined : parseHeader(start.subarray(0, end))?.header;
}

/** Returns a header line's content and checksum, if it is one. Throws StoreError `newer-version`. */
function parseHeader(line: Buffer): { header: Header; crc: number } | undefined {
  if (line.length > LONGEST_HEADER) return undefined;
  if ((peekVersion(line) ?? 0) > FORMAT_VERSION) {
    throw newerVersionError();
  }
  const control = readControl(line, 0);
  const header = control && headerSchema.safeParse(control.body).data;
  return header && { header, crc: control.crc };
}

/** Reads an open file's lines into the sink, and returns how far they are whole. */
async function readOpenFile(file: DiskFile, sink: Sink): Promise<Reading> {
  const size = await file.size();
  const taking = new Taking(sink);
  for await (const { bytes, offset } of wholeLines(file, size, sink.bounds?.bytes)) {
    taking.block(bytes, offset);
    await sink.caughtUp?.();
  }
  return taking.end(size);
}

/** Reads line by line and finds the end of the valid part. */
class Taking {
  readonly #sink: Sink;
  #header: Header | undefined;
  #validLength = 0;
  #last = 0;
  /** Checksum up to the read position, and up to `validLength`. */
  #crc = 0;
  #soundCrc = 0;
  readonly #read = createOperationReader();
  /** Of the current group. */
  #operations: Operation[] = [];
  #lines = 0;
  #groupBytes = 0;
  #isDamaged = false;
  #isClosed = false;
  #lostDurable = false;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  /** Reads the complete lines in `bytes`; after damage only looks for lines which show that it had been on disk. */
  block(bytes: Buffer, offset: number): void {
    let summed = 0;
    for (let start = 0, end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      const control = bytes[start] === OBJECT;
      if (this.#isDamaged) {
        this.#lostDurable ||= control && saysDurable(bytes.subarray(start, end)) > this.#validLength;
      } else {
        if (control) this.#crc = crc32(bytes.subarray(summed, start), this.#crc);
        this.#isDamaged = !this.#line(bytes, start, end);
        if (control && !this.#isDamaged) {
          summed = end + 1;
          this.#validLength = offset + summed;
          this.#soundCrc = this.#crc;
        }
      }
      start = end + 1;
    }
    this.#crc = crc32(bytes.subarray(summed), this.#crc);
  }

  /** Returns the result for a file of `size` bytes. */
  end(size: number): Reading {
    return {
      header: this.#header,
      validLength: this.#validLength,
      size,
      crc: this.#soundCrc,
      last: this.#last,
      closed: this.#isClosed && this.#validLength === size,
      lostDurable: this.#lostDurable,
    };
  }

  /** Reads a line; returns whether it is as written and within the sink's bounds. */
  #line(bytes: Buffer, start: number, end: number): boolean {
    const header = this.#header;
    if (bytes[start] === OBJECT) {
      const line = bytes.subarray(start, end);
      return header ? this.#control(line, header) : this.#first(line);
    }
    this.#groupBytes += end - start;
    const { bounds } = this.#sink;
    if (bounds && (this.#groupBytes > bounds.bytes || this.#operations.length >= bounds.entries)) {
      this.#operations = [];
      return false;
    }
    const operations = header && this.#read(bytes, start, end);
    if (!operations) return false;
    this.#lines++;
    for (const operation of operations) this.#operations.push(operation);
    return true;
  }

  /** Takes over the header in the first line; false if it is none. Throws StoreError `newer-version`. */
  #first(line: Buffer): boolean {
    const parsed = parseHeader(line);
    if (!parsed) return false;
    this.#header = parsed.header;
    this.#crc = parsed.crc;
    this.#last = parsed.header.after;
    return true;
  }

  /** Checks a control line and passes its group on; false if it is damaged or the sink stops. */
  #control(line: Buffer, header: Header): boolean {
    const control = readControl(line, this.#crc);
    const meaning = control && parseControl(control.body);
    if (!meaning || ('ops' in meaning && meaning.ops !== this.#lines)) return false;
    if (!this.#sink.group(this.#operations, meaning, header)) return false;
    this.#operations = [];
    this.#lines = 0;
    this.#groupBytes = 0;
    this.#crc = control.crc;
    if ('last' in meaning) this.#last = meaning.last;
    this.#isClosed = 'end' in meaning || ('closed' in meaning && meaning.closed === true);
    return true;
  }
}

/** Returns the durable bytes by a control line after the damage, unverified; 0 if it doesn't say. */
function saysDurable(line: Buffer): number {
  const match = /^\{"ops":\d+,"last":\d+,"durable":(\d+)[,}]/.exec(
    line.toString('latin1', 0, LONGEST_HEADER),
  );
  return match ? Number(match[1]) : 0;
}
