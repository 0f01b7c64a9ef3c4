import { omit } from '../../../../server/base/omit.ts';
import type { FieldInput } from '../../../../server/lists/definitions/inputs.ts';
import type { RequestedCondition } from '../../../../server/lists/query/condition.ts';
import type { Values } from '../../../../server/lists/definitions/model.ts';
import { Refusal } from '../../../../server/base/refusal.ts';
import type { HttpOffice } from '../../harness/served-parts.ts';
import type { Seeded } from '../../data/seeded.ts';
import type { Marks } from './marks.ts';
import {
  chosenFields,
  listOf,
  type Model,
  type ModelCondition,
  type ModelField,
  type ModelList,
  type ModelRow,
  type ModelShare,
} from './model.ts';

/** One change: what the office is to hold afterwards, and how it is brought about; ids may be found out by then. */
export interface Edit {
  readonly what: string;
  readonly after: Model;
  /** Brings it about; answers what the office holds now. */
  apply(): Promise<Model>;
}

export interface EditDeps {
  readonly office: HttpOffice;
  readonly random: Seeded;
  readonly marks: Marks;
  readonly nodeIDs: readonly string[];
  readonly now: () => number;
  /** Names of columns that went. */
  readonly freed: string[];
}

const BY = '1';

/** A change by chance; undefined where this one makes no sense at the moment. */
export function anyEdit(model: Model, deps: EditDeps): Edit | undefined {
  return deps.random.pick(deps.random.happens(0.3) ? COLUMNS : deps.random.happens(0.6) ? ROWS : SHARES)(
    model,
    deps,
  );
}

type MakeEdit = (model: Model, deps: EditDeps) => Edit | undefined;

const withList = (model: Model, list: ModelList): Model => ({
  ...model,
  lists: model.lists.map((each) => (each.moduleID === list.moduleID ? list : each)),
});

/** Values by name, as the office takes them. */
function namedValues(fields: readonly ModelField[], values: ModelRow['values']): Values {
  return Object.fromEntries(
    fields.flatMap(({ fieldID, name }) => (values[fieldID] ? [[name, values[fieldID]]] : [])),
  );
}

export function fieldInput({ fieldID, kind, name, label, isMulti, target }: ModelField): FieldInput {
  const options = target === undefined ? {} : { moduleID: target };
  return { ...(fieldID === '' ? {} : { fieldID }), kind, name, label, isMulti, options };
}

function someValue(model: Model, field: ModelField, { random, marks }: EditDeps): readonly string[] {
  if (random.happens(0.2)) return [];
  const one = (): string => {
    const rows = field.target === undefined ? [] : (listOf(model, field.target)?.rows ?? []);
    if (field.kind !== 'Record' || rows.length === 0 || random.happens(0.1)) return marks.make('v');
    return random.pick(rows).recordID;
  };
  return field.isMulti && random.happens(0.3) ? [one(), one()] : [one()];
}

const someValues = (model: Model, list: ModelList, deps: EditDeps): ModelRow['values'] =>
  Object.fromEntries(list.fields.map((field) => [field.fieldID, someValue(model, field, deps)]));

/* Columns */

function columnEdit(
  what: string,
  change: (fields: readonly ModelField[], deps: EditDeps, model: Model) => readonly ModelField[] | undefined,
): MakeEdit {
  return (model, deps) => {
    const list = deps.random.pick(model.lists);
    const fields = change(list.fields, deps, model);
    if (!fields || fields.length === 0) return undefined;
    const before = withoutRetyped(model, list, fields);
    const after = withEnded(withList(before, { ...list, fields }), deps.now());
    return {
      what: `${what} in ${list.moduleID}: ${fields.map(({ name, kind }) => `${name} ${kind}`).join()}`,
      after,
      async apply() {
        const module = await deps.office.lists.updateModule(list.moduleID, {
          fields: fields.map(fieldInput),
        });
        await deps.office.settled();
        const ids = module.fields.map(({ fieldID }) => fieldID);
        const known = fields.map((field, at) => ({ ...field, fieldID: ids[at] ?? '' }));
        const rows = await withPointed(deps.office, { ...list, fields: known }, list.fields);
        return withEnded(withList(before, { ...list, fields: known, rows }), deps.now());
      },
    };
  };
}

