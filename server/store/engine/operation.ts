import { z } from 'zod';
import { parseJson } from '../files/format.ts';
import type { LineRef } from '../files/line-buffer.ts';
import type { RecordRef } from './record-ref.ts';
import type { Template } from './template.ts';
import { isTemplateTable, readTemplateLine } from './template-line.ts';

/** A stored put or delete. */
export interface Operation {
  readonly table: string;
  readonly deletes: boolean;
  readonly slot: RecordRef;
}

interface LineOperation extends Operation {
  readonly slot: LineRef;
}

/** Undefined: invalid. `end`: the line break's offset. */
export type OperationReader = (bytes: Buffer, start: number, end: number) => readonly Operation[] | undefined;

/**
 * Returns a reader of the operations in a line, one or, in a template's line, many; undefined for an invalid line. Call
 * it in file order: it reuses the previous line's table and template.
 */
export function createOperationReader(): OperationReader {
  let table = '';
  let template: Template | undefined;
  return (bytes, start, end) => {
    const read = readOperation(bytes, start, end, table);
    if (!read) return undefined;
    ({ table } = read);
    if (!isTemplateTable(table)) return [read];
    const refs = read.deletes ? undefined : readTemplateLine(table, read.slot, template);
    template = refs?.[0]?.line.template;
    return refs?.map((slot) => ({ table: slot.line.table, deletes: false, slot }));
  };
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const CLOSE = 0x5d;

const anyOperation = z.tuple([z.int().positive(), z.string(), z.string()]).rest(z.unknown());

/**
 * Reads the operation of a line whose line break is at `end`, if valid. Leaves values unparsed, which takes a third of
 * JSON.parse's time. Reuses `lastTable` for an equal table.
 */
export function readOperation(
  bytes: Buffer,
  start: number,
  end: number,
  lastTable = '',
): LineOperation | undefined {
  let at = start + 1;
  let seq = 0;
  for (; at < end; at++) {
    const digit = (bytes[at] ?? 0) - 0x30;
    if (digit < 0 || digit > 9) break;
    seq = seq * 10 + digit;
  }
  if (seq === 0 || bytes[at] !== COMMA || bytes[at + 1] !== QUOTE) return readByParsing(bytes, start, end);
  const tableEnd = plainTextEnd(bytes, at + 2, end);
  if (tableEnd < 0 || bytes[tableEnd + 1] !== COMMA || bytes[tableEnd + 2] !== QUOTE) {
    return readByParsing(bytes, start, end);
  }
  const keyEnd = plainTextEnd(bytes, tableEnd + 3, end);
  if (keyEnd < 0 || bytes[end - 1] !== CLOSE) return readByParsing(bytes, start, end);
  const next = bytes[keyEnd + 1];
  if (next !== COMMA && !(next === CLOSE && keyEnd + 2 === end)) return readByParsing(bytes, start, end);
  return {
    table: isSameText(bytes, at + 2, tableEnd, lastTable)
      ? lastTable
      : bytes.toString('latin1', at + 2, tableEnd),
    deletes: next === CLOSE,
    slot: { key: bytes.toString('latin1', tableEnd + 3, keyEnd), seq, bytes, start, end },
  };
}

/** Returns the index of the closing quotation mark; -1 for texts with escapes or non-ASCII characters. */
function plainTextEnd(bytes: Buffer, start: number, end: number): number {
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH || byte > 0x7e) return -1;
  }
  return -1;
}

/** Returns whether these bytes are the ASCII text. */
function isSameText(bytes: Buffer, start: number, end: number, text: string): boolean {
  if (end - start !== text.length) return false;
  for (let i = 0; i < text.length; i++) if (bytes[start + i] !== text.charCodeAt(i)) return false;
  return true;
}

/** Reads an operation with unusual characters; undefined if the line is none. */
function readByParsing(bytes: Buffer, start: number, end: number): LineOperation | undefined {
  const parsed = anyOperation.safeParse(parseJson(bytes.toString('utf8', start, end)));
  if (!parsed.success || parsed.data.length > 4) return undefined;
  const [seq, table, key] = parsed.data;
  return { table, deletes: parsed.data.length === 3, slot: { key, seq, bytes, start, end } };
}
