import { join } from 'node:path';
import { z } from 'zod';
import { createYielder } from '../../base/yield.ts';
import { journalName, listGenerations, snapshotName } from '../engine/generations.ts';
import { MIGRATIONS, migrateOperations } from '../engine/migrations.ts';
import { createOperationReader, type Operation } from '../engine/operation.ts';
import { storedValueOf } from '../engine/record-ref.ts';
import { fillTemplate } from '../engine/template.ts';
import { errorCode } from '../files/disk-steps.ts';
import type { Disk, DiskFile } from '../files/disk.ts';
import { FORMAT_VERSION, parseJson } from '../files/format.ts';
import { operationLine } from '../files/line-buffer.ts';
import { readHeaderOf } from '../files/reader.ts';

interface SalvagedEntry {
  readonly seq: number;
  /** Undefined: deleted. */
  readonly value: unknown;
}

/** Lines of damaged files, read singly: checksums can't be verified. */
export interface SalvagedLines {
  readonly byKey: ReadonlyMap<string, SalvagedEntry>;
  /** In all tables; each unreadable entry of a shared line counts. */
  readonly damagedLines: number;
  readonly lastSeq: number;
}

const CHUNK_BYTES = 256 * 1024;
const MAX_LINE_BYTES = 64 * 1024 ** 2;
const NEWLINE = 0x0a;
const OBJECT = 0x7b;
/** A line with several entries. */
const LINE_HEAD = /^\[(\d+),"\+([^"\\]*)","[^"\\]*",\{"template":/;
const TEXTS_BEGIN = '],"texts":[["';
const TEXTS_END = '"]]}]';
const ENTRY_BREAK = '"],["';

/**
 * Reads one table from all of a partition's files, or those a repair put aside, line by line past any damage. Returns
 * the newest readable entries; undefined without files. Throws StoreError `newer-version`, and the disk's errors.
 */
export async function salvageTable(
  disk: Disk,
  folder: string,
  table: string,
  which: 'all' | 'aside',
): Promise<SalvagedLines | undefined> {
  const { snapshots, journals, aside } = await listGenerations(disk, folder);
  const own = which === 'all' ? [...snapshots.map(snapshotName), ...journals.map(journalName)] : [];
  const names = [...own, ...aside];
  if (names.length === 0) return undefined;
  const reading = new LineSalvager(table);
  for (const name of names)
    await reading.readFile(disk, join(folder, name)).catch((error: unknown) => {
      if (errorCode(error) !== 'ENOENT') throw error;
    });
  return reading;
}

/** Yields the file in blocks that end with a line break, or after 64 MiB. */
async function* readBlocks(file: DiskFile): AsyncGenerator<Buffer> {
  const pause = createYielder();
  const size = await file.size();
  let pending = Buffer.alloc(0);
  for (let position = 0; position < size;) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, size - position));
    const length = await file.read(chunk, position);
    if (length === 0) break;
    position += length;
    const bytes = Buffer.concat([pending, chunk.subarray(0, length)]);
    const cut = bytes.length > MAX_LINE_BYTES ? bytes.length : bytes.lastIndexOf(NEWLINE) + 1;
    yield bytes.subarray(0, cut);
    pending = bytes.subarray(cut);
    await pause();
  }
  yield pending;
}

class LineSalvager implements SalvagedLines {
  readonly byKey = new Map<string, SalvagedEntry>();
  damagedLines = 0;
  lastSeq = 0;
  readonly #table: string;
  readonly #read = createOperationReader();

  constructor(table: string) {
    this.#table = table;
  }

  /**
   * Reads the table's entries from a file, and counts damaged lines. Throws StoreError `newer-version`, and the disk's
   * errors.
   */
  async readFile(disk: Disk, path: string): Promise<void> {
    const file = await disk.open(path, 'read');
    try {
      const version = (await readHeaderOf(file))?.version ?? FORMAT_VERSION;
      for await (const lines of readBlocks(file)) this.#readLines(lines, version);
    } finally {
      await file.close();
    }
  }

  /** Reads the lines of a block; counts unreadable entries. */
  #readLines(bytes: Buffer, version: number): void {
    for (let start = 0; start < bytes.length;) {
      const found = bytes.indexOf(NEWLINE, start);
      const end = found < 0 ? bytes.length : found;
      if (end > start) this.damagedLines += this.#readLine(bytes, { start, end, version });
      start = end + 1;
    }
  }

  /** Reads a line's entries; those of later changes replace earlier ones. Returns the number of unreadable entries. */
  #readLine(bytes: Buffer, { start, end, version }: { start: number; end: number; version: number }): number {
    const text = bytes.toString('utf8', start, end);
    const isJson = parseJson(text) !== undefined;
    if (bytes[start] === OBJECT) return isJson ? 0 : 1;
    const read = isJson ? this.#read(bytes, start, end) : undefined;
    const { operations, damaged } = read ? { operations: read, damaged: 0 } : salvageTexts(text);
    for (const operation of migrateOperations(operations, version, MIGRATIONS)) {
      const { key, seq } = operation.slot;
      this.lastSeq = Math.max(this.lastSeq, seq);
      if (operation.table === this.#table && seq >= (this.byKey.get(key)?.seq ?? 0))
        this.byKey.set(key, { seq, value: operation.deletes ? undefined : storedValueOf(operation.slot) });
    }
    return damaged;
  }
}

/** Reads a damaged template line entry by entry; counts what it can't read. */
function salvageTexts(line: string): { operations: readonly Operation[]; damaged: number } {
  const [head = '', seq, table = ''] = LINE_HEAD.exec(line) ?? [];
  const texts = line.indexOf(TEXTS_BEGIN, head.length);
  const pieces = texts < 0 ? undefined : parseStrings(line.slice(head.length, texts + 1));
  const entries = line.slice(texts < 0 ? 0 : texts + TEXTS_BEGIN.length).split(ENTRY_BREAK);
  const operations = entries.flatMap((entry, at): readonly Operation[] => {
    const own = entry.endsWith(TEXTS_END) ? entry.slice(0, -TEXTS_END.length) : entry;
    const strings = parseStrings(`["${own}"]`);
    const [key] = strings ?? [];
    if (!pieces || key === undefined || strings?.length !== pieces.length - 1) return [];
    const json = fillTemplate(pieces, own);
    const alone = Buffer.from(operationLine(Number(seq) + at, table, key, json));
    return parseJson(json) === undefined ? [] : (createOperationReader()(alone, 0, alone.length) ?? []);
  });
  return { operations, damaged: entries.length - operations.length };
}

const parseStrings = (json: string): readonly string[] | undefined =>
  z.array(z.string()).safeParse(parseJson(json)).data;
