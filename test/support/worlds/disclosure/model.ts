import type { FieldDescriptor } from '../../../../server/lists/definitions/model.ts';
import type { FieldKind } from '../../../../server/base/vocabulary.ts';

/**
 * What an office holds and what it chose to share, told apart from the program: names, values and ids are unique
 * marks, so that wherever one turns up it says where it came from.
 */
export interface ModelField extends FieldDescriptor {
  readonly fieldID: string;
  /** Record: the list that it refers to. */
  readonly target?: string;
}

export interface ModelRow {
  readonly recordID: string;
  /** By the column's id. */
  readonly values: Readonly<Record<string, readonly string[]>>;
  readonly createdAt: number;
  readonly deletedAt?: number;
  /** The partner that it came from: it does not go back there. */
  readonly from?: string;
}

export interface ModelList {
  readonly moduleID: string;
  readonly fields: readonly ModelField[];
  readonly rows: readonly ModelRow[];
}

/** Which rows are given: all parts have to be met, or any. */
export interface ModelCondition {
  readonly join: 'all' | 'any';
  readonly parts: readonly {
    readonly fieldID: string;
    /** Of the column when it was chosen. */
    readonly kind: FieldKind;
    readonly test: 'is' | 'is-not' | 'contains' | 'contains-not' | 'empty' | 'not-empty';
    readonly value: string;
  }[];
  /** One of its columns went, or held something else, while it was shared: no row meets it, also where that is undone. */
  readonly closed?: true;
}

export interface ModelShare {
  readonly nodeID: string;
  readonly moduleID: string;
  readonly exposureID: string;
  readonly fieldIDs: readonly string[];
  /** By the id of a column that refers to rows: the id of the column of the other list that it leaves as. */
  readonly pins: Readonly<Record<string, string>>;
  /** Absent: every row, and so it always was. */
  readonly condition?: ModelCondition;
  /** By the row's id: the partner sees it, or saw it. Of others it was never told. */
  readonly known: Readonly<Record<string, 'sees' | 'saw'>>;
  readonly createdAt: number;
  readonly gaps: readonly { readonly from: number; readonly to: number }[];
  readonly deletedAt?: number;
}

export interface Model {
  readonly lists: readonly ModelList[];
  readonly shares: readonly ModelShare[];
}

const NAMING: readonly FieldKind[] = ['String', 'Select', 'User', 'File'];
const ROW_ID = /^\d{15,20}$/;

export const listOf = (model: Model, moduleID: string): ModelList | undefined =>
  model.lists.find((list) => list.moduleID === moduleID);

/** The chosen columns that there still are, in the order in which they were chosen. */
export function chosenFields(model: Model, share: ModelShare): readonly ModelField[] {
  const fields = listOf(model, share.moduleID)?.fields ?? [];
  return share.fieldIDs.flatMap((id) => fields.filter(({ fieldID }) => fieldID === id));
}

/** What of one column of a row may leave. */
export function textsThatLeave(model: Model, share: ModelShare, row: ModelRow, field: ModelField): string[] {
  const stored = row.values[field.fieldID] ?? [];
  if (field.kind !== 'Record') return [...stored];
  const target = field.target === undefined ? undefined : listOf(model, field.target);
  const title = target?.fields.find(({ fieldID }) => fieldID === share.pins[field.fieldID]);
  return stored.flatMap((text) => {
    if (!ROW_ID.test(text)) return [];
    const referred = target?.rows.find(({ recordID }) => recordID === text);
    if (!title || !NAMING.includes(title.kind) || !referred || referred.deletedAt !== undefined) return [];
    const shown = (referred.values[title.fieldID] ?? []).join(', ');
    return shown === '' ? [] : [shown];
  });
}

/** A condition that is kept up with its list: one that goes by a column that is not what it was gives nothing any more. */
function kept(condition: ModelCondition, { fields }: ModelList): ModelCondition {
  const isWhole = condition.parts.every(({ fieldID, kind }) =>
    fields.some((field) => field.fieldID === fieldID && field.kind === kind),
  );
  return isWhole ? condition : { ...condition, closed: true };
}

/** Whether a row that is there is one of those that are given. */
function isMet(condition: ModelCondition | undefined, row: ModelRow): boolean {
  if (condition?.closed) return false;
  const tests = (condition?.parts ?? []).map(({ fieldID, test, value }) => {
    const texts = (row.values[fieldID] ?? []).filter((text) => text !== '');
    if (test === 'empty' || test === 'not-empty') return (texts.length === 0) === (test === 'empty');
    const [small, isPart] = [value.toLowerCase(), test.startsWith('contains')];
    const fits = texts.some((text) => (isPart ? text.toLowerCase().includes(small) : text === value));
    return fits !== (test === 'is-not' || test === 'contains-not');
  });
  return condition?.join === 'any' ? tests.length === 0 || tests.includes(true) : !tests.includes(false);
}

/** After each change: what partners see now, and saw. */
export function withKnown(model: Model): Model {
  const shares = model.shares.map((share) => {
    const list = listOf(model, share.moduleID);
    if (share.deletedAt !== undefined || !list) return share;
    const condition = share.condition && kept(share.condition, list);
    const known: Record<string, 'sees' | 'saw'> = {};
    for (const row of list.rows) {
      if (row.deletedAt === undefined && isMet(condition, row)) known[row.recordID] = 'sees';
      else if (share.known[row.recordID] !== undefined) known[row.recordID] = 'saw';
    }
    return { ...share, known, ...(condition ? { condition } : {}) };
  });
  return { ...model, shares };
}

/** The rows that a partner is told of, those that are deleted for it included. */
export function rowsThatTravel(model: Model, share: ModelShare): readonly ModelRow[] {
  const rows = listOf(model, share.moduleID)?.rows ?? [];
  if (share.condition)
    return rows.flatMap((row) => {
      const known = share.known[row.recordID];
      if (row.from === share.nodeID || known === undefined) return [];
      return [known === 'saw' ? { ...row, deletedAt: row.deletedAt ?? row.createdAt } : row];
    });
  return rows.filter(({ from, createdAt, deletedAt }) => {
    if (from === share.nodeID) return false;
    if (deletedAt === undefined) return true;
    if (deletedAt < share.createdAt) return false;
    return !share.gaps.some((gap) => createdAt >= gap.from && deletedAt < gap.to);
  });
}

/** Everything by which one partner could know something, at one moment. */
export interface Allowed {
  readonly texts: ReadonlySet<string>;
  readonly ids: ReadonlySet<string>;
}

const WORDS = /[A-Za-z0-9]+/g;

export function allowedTo(model: Model, nodeID: string): Allowed {
  const texts = new Set<string>();
  const ids = new Set<string>();
  for (const share of model.shares) {
    if (share.nodeID !== nodeID || share.deletedAt !== undefined) continue;
    const fields = chosenFields(model, share);
    for (const { name, label } of fields) for (const text of [name, label]) texts.add(text);
    for (const row of rowsThatTravel(model, share)) {
      ids.add(row.recordID);
      if (row.deletedAt !== undefined) continue;
      for (const field of fields)
        for (const text of textsThatLeave(model, share, row, field))
          for (const word of text.match(WORDS) ?? []) (/^\d/.test(word) ? ids : texts).add(word);
    }
  }
  return { texts, ids };
}
