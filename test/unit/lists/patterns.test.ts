import { describe, expect, it } from 'vitest';
import { createSecretRedactor } from '../../../server/app/support-bundle.ts';
import { looksLikeNodeURI } from '../../../server/federation/partners/node-uri.ts';
import { CELL_FORMATS } from '../../../server/lists/csv/cell-formats.ts';
import { checkValue } from '../../../server/lists/values/kinds/check.ts';
import type { FieldKind } from '../../../server/base/vocabulary.ts';
import { createFieldNamer, handleFrom } from '../../../server/lists/definitions/names.ts';
import { parseQuery } from '../../../server/lists/query/query.ts';
import { toNumberText } from '../../../server/lists/sheets/cell-text.ts';
import { parseFormat } from '../../../server/lists/sheets/number-format.ts';
import { createRowCells } from '../../../server/lists/sheets/workbook.ts';
import { quoted } from '../../../server/peer/guard/errors.ts';
import { createConverter } from '../../../server/sync/pull/convert.ts';
import { processorTime } from '../../support/reading/processor-time.ts';

const LENGTH = 120_000;
/** One text takes well under a millisecond; a pattern whose time grows with the square of it takes seconds. */
const PATIENCE_MS = 2_000;

const KINDS: readonly FieldKind[] = ['Number', 'DateTime', 'Bool', 'Email', 'Url', 'Geometry', 'Select'];
const PIECES = [
  '0',
  '9',
  '1.',
  ' ',
  '_',
  'a',
  'a@',
  '-',
  '1,',
  '1,000',
  '/',
  ':',
  '[',
  '\\',
  '%',
  'NOT ',
  '(',
  "'",
];

/** Long rows of one piece that nearly fit what a pattern looks for. */
const TEXTS = PIECES.flatMap((piece) => {
  const row = piece.repeat(Math.ceil(LENGTH / piece.length));
  return [row, `${row}x`, `a${row}x`, `1${row}x`, `2026-01-01 ${row}x`];
});

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  ...Object.fromEntries(
    KINDS.flatMap((kind): [string, (text: string) => unknown][] => [
      [`a value of the kind ${kind}`, (text) => checkValue({ kind, options: {} }, text)],
      [
        `a text that becomes ${kind}`,
        (text) =>
          createConverter({ kind: 'String', isMulti: false }, { kind, isMulti: false, options: {} })([text]),
      ],
    ]),
  ),
  'a cell of a file': (text) => CELL_FORMATS.map((format) => format.read(text)),
  'a text in a workbook': (text) => createRowCells().putCell(0, { text, isText: true }),
  'a number in a workbook': (text) => toNumberText(text),
  'a format in a workbook': (text) => parseFormat(text),
  'the header of a file': (text) => createFieldNamer([])(text),
  'the name of a list': (text) => handleFrom(text, []),
  'a query': (text) => parseQuery(text.slice(0, 4096), [{ name: 'Name', kind: 'String' }]),
  'an invite': (text) => looksLikeNodeURI(text),
  'the words of a partner': (text) => quoted(text),
  'a line of the log': createSecretRedactor([], '/home/anna'),
};

describe('S7: a text from outside is read in a time that grows with its length, and no faster', () => {
  it.each(Object.entries(READERS))('%s', (_, read) => {
    for (const text of TEXTS) {
      const took = processorTime(() => {
        try {
          read(text);
        } catch {
          // Refusing it is an answer as well.
        }
      });
      expect(took, `${text.slice(0, 16)}…${text.slice(-3)}`).toBeLessThan(PATIENCE_MS);
    }
  });
});