/**
 * Where a column begins to refer to rows, texts that name one row alone become that row; where it ceases to, rows become
 * what they are called: which ones, the office says.
 */
async function withPointed(
  office: HttpOffice,
  { moduleID, fields, rows }: ModelList,
  before: readonly ModelField[],
): Promise<readonly ModelRow[]> {
  const retargeted = fields.filter(({ fieldID, target }) =>
    before.some((each) => each.fieldID === fieldID && each.target !== target),
  );
  if (retargeted.length === 0) return rows;
  const inList = await office.lists.rows(moduleID);
  const stored = await inList.getMany(rows.map(({ recordID }) => recordID));
  return rows.map((row, at) => {
    const now = retargeted.map(({ fieldID, name }) => [fieldID, stored[at]?.values[name] ?? []] as const);
    return { ...row, values: { ...row.values, ...Object.fromEntries(now) } };
  });
}

/** A column that refers to rows since, or no more, is to be chosen anew; so is what named rows before it did, or before it went. */
function withoutRetyped(model: Model, { moduleID, fields }: ModelList, now: readonly ModelField[]): Model {
  const names = (pin: string): boolean =>
    fields.every(({ fieldID }) => fieldID !== pin) ||
    now.some(({ fieldID, kind }) => fieldID === pin && kind !== 'Record');
  const isRetyped = (id: string): boolean => {
    const [was, is] = [fields, now].map((each) => each.find(({ fieldID }) => fieldID === id));
    return was !== undefined && is !== undefined && (was.kind === 'Record') !== (is.kind === 'Record');
  };
  return {
    ...model,
    shares: model.shares.map((share) => ({
      ...share,
      pins: Object.fromEntries(Object.entries(share.pins).filter(([, pin]) => names(pin))),
      ...(share.moduleID === moduleID ? { fieldIDs: share.fieldIDs.filter((id) => !isRetyped(id)) } : {}),
    })),
  };
}

/** A share that has no column left ends. */
function withEnded(model: Model, now: number): Model {
  const hasColumns = (share: ModelShare): boolean =>
    (listOf(model, share.moduleID)?.fields ?? []).some(({ fieldID }) => share.fieldIDs.includes(fieldID));
  return {
    ...model,
    shares: model.shares.map((share) =>
      share.deletedAt === undefined && !hasColumns(share) ? { ...share, deletedAt: now } : share,
    ),
  };
}

function two<T>(list: readonly T[], random: Seeded): readonly [T, T] | undefined {
  const first = random.pick(list);
  const others = list.filter((each) => each !== first);
  return others.length === 0 ? undefined : [first, random.pick(others)];
}

const replaced = (fields: readonly ModelField[], ...changed: readonly ModelField[]): readonly ModelField[] =>
  fields.map((field) => changed.find(({ fieldID }) => fieldID === field.fieldID) ?? field);

export const newField = (marks: Marks, more: Partial<ModelField> = {}): ModelField => ({
  fieldID: '',
  kind: 'String',
  name: marks.make('n'),
  label: marks.make('l'),
  isMulti: false,
  ...more,
});

const MAX_COLUMNS = 6;

