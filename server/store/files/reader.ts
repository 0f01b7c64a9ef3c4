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
import { readOperation, type Operation } from '../engine/operation.ts';

const LONGEST_HEADER = 4096;
const NEWLINE = 0x0a;
const OBJECT = 0x7b;

/** What a file turned out to be. Everything in front of `validLength` bytes is as it was written. */
export interface Reading {
  /** Undefined: the first line is no header of ours, so nothing in the file can be used. */
  readonly header: Header | undefined;
  /** Bytes up to and including the last sound control line. */
  readonly validLength: number;
  readonly size: number;
  /** Checksum that the next control line behind `validLength` goes on with. */
  readonly crc: number;
  /** Number of the last change in front of `validLength`. */
  readonly last: number;
  /** The last control line says that the file was closed properly, or that it ends here. */
  readonly closed: boolean;
  /** Something behind `validLength` says that bytes behind `validLength` had been on the disk for certain. */
  readonly lostDurable: boolean;
}

/** Takes what a file holds, group by group, each only after its checksum has been found right. */
export interface Sink {
  /** Return false to stop reading behind the group before this one. */
  group(operations: readonly Operation[], control: Control, header: Header): boolean;
  /** Asked now and then: reading goes on when that resolves, so that no more is read than can be dealt with. */
  caughtUp?(): Promise<void>;
}

/**
 * Reads one of the store's files and hands every sound group to `sink`, without holding up the rest of the
 * program. Throws StoreError `newer-version` for a file of a newer version; damage is told in the result.
 */
export async function readStoreFile(disk: Disk, path: string, sink: Sink): Promise<Reading> {
  const file = await disk.open(path, 'read');
  try {
    return await readOpenFile(file, sink);
  } finally {
    await file.close();
  }
}

/** Reads the first line only. */
export async function readHeader(disk: Disk, path: string): Promise<Header | undefined> {
  const file = await disk.open(path, 'read');
  try {
    return await headerOf(file);
  } finally {
    await file.close();
  }
}

/** {@link readHeader} of a file that is open already. */
export async function headerOf(file: DiskFile): Promise<Header | undefined> {
  const start = Buffer.alloc(LONGEST_HEADER);
  const length = await file.read(start, 0);
  const end = start.subarray(0, length).indexOf(NEWLINE);
  return end < 0 ? undefined : parseHeader(start.subarray(0, end))?.header;
}

function parseHeader(line: Buffer): { header: Header; crc: number } | undefined {
  if (line.length > LONGEST_HEADER) return undefined;
  if ((peekVersion(line) ?? 0) > FORMAT_VERSION) {
    throw newerVersionError();
  }
  const control = readControl(line, 0);
  const header = control && headerSchema.safeParse(control.body).data;
  return header && { header, crc: control.crc };
}

async function readOpenFile(file: DiskFile, sink: Sink): Promise<Reading> {
  const size = await file.size();
  let header: Header | undefined;
  let validLength = 0;
  let last = 0;
  let soundCrc = 0;
  const found = { damage: false, lostDurable: false, closed: false };
  let crc = 0;
  let table = '';
  let operations: Operation[] = [];

  const takeControl = (line: Buffer, header: Header): boolean => {
    const control = readControl(line, crc);
    const meaning = control && parseControl(control.body);
    if (!meaning || ('ops' in meaning && meaning.ops !== operations.length)) return false;
    if (!sink.group(operations, meaning, header)) return false;
    operations = [];
    crc = control.crc;
    if ('last' in meaning) last = meaning.last;
    found.closed = 'end' in meaning || ('closed' in meaning && meaning.closed === true);
    return true;
  };
  const takeHeader = (line: Buffer): boolean => {
    const parsed = parseHeader(line);
    if (!parsed) return false;
    ({ header, crc } = parsed);
    last = header.after;
    return true;
  };

  const takeLine = (bytes: Buffer, start: number, end: number): boolean => {
    if (bytes[start] === OBJECT) {
      const line = bytes.subarray(start, end);
      return header ? takeControl(line, header) : takeHeader(line);
    }
    const operation = header && readOperation(bytes, start, end, table);
    if (!operation) return false;
    table = operation.table;
    operations.push(operation);
    return true;
  };

  const takeBlock = (bytes: Buffer, offset: number): void => {
    let summed = 0;
    for (let start = 0, end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      const control = bytes[start] === OBJECT;
      if (found.damage) {
        found.lostDurable ||= control && saysDurable(bytes.subarray(start, end)) > validLength;
      } else {
        if (control) crc = crc32(bytes.subarray(summed, start), crc);
        found.damage = !takeLine(bytes, start, end);
        if (control && !found.damage) {
          summed = end + 1;
          validLength = offset + summed;
          soundCrc = crc;
        }
      }
      start = end + 1;
    }
    crc = crc32(bytes.subarray(summed), crc);
  };
  for await (const { bytes, offset } of wholeLines(file, size)) {
    takeBlock(bytes, offset);
    await sink.caughtUp?.();
  }
  return {
    header,
    validLength,
    size,
    crc: soundCrc,
    last,
    closed: found.closed && validLength === size,
    lostDurable: found.lostDurable,
  };
}

/** What a control line behind the damage says was on the disk; its checksum cannot be checked any more. */
function saysDurable(line: Buffer): number {
  const match = /^\{"ops":\d+,"last":\d+,"durable":(\d+)[,}]/.exec(
    line.toString('latin1', 0, LONGEST_HEADER),
  );
  return match ? Number(match[1]) : 0;
}
