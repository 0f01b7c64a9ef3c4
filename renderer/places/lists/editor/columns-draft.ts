import type { ColumnDraft, ListColumn } from '../../../../server/contract/app/lists.ts';
import type { FieldDescriptor } from '../../../../server/contract/common.ts';

/** Common ones first. */
export const KINDS: readonly FieldDescriptor['kind'][] = [
  'String',
  'Number',
  'DateTime',
  'Bool',
  'Select',
  'Email',
  'Url',
  'Record',
  'User',
  'File',
  'Geometry',
];

/** `key` identifies a column before it has an id. */
export interface DraftColumn {
  readonly key: number;
  readonly fieldID?: string;
  readonly name?: string;
  label: string;
  kind: FieldDescriptor['kind'];
  isMulti: boolean;
  isRequired: boolean;
  moment: 'both' | 'date' | 'time';
  choices: string;
  /** Local id of the list to choose a Record from. */
  moduleID: string;
  /** Least decimals of a Number; 0 without unit: as stored. */
  precision: number;
  unit: string;
  multiLine: boolean;
  /** Texts of a Select's choices, settable only by scripts. */
  readonly optionTexts?: Readonly<Record<string, string>>;
}

/** Returns the draft of a new text column without label; `key` must be unique in the form. */
export const emptyColumn = (key: number): DraftColumn => ({
  key,
  label: '',
  kind: 'String',
  isMulti: false,
  isRequired: false,
  moment: 'date',
  choices: '',
  moduleID: '',
  precision: 0,
  unit: '',
  multiLine: false,
});

/** Returns the draft of an existing column; `key` must be unique in the form. */
export function draftOf(column: ListColumn, key: number): DraftColumn {
  const { options } = column;
  return {
    key,
    fieldID: column.fieldID,
    name: column.name,
    label: column.label || column.name,
    kind: column.kind,
    isMulti: column.isMulti,
    isRequired: column.isRequired,
    moment: options.only ?? 'both',
    choices: (options.options ?? []).join('\n'),
    moduleID: options.moduleID ?? '',
    precision: options.precision ?? 0,
    unit: options.unit ?? '',
    multiLine: options.multiLine ?? false,
    ...(options.optionTexts ? { optionTexts: options.optionTexts } : {}),
  };
}

/** Returns the column to save, trimmed, without other kinds' settings and empty or double choices; checks nothing. */
export function columnFrom(draft: DraftColumn): ColumnDraft {
  const choices = draft.choices
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const options: ColumnDraft['options'] = {
    ...(draft.kind === 'Select' ? { options: [...new Set(choices)] } : {}),
    ...(draft.kind === 'Select' && draft.optionTexts ? { optionTexts: draft.optionTexts } : {}),
    ...(draft.kind === 'String' && draft.multiLine ? { multiLine: true } : {}),
    ...(draft.kind === 'DateTime' && draft.moment !== 'both' ? { only: draft.moment } : {}),
    ...(draft.kind === 'Record' && draft.moduleID !== '' ? { moduleID: draft.moduleID } : {}),
    ...(draft.kind === 'Number' && draft.precision > 0 ? { precision: draft.precision } : {}),
    ...(draft.kind === 'Number' && draft.unit !== '' ? { unit: draft.unit } : {}),
  };
  return {
    ...(draft.fieldID === undefined ? {} : { fieldID: draft.fieldID }),
    ...(draft.name === undefined ? {} : { name: draft.name }),
    label: draft.label.trim(),
    kind: draft.kind,
    isMulti: draft.isMulti,
    isRequired: draft.isRequired,
    options,
  };
}

/**
 * Returns the draft after the list's columns became `now` elsewhere: without columns that are gone, with new ones last,
 * and others as they are now unless the draft changed them. `nextKey` returns an unused key.
 */
export function followColumns(
  draft: readonly DraftColumn[],
  before: readonly ListColumn[],
  now: readonly ListColumn[],
  nextKey: () => number,
): DraftColumn[] {
  const isKnown = ({ fieldID }: ListColumn): boolean => before.some((column) => column.fieldID === fieldID);
  const there = draft.flatMap((column) => {
    if (column.fieldID === undefined) return [column];
    const was = before.find(({ fieldID }) => fieldID === column.fieldID);
    const is = now.find(({ fieldID }) => fieldID === column.fieldID);
    const isChanged = !was || JSON.stringify(column) !== JSON.stringify(draftOf(was, column.key));
    return is ? [isChanged ? column : draftOf(is, column.key)] : [];
  });
  return [...there, ...now.filter((column) => !isKnown(column)).map((column) => draftOf(column, nextKey()))];
}