const COLUMNS: readonly MakeEdit[] = [
  columnEdit('swap names', (fields, { random }) => {
    const [a, b] = two(fields, random) ?? [];
    return a && b && replaced(fields, { ...a, name: b.name }, { ...b, name: a.name });
  }),
  columnEdit('names in a circle', (fields) =>
    fields.map((field, at) => ({ ...field, name: fields[(at + 1) % fields.length]?.name ?? field.name })),
  ),
  columnEdit('rename', (fields, { random, marks }) =>
    replaced(fields, { ...random.pick(fields), name: marks.make('n') }),
  ),
  columnEdit('delete, and rename another one to its name', (fields, { random }) => {
    const [gone, heir] = two(fields, random) ?? [];
    return (
      gone &&
      heir &&
      replaced(fields, { ...heir, name: gone.name }).filter((field) => field.fieldID !== gone.fieldID)
    );
  }),
  columnEdit('delete', (fields, { random, freed }) => {
    const gone = random.pick(fields);
    if (fields.length < 2) return undefined;
    freed.push(gone.name);
    return fields.filter((field) => field !== gone);
  }),
  columnEdit(
    'add, often under a name that was another one’s',
    (fields, { random, marks, freed }, { lists }) => {
      if (fields.length >= MAX_COLUMNS) return undefined;
      const target = random.pick(lists).moduleID;
      const more = random.happens(0.4) ? { kind: 'Record' as const, target } : {};
      const old = random.happens(0.6)
        ? freed.findLast((name) => !fields.some((each) => each.name === name))
        : undefined;
      const name = old ?? marks.make('n');
      const field = newField(marks, { ...more, name, isMulti: random.happens(0.3) });
      return random.happens(0.5) ? [field, ...fields] : [...fields, field];
    },
  ),
  columnEdit('move', (fields, { random }) => {
    const [first, ...rest] = fields;
    return first && (random.happens(0.5) ? [...rest, first] : [...rest].reverse().concat(first));
  }),
  columnEdit('retype', (fields, { random }, { lists }) => {
    const field = omit(random.pick(fields), 'target');
    const kind = random.pick(['String', 'Select', 'User', 'Record'] as const);
    return replaced(
      fields,
      kind === 'Record' ? { ...field, kind, target: random.pick(lists).moduleID } : { ...field, kind },
    );
  }),
];

/* Rows */

const MAX_ROWS = 8;
const alive = (list: ModelList): readonly ModelRow[] =>
  list.rows.filter(({ deletedAt }) => deletedAt === undefined);

function rowEdit(
  what: string,
  pick: (list: ModelList) => readonly ModelRow[],
  change: (row: ModelRow, list: ModelList, deps: EditDeps, model: Model) => ModelRow,
  apply: (row: ModelRow, list: ModelList, deps: EditDeps) => Promise<unknown>,
): MakeEdit {
  return (model, deps) => {
    const list = deps.random.pick(model.lists);
    const rows = pick(list);
    if (rows.length === 0) return undefined;
    const before = deps.random.pick(rows);
    const row = change(before, list, deps, model);
    const after = withList(model, { ...list, rows: list.rows.map((each) => (each === before ? row : each)) });
    return {
      what: `${what} ${row.recordID} in ${list.moduleID}`,
      after,
      async apply() {
        await apply(row, list, deps);
        return after;
      },
    };
  };
}

const addRow: MakeEdit = (model, deps) => {
  const list = deps.random.pick(model.lists);
  if (list.rows.length >= MAX_ROWS) return undefined;
  const values = someValues(model, list, deps);
  const withRow = (recordID: string): Model =>
    withList(model, { ...list, rows: [...list.rows, { recordID, values, createdAt: deps.now() }] });
  return {
    what: `add a row to ${list.moduleID}`,
    after: withRow(''),
    async apply() {
      const rows = await deps.office.lists.rows(list.moduleID);
      const { recordID } = await rows.create(namedValues(list.fields, values), BY);
      return withRow(recordID);
    },
  };
};

const receiveRow: MakeEdit = (model, deps) => {
  const list = deps.random.pick(model.lists);
  if (list.rows.length >= MAX_ROWS) return undefined;
  const from = deps.random.pick(deps.nodeIDs);
  const values = someValues(model, list, deps);
  const origin = String(10n ** 18n + BigInt(deps.random.below(2 ** 31)));
  const withRow = (recordID: string): Model =>
    withList(model, { ...list, rows: [...list.rows, { recordID, values, createdAt: deps.now(), from }] });
  return {
    what: `receive a row from ${from} into ${list.moduleID}`,
    after: withRow(''),
    async apply() {
      const rows = await deps.office.lists.rows(list.moduleID);
      const at = new Date(deps.now()).toISOString();
      const row = {
        recordID: origin,
        createdAt: at,
        updatedAt: at,
        values: namedValues(list.fields, values),
      };
      await rows.receive({ nodeID: from, rows: [row], mappedColumns: list.fields.map(({ name }) => name) });
      const [received] = await rows.findReceived(from, [origin]);
      if (!received) throw new Error('The row did not arrive.');
      return withRow(received.recordID);
    },
  };
};

