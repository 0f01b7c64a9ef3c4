import type { Field } from '../../../server/lists/definitions/model.ts';
import { FIELD_KINDS, type FieldKind } from '../../../server/base/vocabulary.ts';
import { describeConversion, type Conversion } from '../../../server/sync/pull/convert.ts';
import { english } from '../../../server/words/said.ts';

/** As the window calls the kinds. */
export const WORDS: Readonly<Record<FieldKind, string>> = {
  String: 'Text',
  Number: 'Number',
  DateTime: 'Date and time',
  Bool: 'Yes or no',
  Select: 'Choice',
  Email: 'E-mail address',
  Url: 'Web address',
  User: 'Person',
  Record: 'Row of another list',
  File: 'File',
  Geometry: 'Place on the map',
};
const SIGNS: Readonly<Record<Conversion, string>> = {
  same: '=',
  converts: '→',
  'may-refuse': '?',
  impossible: '–',
};

/** A column of ours that offers choices where it is of that kind. */
function ours(kind: FieldKind): Pick<Field, 'kind' | 'isMulti' | 'options'> {
  return { kind, isMulti: false, options: kind === 'Select' ? { options: ['a choice'] } : {} };
}

const outcome = (from: FieldKind, to: FieldKind): ReturnType<typeof describeConversion> =>
  describeConversion({ kind: from, isMulti: false }, ours(to));

/** The kind × kind table of docs/values.md, and what the matching screen says of each pair, made from the code. */
export function valuesTable(): string {
  const head = ['Theirs ↓ ours →', ...FIELD_KINDS.map((kind) => WORDS[kind])];
  const rows = FIELD_KINDS.map((from) => [
    `**${WORDS[from]}**`,
    ...FIELD_KINDS.map((to) => SIGNS[outcome(from, to).conversion]),
  ]);
  const notes = FIELD_KINDS.flatMap((from) => [
    `### From “${WORDS[from]}”`,
    '',
    ...notesOf(from).map(([note, kinds]) => `- into ${kinds.join(', ')}: ${note}`),
    '',
  ]);
  return [line(head), line(head.map(() => '---')), ...rows.map(line), '', ...notes].join('\n').trimEnd();
}

/** What is said of the kinds into which values can go, kinds of which the same is said together. */
function notesOf(from: FieldKind): [note: string, kinds: string[]][] {
  const notes = new Map<string, string[]>();
  for (const to of FIELD_KINDS) {
    const { conversion, note } = outcome(from, to);
    if (conversion === 'impossible') continue;
    const told = conversion === 'same' ? 'Taken over as it is.' : english(note);
    notes.set(told, [...(notes.get(told) ?? []), WORDS[to]]);
  }
  return [...notes];
}

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
