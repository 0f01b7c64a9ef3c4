import { expect, it } from 'vitest';
import { createLineBuffer, lineBytes } from '../../../server/store/files/line-buffer.ts';

const row = (at: number): string =>
  JSON.stringify({
    recordID: String(at),
    values: { 'Kunden-Nr': [`K-${at}`], Name: ['Größmann, Ada'], Ort: ['Straßburg'], Umsatz: ['1204.50'] },
  });

it.each([1, 20, 500, 3000])('a transaction of %i rows takes little more memory than its lines', (rows) => {
  const buffer = createLineBuffer();
  const memory = new Set<ArrayBufferLike>();
  for (let at = 0; at < rows; at++) memory.add(buffer.add(at + 1, 'row', String(at), row(at)).bytes.buffer);
  const pieces = buffer.pieces();
  const written = pieces.reduce((sum, { length }) => sum + length, 0);
  const text = Buffer.concat(pieces).toString('utf8');
  expect(text.trimEnd().split('\n')).toHaveLength(rows);
  const held = [...memory].reduce((sum, { byteLength }) => sum + byteLength, 0);
  expect(held).toBeLessThan(Math.min(2.2 * written, written + 33 * 1024));
});

it('a line that is kept keeps no memory of others', () => {
  const bytes = lineBytes(`${row(1)}\n`);
  expect(bytes.toString()).toBe(`${row(1)}\n`);
  expect(bytes.buffer.byteLength).toBe(bytes.length);
});