const ROWS: readonly MakeEdit[] = [
  addRow,
  receiveRow,
  rowEdit(
    'change',
    alive,
    (row, list, deps, model) => ({ ...row, values: { ...row.values, ...someValues(model, list, deps) } }),
    async ({ recordID, values }, { moduleID, fields }, { office }) =>
      (await office.lists.rows(moduleID)).patch(recordID, namedValues(fields, values), BY),
  ),
  rowEdit(
    'bin',
    alive,
    (row, _list, { now }) => ({ ...row, deletedAt: now() }),
    async ({ recordID }, { moduleID }, { office }) =>
      (await office.lists.rows(moduleID)).remove(recordID, BY),
  ),
  rowEdit(
    'restore',
    (list) => list.rows.filter(({ deletedAt }) => deletedAt !== undefined),
    (row) => omit(row, 'deletedAt'),
    async ({ recordID }, { moduleID }, { office }) =>
      (await office.lists.rows(moduleID)).restore(recordID, BY),
  ),
];

/* Shares */

interface Choice {
  readonly fieldIDs: readonly string[];
  readonly pins: Readonly<Record<string, string>>;
}

function someChoice(model: Model, list: ModelList, { random }: EditDeps): Choice {
  const wanted = list.fields.filter(() => random.happens(0.5));
  const fields = wanted.length > 0 ? wanted : [random.pick(list.fields)];
  const pins = fields.flatMap(({ fieldID, kind, target }) => {
    if (kind !== 'Record' || target === undefined) return [];
    const titles = (listOf(model, target)?.fields ?? []).filter((field) => field.kind !== 'Record');
    return [
      [fieldID, titles.length === 0 || random.happens(0.2) ? '' : random.pick(titles).fieldID] as const,
    ];
  });
  return { fieldIDs: fields.map(({ fieldID }) => fieldID), pins: Object.fromEntries(pins) };
}

/** Columns of any kind, often those that are not shared; values that stand in some rows. */
function someCondition(list: ModelList, { random }: EditDeps): ModelCondition {
  const parts = Array.from({ length: 1 + random.below(2) }, () => {
    const { fieldID, kind } = random.pick(list.fields);
    const texts = list.rows.flatMap(({ values }) => values[fieldID] ?? []).filter((text) => text !== '');
    if (kind === 'Record' || texts.length === 0 || random.happens(0.3))
      return { fieldID, kind, test: random.pick(['empty', 'not-empty'] as const), value: '' };
    const text = random.pick(texts);
    return random.happens(0.4)
      ? { fieldID, kind, test: random.pick(['is', 'is-not'] as const), value: text }
      : {
          ...{ fieldID, kind, test: random.pick(['contains', 'contains-not'] as const) },
          value: text.charAt(random.below(text.length)),
        };
  });
  return { join: random.pick(['all', 'any'] as const), parts };
}

/** What is said of the rows when a list is shared: nothing, all, or a condition. */
const someRows = (list: ModelList, deps: EditDeps): ModelCondition | null | undefined =>
  deps.random.happens(0.2) ? undefined : deps.random.happens(0.15) ? null : someCondition(list, deps);

/** What counts then: once a share has had a condition, every row is one as well. */
function rowsOf(
  wished: ModelCondition | null | undefined,
  before: ModelShare | undefined,
): Pick<ModelShare, 'condition'> {
  const condition = wished === undefined ? before?.condition : wished;
  if (condition) return { condition };
  return before?.condition ? { condition: { join: 'all', parts: [] } } : {};
}

const inputOf = (
  list: ModelList,
  { fieldIDs, pins }: Choice,
  rows: ModelCondition | null | undefined,
): Parameters<HttpOffice['federation']['exposures']['expose']>[1] => ({
  ...(rows === undefined ? {} : { condition: rows && wishOf(rows) }),
  composeModuleID: list.moduleID,
  fields: fieldIDs.map((id) => ({ name: list.fields.find(({ fieldID }) => fieldID === id)?.name ?? '' })),
  titlePins: pins,
  shape: 1,
});

