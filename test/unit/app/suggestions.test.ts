import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { suggestMappings } from '../../../server/app/suggestions.ts';
import type { Field, FieldDescriptor, IncomingRow } from '../../../server/lists/definitions/model.ts';
import { english } from '../../../server/words/said.ts';
import { incoming, values } from '../../support/harness/lists.ts';

const LONG = 1_000_000;

it('the matching shows of long values the beginning, before and after, whatever column they are tried for', async () => {
  const offered: FieldDescriptor[] = [{ kind: 'String', name: 'Remarks', label: 'Remarks', isMulti: false }];
  const ours = (['Number', 'Email', 'String'] as const).map((kind, at): Field => ({
    ...{ fieldID: String(at), kind, name: `own${at}`, label: `Own ${at}`, isMulti: false },
    ...{ isRequired: false, options: {} },
  }));
  const rows = ['7', 'x', 'y'].map((text, at): IncomingRow => ({
    ...{ recordID: String(at), createdAt: '', updatedAt: '' },
    values: { Remarks: [text.padEnd(LONG, text)] },
  }));
  const [remarks] = await suggestMappings(offered, ours, rows, english);
  expect(remarks?.candidates).toHaveLength(3);
  expect(remarks?.samples.map(([text]) => text?.slice(0, 3))).toEqual(['777', 'xxx', 'yyy']);
  expect(JSON.stringify(remarks).length).toBeLessThan(10_000);
});

const column = (name: string, more: Partial<Field> = {}): Field => ({
  fieldID: name,
  name,
  label: name,
  kind: 'String',
  isMulti: false,
  isRequired: false,
  options: {},
  ...more,
});

it('S7: tries of a long value the beginning, and once for all columns of ours that are alike', async () => {
  const tries = vi.spyOn(RegExp.prototype, 'exec');
  onTestFinished(() => tries.mockRestore());
  const ours = Array.from({ length: 50 }, (_, at) => column(`Sum${at}`, { kind: 'Number' }));
  const rows = ['1', '2', '3'].map((id) => incoming(id, 0, { Note: '1'.padEnd(LONG, '1') }));
  const say = vi.fn(english);
  const [suggestion] = await suggestMappings([column('Note')], ours, rows, say);
  // What a match does, for each of ours; why each of the three is refused, for all.
  expect(say).toHaveBeenCalledTimes(50 + 3);
  expect(suggestion?.candidates[49]?.samples).toHaveLength(3);
  const texts = tries.mock.calls.map(([text]) => text.length);
  expect(Math.max(0, ...texts)).toBeLessThan(2000);
});

it('tries values whole that are no longer than people write them, refused ones first', async () => {
  const link = `https://example.org/${'path/'.repeat(60)}`;
  const rows = [incoming('1', 0, { Site: link }), incoming('2', 0, { Site: 'not a link' })];
  const [suggestion] = await suggestMappings(
    [column('Site')],
    [column('Web', { kind: 'Url' })],
    rows,
    english,
  );
  const [refused, taken] = suggestion?.candidates[0]?.samples ?? [];
  expect(refused?.before).toEqual(['not a link']);
  expect(refused?.problem).toBeTruthy();
  expect(taken).toEqual({ before: [`${link.slice(0, 200)}…`], after: [`${link.slice(0, 200)}…`] });
});

it('gives several values one by one, and no more of them than people read', async () => {
  const values = { Tags: ['a'.repeat(150), 'b'.repeat(60), 'c'] };
  const rows = [{ recordID: '1', createdAt: '', updatedAt: '', values }];
  const [suggestion] = await suggestMappings([column('Tags', { isMulti: true })], [], rows, english);
  expect(suggestion?.samples).toEqual([['a'.repeat(150), `${'b'.repeat(50)}…`]]);
});

it('makes of values what each kind of column of ours makes of them', async () => {
  const rows = [incoming('1', 0, { Size: 'L' })];
  const ours = [
    column('One', { kind: 'Select', options: { options: ['L', 'XL'] } }),
    column('Other', { kind: 'Select', options: { options: ['small'] } }),
    column('Again', { kind: 'Select', options: { options: ['L', 'XL'] } }),
  ];
  const [suggestion] = await suggestMappings([column('Size')], ours, rows, english);
  expect(suggestion?.candidates.map(({ samples }) => samples?.[0]?.after)).toEqual([['L'], undefined, ['L']]);
});

describe('columns with other names', () => {
  const theirs = [column('Ref'), column('Contact'), column('Size'), column('Since', { kind: 'DateTime' })];
  const ours = [column('CustomerNo'), column('Mail', { kind: 'Email' }), column('Kind'), column('Town')];
  const sent = Array.from({ length: 10 }, (_, at) =>
    incoming(String(at), 0, {
      Ref: `K-${String(at)}`,
      Contact: `ada${String(at)}@example.org`,
      Size: at % 2 === 0 ? 'S' : 'M',
    }),
  );
  const standing = Array.from({ length: 8 }, (_, at) => ({
    values: values({ CustomerNo: `K-${String(at)}`, Kind: at % 2 === 0 ? 'S' : 'M' }),
  }));

  it('are proposed by their values where that is certain, and never chosen', async () => {
    const suggestions = await suggestMappings(theirs, ours, sent, english, standing);
    expect(suggestions.map(({ destination }) => destination)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(suggestions.map(({ proposed }) => proposed)).toEqual([
      { destination: 'CustomerNo', equal: { n: 8, of: 10 } },
      { destination: 'Mail' },
      // Two different values say nothing, and no column of ours holds days.
      undefined,
      undefined,
    ]);
  });

  it('are not proposed where two could be meant, or a name says it', async () => {
    const two = [...ours, column('Mail at home', { kind: 'Email' })];
    const [, contact] = await suggestMappings(theirs, two, sent, english, standing);
    expect(contact?.proposed).toBeUndefined();
    const [named] = await suggestMappings([column('CustomerNo')], ours, sent, english, standing);
    expect(named).toMatchObject({ destination: 'CustomerNo' });
    expect(named?.proposed).toBeUndefined();
  });
});
