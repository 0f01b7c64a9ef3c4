import { join } from 'node:path';
import { createYielder } from '../../base/yield.ts';
import { journalName, listGenerations, snapshotName } from '../engine/generations.ts';
import { MIGRATIONS, upgrade } from '../engine/migrations.ts';
import { readOperation } from '../engine/operation.ts';
import { storedIn } from '../engine/record-ref.ts';
import { errorCode } from '../files/disk-steps.ts';
import type { Disk, DiskFile } from '../files/disk.ts';
import { FORMAT_VERSION, parseJson } from '../files/format.ts';
import { headerOf } from '../files/reader.ts';

/** An entry, from its newest readable line. */
interface SalvagedEntry {
  readonly seq: number;
  /** Undefined: the line deletes the entry. */
  readonly value: unknown;
}

/** Content of damaged files, each line read alone: their checksums can't be verified any more. */
export interface SalvagedLines {
  readonly byKey: ReadonlyMap<string, SalvagedEntry>;
  /** Unreadable lines, in all tables. */
  readonly damagedLines: number;
  /** Number of the newest readable change. */
  readonly lastSeq: number;
}

const CHUNK_BYTES = 256 * 1024;
/** Nothing longer without a line break is a line of ours. */
const MAX_LINE_BYTES = 64 * 1024 ** 2;
const NEWLINE = 0x0a;
const OBJECT = 0x7b;

/**
 * Reads one table of a partition line by line, past any damage. Changes nothing. @param which `all` files of
 * a partition that can't be loaded, or only those set aside as damaged @returns undefined if there is no such
 * file @throws StoreError `newer-version`
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
  const reading = new Salvaging(table);
  for (const name of names)
    await reading.file(disk, join(folder, name)).catch((error: unknown) => {
      if (errorCode(error) !== 'ENOENT') throw error;
    });
  return reading;
}

/** Reads a file in blocks that end with a line, whatever the lines contain. */
async function* anyLines(file: DiskFile): AsyncGenerator<Buffer> {
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

class Salvaging implements SalvagedLines {
  readonly byKey = new Map<string, SalvagedEntry>();
  damagedLines = 0;
  lastSeq = 0;
  readonly #table: string;

  constructor(table: string) {
    this.#table = table;
  }

  async file(disk: Disk, path: string): Promise<void> {
    const file = await disk.open(path, 'read');
    try {
      const version = (await headerOf(file))?.version ?? FORMAT_VERSION;
      for await (const lines of anyLines(file)) this.#block(lines, version);
    } finally {
      await file.close();
    }
  }

  #block(bytes: Buffer, version: number): void {
    for (let start = 0; start < bytes.length;) {
      const found = bytes.indexOf(NEWLINE, start);
      const end = found < 0 ? bytes.length : found;
      if (end > start && !this.#line(bytes, { start, end, version })) this.damagedLines++;
      start = end + 1;
    }
  }

  /** Returns whether the line could be read. */
  #line(bytes: Buffer, { start, end, version }: { start: number; end: number; version: number }): boolean {
    // Headers and checksums have no values.
    if (bytes[start] === OBJECT) return parseJson(bytes.toString('utf8', start, end)) !== undefined;
    const read = readOperation(bytes, start, end, this.#table);
    if (!read || parseJson(bytes.toString('utf8', start, end)) === undefined) return false;
    this.lastSeq = Math.max(this.lastSeq, read.slot.seq);
    const [operation] = upgrade([read], version, MIGRATIONS);
    if (operation?.table !== this.#table) return true;
    const { key, seq } = operation.slot;
    if (seq >= (this.byKey.get(key)?.seq ?? 0))
      this.byKey.set(key, { seq, value: operation.deletes ? undefined : storedIn(operation.slot) });
    return true;
  }
}