const wishOf = ({ join, parts }: ModelCondition): RequestedCondition => ({
  join,
  parts: parts.map(({ fieldID, test, value }) => ({ column: fieldID, test, value })),
});

const withShare = (model: Model, share: ModelShare): Model => ({
  ...model,
  shares: [
    ...model.shares.filter((each) => each.nodeID !== share.nodeID || each.moduleID !== share.moduleID),
    share,
  ],
});

const share: MakeEdit = (model, deps) => {
  const list = deps.random.pick(model.lists);
  const nodeID = deps.random.pick(deps.nodeIDs);
  const before = model.shares.find((each) => each.nodeID === nodeID && each.moduleID === list.moduleID);
  const choice = someChoice(model, list, deps);
  const rows = someRows(list, deps);
  const input = inputOf(list, choice, rows);
  const { exposures } = deps.office.federation;
  const now = deps.now();
  if (before && before.deletedAt === undefined) {
    const after = withShare(model, {
      ...before,
      ...choice,
      pins: { ...choice.pins },
      ...rowsOf(rows, before),
    });
    return {
      what: `share ${choice.fieldIDs.length} columns of ${list.moduleID} with ${nodeID} from now on`,
      after,
      apply: () => exposures.change(nodeID, before.exposureID, input, BY).then(() => after),
    };
  }
  const { deletedAt, ...known } = before ?? {
    nodeID,
    moduleID: list.moduleID,
    exposureID: '',
    createdAt: now,
    known: {},
    gaps: [],
  };
  const gaps = deletedAt === undefined ? known.gaps : [...known.gaps, { from: deletedAt, to: now }];
  const fresh: ModelShare = { ...known, gaps, ...choice, ...rowsOf(rows, before) };
  return {
    what: `share ${choice.fieldIDs.length} columns of ${list.moduleID} with ${nodeID}`,
    after: withShare(model, fresh),
    async apply() {
      const { moduleID: exposureID } = await exposures.expose(nodeID, input, BY);
      return withShare(model, { ...fresh, exposureID });
    },
  };
};

const withdraw: MakeEdit = (model, deps) => {
  const shared = model.shares.filter(({ deletedAt }) => deletedAt === undefined);
  if (shared.length < 2) return undefined;
  const gone = deps.random.pick(shared);
  const after = withShare(model, { ...gone, deletedAt: deps.now() });
  return {
    what: `share ${gone.moduleID} no longer with ${gone.nodeID}`,
    after,
    apply: () => deps.office.federation.exposures.remove(gone.nodeID, gone.exposureID, BY).then(() => after),
  };
};

/** The very same columns, and other rows. */
const chooseRows: MakeEdit = (model, deps) => {
  const shared = model.shares.filter(({ deletedAt }) => deletedAt === undefined);
  const before = shared.length === 0 ? undefined : deps.random.pick(shared);
  const list = before && listOf(model, before.moduleID);
  if (!before || !list) return undefined;
  const rows = someCondition(list, deps);
  const fieldIDs = chosenFields(model, before).map(({ fieldID }) => fieldID);
  const pins = Object.fromEntries(Object.entries(before.pins).filter(([id]) => fieldIDs.includes(id)));
  const input = inputOf(list, { fieldIDs, pins }, rows);
  const after = withShare(model, { ...before, fieldIDs, pins, ...rowsOf(rows, before) });
  return {
    what: `share the rows of ${list.moduleID} that meet ${JSON.stringify(rows)} with ${before.nodeID}`,
    after,
    apply: () =>
      deps.office.federation.exposures.change(before.nodeID, before.exposureID, input, BY).then(() => after),
  };
};

const SHARES: readonly MakeEdit[] = [share, share, chooseRows, chooseRows, chooseRows, withdraw];

/** Applies a change; one that the office refuses leaves everything as it was. */
export async function applied(edit: Edit, before: Model): Promise<Model> {
  try {
    return await edit.apply();
  } catch (error) {
    if (error instanceof Refusal) return before;
    throw error;
  }
}
