import { expect, it } from 'vitest';
import { suggestionsFor } from '../../../server/app/suggestions.ts';
import type { Field, FieldDescriptor, IncomingRow } from '../../../server/lists/definitions/model.ts';
import { english } from '../../../server/words/said.ts';

const LONG = 1_000_000;

it('the matching shows of long values the beginning, before and after, whatever column they are tried for', () => {
  const offered: FieldDescriptor[] = [{ kind: 'String', name: 'Remarks', label: 'Remarks', isMulti: false }];
  const ours = (['Number', 'Email', 'String'] as const).map((kind, at): Field => ({
    ...{ fieldID: String(at), kind, name: `own${at}`, label: `Own ${at}`, isMulti: false },
    ...{ isRequired: false, options: {} },
  }));
  const rows = ['7', 'x', 'y'].map((text, at): IncomingRow => ({
    ...{ recordID: String(at), createdAt: '', updatedAt: '' },
    values: { Remarks: [text.padEnd(LONG, text)] },
  }));
  const [remarks] = suggestionsFor(offered, ours, rows, english);
  expect(remarks?.candidates).toHaveLength(3);
  expect(remarks?.samples.map((text) => text.slice(0, 3))).toEqual(['777', 'xxx', 'yyy']);
  expect(JSON.stringify(remarks).length).toBeLessThan(10_000);
});
