import type { Partition, Table } from '../../store/store.ts';
import { checkValue } from '../values/kinds/check.ts';
import { refuse, type Checked } from '../values/kinds/checked.ts';
import { toLocalDay } from '../../base/day.ts';
import type { FieldKind } from '../../base/vocabulary.ts';
import type { Field, Module, Provenance, Row, Values } from './model.ts';
import type { RowsByTitle } from '../rows/rows-by-title.ts';
import { createYielder } from '../../base/yield.ts';
import { Refusal } from '../../base/refusal.ts';
import type { Batch, RowWriter } from '../rows/row-batch.ts';
import { isReferring, isSurelyID } from '../rows/references.ts';
import { deleteHistoryOfColumns } from '../rows/row-history.ts';
import { pageEntries } from '../rows/row-table.ts';
import type { CellStep } from '../rows/undo-log.ts';
import { createCellRestorer, type ConvertedColumn, type RecordedStep } from './undo-columns.ts';
import { hasSameTexts, valuesOf, withoutEmpties } from '../values/value-sets.ts';
import { said, type Words } from '../../words/said.ts';
import {
  readBinnedColumns,
  startMovingToBin,
  startRestoring,
  type ColumnBinning,
  type ColumnRestoring,
} from './column-bin.ts';
import { recordFormerReferences, openFormerReferences } from './former-references.ts';
import {
  createReplacedIDs,
  recordReplacedText,
  replaceIDs,
  type LookUpTitles,
  type FormerlyReferring,
} from './replaced-ids.ts';

/** Token of the last intent applied to rows. */
const LAYOUT: Table<string> = { name: 'layout' };
const LAYOUT_KEY = 'token';
const COLUMNS: Table<readonly Field[]> = { name: 'layout-columns' };
const COLUMNS_KEY = 'fields';
const SLICE = 500;

/** By old name, the column that takes the values. */
export type Restructuring = ReadonlyMap<
  string,
  {
    readonly field: Field | undefined;
    readonly retyped: boolean;
    /** It becomes a reference; its texts held no ids. */
    readonly heldTexts: boolean;
    /** Starts referring to a list: texts that name one row become its id. */
    readonly named: RowsByTitle | undefined;
    /** Stops referring to a list: row ids become titles. */
    readonly formerly: Pick<FormerlyReferring, 'moduleID' | 'named'> | undefined;
  }
>;

/** Rows of lists that columns start or stop referring to, by column id. */
export interface NamedByColumn {
  readonly begins: ReadonlyMap<string, RowsByTitle>;
  readonly ceases: ReadonlyMap<string, RowsByTitle>;
}

/** Columns as stored in rows, and the change's token. */
export interface Layout {
  readonly token: string;
  readonly fields: readonly Field[];
}

export interface NextLayout extends Layout {
  /** Omitted ones go to the bin. */
  readonly before: readonly Field[];
  readonly step?: RecordedStep;
  /** Cells before an earlier column change, restored unless changed since. */
  readonly turns?: readonly CellStep[];
  /** Refuses the change before any row is written. */
  readonly check?: () => Promise<void>;
}

/**
 * Returns every column of `before`, unchanged ones too, by its name (rows keep values by name) with what becomes of it;
 * undefined if no row changes, as by added columns.
 * @param namedBy rows of lists that columns begin or cease to refer to
 * @param isRestoring a column leaves the bin, so rows change in any case
 */
export function compareColumns(
  before: Pick<Module, 'fields'>,
  after: Pick<Module, 'fields'>,
  namedBy: NamedByColumn = { begins: new Map(), ceases: new Map() },
  isRestoring = false,
): Restructuring | undefined {
  const changes = before.fields.map((old) => {
    const field = after.fields.find(({ fieldID }) => fieldID === old.fieldID);
    const retyped =
      field !== undefined &&
      (field.kind !== old.kind || field.options.only !== old.options.only || (old.isMulti && !field.isMulti));
    const named = field && namedBy.begins.get(field.fieldID);
    const heldTexts =
      field?.kind === 'Record' && (old.kind !== 'Record' || named !== undefined) && !isReferring(old);
    const formerly =
      field && isReferring(old) && !isSameTarget(old, field)
        ? { moduleID: old.options.moduleID, named: namedBy.ceases.get(field.fieldID) }
        : undefined;
    const touched = retyped || named !== undefined || formerly !== undefined || field?.name !== old.name;
    return [old.name, { field, retyped, heldTexts, named, formerly, touched }] as const;
  });
  return isRestoring || changes.some(([, { touched }]) => touched) ? new Map(changes) : undefined;
}

export const isSameTarget = (old: Field, field: Field): boolean =>
  isReferring(old) && isReferring(field) && old.options.moduleID === field.options.moduleID;

/**
 * Rewrites a list's rows in one transaction, with the undo step. Cells of removed columns go to the bin, those of
 * restored ones return. Throws `list.retype`, changing nothing, if `misfits` refuses values.
 * @param onRewritten called at the end, while no other writer runs
 */
export function rewriteRows(
  deps: { partition: Partition; writer: RowWriter; lookUpTitles: LookUpTitles },
  change: Restructuring,
  layout: NextLayout,
  onRewritten: () => void,
  misfits: Misfits = createMisfitRefusal(),
): Promise<void> {
  const { partition, writer, lookUpTitles } = deps;
  return writer.writeAlone(
    async (batch) => {
      await layout.check?.();
      const pause = createYielder();
      const former = findFormerlyReferring(change);
      const replacedIDs = await createReplacedIDs(partition, former, lookUpTitles);
      const linked = await openFormerReferences(partition, lookUpTitles);
      const converted = findConvertedColumns(change);
      const noted = converted.filter(({ fieldID }) => hasPlainTexts(fieldID, layout));
      const restorer = createCellRestorer(layout.turns ?? [], converted);
      if (layout.step) batch.steps?.recordDefinition(layout.step.was, layout.step.became);
      const { binning, returning, inBin } = await openColumnBin(batch, partition, layout);
      // New references are noted later.
      replacedIDs.deleteOutdated(batch.tx, [...layout.fields, ...inBin]);
      linked.deleteOutdated(batch.tx, newReferences(change), [...layout.fields, ...inBin]);
      /**
       * Returns the row id that a text means or formerly stood for, and stores the text for a conversion back; the text
       * itself if it means none.
       */
      const resolveReference: ResolveReference = (row, field, named, text, textIndex) => {
        const found = named.find(text);
        const id = 'recordID' in found ? found.recordID : linked.get(row.recordID, field, text, textIndex);
        if (id === undefined || id === text) return text;
        recordReplacedText(batch.tx, field.fieldID, id, text);
        return id;
      };
      const keepsValues = isRenaming(change, layout);
      let page = await pageEntries(partition, SLICE, undefined);
      while (page.length > 0) {
        const names = await replacedIDs.replacementsFor(page.map(({ value }) => value));
        for (const { value: row, seq } of page) {
          if (!row.received)
            for (const column of former) recordFormerReferences(batch.tx, row, column, names);
          binning.add(row);
          misfits.beginRow(row);
          const kept = restorer.remove(row);
          const mapped = mapRow(replaceIDs(kept, names), change, misfits, resolveReference);
          const filled = returning.withBinnedCells(mapped);
          const moved = restorer.restore(filled);
          for (const column of converted) batch.steps?.recordCell(row, moved, column);
          if (moved === row) continue;
          const { valuesSeq = seq, ...rest } = { ...moved, updatedAt: batch.now };
          const isEdit =
            filled !== mapped ||
            converted.some(
              ({ was, became }) => !hasSameTexts(valuesOf(row.values, was), valuesOf(moved.values, became)),
            );
          const was = findFormerTexts(row, moved, noted);
          const by = layout.step?.begun.by ?? moved.updatedBy;
          batch.rearrange(row, keepsValues ? { ...rest, valuesSeq } : rest, isEdit, was && { was, by });
        }
        binning.flush();
        await pause();
        page = await pageEntries(partition, SLICE, page.at(-1)?.key);
      }
      misfits.refuseAny();
      binning.writeBinned();
      returning.finish();
      if (batch.steps?.isTooLarge()) await copyFormerColumnsToBin(batch, partition, converted, layout);
      const past = new Set(
        [...unconvertedColumns(change, layout.fields), ...noted, ...inBin].map(({ fieldID }) => fieldID),
      );
      await deleteHistoryOfColumns(partition, batch.tx, past);
      batch.tx.put(LAYOUT, LAYOUT_KEY, layout.token);
      batch.tx.put(COLUMNS, COLUMNS_KEY, layout.fields);
      onRewritten();
    },
    layout.step && { step: layout.step.begun },
  );
}

/** Returns whether columns are only renamed or moved: none is added, removed or converted. */
const isRenaming = (change: Restructuring, { before, fields }: NextLayout): boolean =>
  fields.every(({ fieldID }) => before.some((old) => old.fieldID === fieldID)) &&
  [...change.values()].every(
    ({ field, retyped, named, formerly }) => field && !retyped && named === undefined && !formerly,
  );

/** Starts moving removed columns to the bin, and those of `fields` out of it. Also returns what is in it afterwards. */
async function openColumnBin(
  { tx, now }: Batch,
  partition: Partition,
  { before, fields }: NextLayout,
): Promise<{ binning: ColumnBinning; returning: ColumnRestoring; inBin: readonly Field[] }> {
  const ids = new Set(fields.map(({ fieldID }) => fieldID));
  const going = before.filter(({ fieldID }) => !ids.has(fieldID));
  const binned = await readBinnedColumns(partition);
  const inBin = binned.map(({ field }) => field);
  const back = fields.filter(({ fieldID }) => inBin.some((field) => field.fieldID === fieldID));
  return {
    binning: startMovingToBin(tx, before, new Set(going.map(({ fieldID }) => fieldID)), now, binned),
    returning: await startRestoring(tx, back),
    inBin: [...inBin.filter(({ fieldID }) => !ids.has(fieldID)), ...going],
  };
}

/** Copies the cells of converted columns to the bin, under new ids, as the conversion is too large for the undo log. */
async function copyFormerColumnsToBin(
  batch: Batch,
  partition: Partition,
  converted: readonly ConvertedColumn[],
  { before }: NextLayout,
): Promise<void> {
  const pause = createYielder();
  const ids = new Map(converted.map(({ fieldID }) => [fieldID, batch.newID()]));
  const copied = before.map((field) => ({ ...field, fieldID: ids.get(field.fieldID) ?? field.fieldID }));
  const binning = startMovingToBin(batch.tx, copied, new Set(ids.values()), batch.now);
  let page = await pageEntries(partition, SLICE, undefined);
  while (page.length > 0) {
    for (const { value: row } of page) binning.add(row);
    binning.flush();
    await pause();
    page = await pageEntries(partition, SLICE, page.at(-1)?.key);
  }
  binning.writeBinned();
}

/** Equal in meaning as texts, so history survives a change of kind. */
const PLAIN_KINDS: readonly FieldKind[] = ['String', 'Number', 'DateTime', 'Bool', 'Select', 'Email', 'Url'];

/** Returns whether the column is of plain text before and after. */
const hasPlainTexts = (fieldID: string, { before, fields }: NextLayout): boolean =>
  [before, fields].every((all) =>
    all.some((field) => field.fieldID === fieldID && PLAIN_KINDS.includes(field.kind)),
  );

/** Returns, by column id, the texts of a row that a conversion changed; undefined if none. */
function findFormerTexts(row: Row, moved: Row, columns: readonly ConvertedColumn[]): Values | undefined {
  const changed = columns.flatMap(({ fieldID, was, became }) => {
    const texts = valuesOf(row.values, was);
    return hasSameTexts(texts, valuesOf(moved.values, became)) ? [] : [[fieldID, texts] as const];
  });
  return changed.length > 0 ? Object.fromEntries(changed) : undefined;
}

/** Returns new columns, and those left as they are or only renamed. */
function unconvertedColumns(change: Restructuring, fields: readonly Field[]): readonly Field[] {
  const others = [...change.values()].filter(
    ({ retyped, named, formerly }) => retyped || named !== undefined || formerly !== undefined,
  );
  const ids = new Set(others.map(({ field }) => field?.fieldID));
  return fields.filter(({ fieldID }) => !ids.has(fieldID));
}

/** Returns whether the rows were last rewritten for the layout with this token. */
export async function wasRewritten(partition: Partition, token: string): Promise<boolean> {
  return (await partition.get(LAYOUT, LAYOUT_KEY)) === token;
}

/** Returns the token of the rows' last rewrite and their noted columns; undefined without a rewrite. */
export async function readLayout(
  partition: Partition,
): Promise<{ token: string; fields: readonly Field[] | undefined } | undefined> {
  const token = await partition.get(LAYOUT, LAYOUT_KEY);
  return token === undefined ? undefined : { token, fields: await partition.get(COLUMNS, COLUMNS_KEY) };
}

interface Misfits {
  readonly keeps: boolean;
  beginRow(row: Row): void;
  recordMisfit(field: Field, text: string, problem: Words): void;
  refuseAny(): void;
}

/** Keeps misfits in an older copy's rows: they fitted once. */
export const keptMisfits: Misfits = {
  keeps: true,
  beginRow: () => undefined,
  recordMisfit: () => undefined,
  refuseAny: () => undefined,
};

/** Returns a collector that counts misfits; `refuseAny` then refuses the change. */
function createMisfitRefusal(): Misfits {
  let [count, binned, isInBin] = [0, 0, false];
  let first: Words | undefined;
  return {
    keeps: false,
    beginRow: ({ deletedAt }) => void (isInBin = deletedAt !== undefined),
    /** Counts a misfit of the row begun last; the first one is named in the refusal. */
    recordMisfit(field, text, problem) {
      count++;
      if (isInBin) binned++;
      first ??= said('list.value-in-column', { value: text.slice(0, 60), column: field.label, problem });
    },
    /** Throws `list.retype` with the first value, the number of others, if any, and of those in the bin. */
    refuseAny() {
      if (first === undefined) return;
      throw new Refusal(
        'impossible',
        'list.retype',
        count === 1
          ? said(binned === 0 ? 'list.value-in-the-way' : 'list.binned-value-in-the-way', { value: first })
          : said('list.values-in-the-way', { value: first, more: count - 1, n: binned }),
      );
    },
  };
}

/** Returns columns that cease to refer to rows, by old name. */
function findFormerlyReferring(change: Restructuring): FormerlyReferring[] {
  return [...change].flatMap(([name, { field, formerly }]) =>
    field && formerly ? [{ fieldID: field.fieldID, name, ...formerly }] : [],
  );
}

const newReferences = (change: Restructuring): Field[] =>
  [...change.values()].flatMap(({ field, named }) => (field && named ? [field] : []));

/** Returns the row id that a text means, else the text. `at`: its position. */
type ResolveReference = (row: Row, field: Field, named: RowsByTitle, text: string, at: number) => string;

/** Returns columns whose values are converted, with old and new name. */
const findConvertedColumns = (change: Restructuring): ConvertedColumn[] =>
  [...change].flatMap(([was, { field, retyped, heldTexts, named, formerly }]) =>
    field && (retyped || heldTexts || named !== undefined || formerly !== undefined)
      ? [{ fieldID: field.fieldID, was, became: field.name }]
      : [],
  );

/**
 * Maps a row and what it received; the same object if no column of it changes. Misfits go to `misfits`, but former
 * received ones are dropped.
 */
function mapRow(row: Row, change: Restructuring, misfits: Misfits, resolveReference: ResolveReference): Row {
  /** Returns whether any value is renamed, converted or dropped. */
  const isAffected = (values: Values | undefined): boolean =>
    Object.keys(values ?? {}).some((name) => {
      const { field, retyped, named, formerly } = change.get(name) ?? {};
      return retyped === true || named !== undefined || formerly !== undefined || field?.name !== name;
    });
  const { received, former } = row;
  const all = [row.values, received?.values, received?.previous, former?.values, former?.previous];
  if (![...all, ...(received?.ways ?? []).map(({ values }) => values)].some(isAffected)) return row;

  const values = mapValues(row.values, change, misfits, { theirs: received !== undefined });
  return {
    ...row,
    // Original values name the partner's rows.
    values: received ? values : toRowIDs(row, values, change, { resolveReference, misfits }),
    ...(received && { received: mapReceived(received, change, misfits) }),
    // Nobody sees a former source's misfit.
    ...(former && { former: mapReceived(former, change, undefined) }),
  };
}

/**
 * Converts all sources' values, and previous ones as far as they fit; renames edited columns, without removed ones.
 * @param misfits undefined: drops all that don't fit
 */
function mapReceived(received: Provenance, change: Restructuring, misfits: Misfits | undefined): Provenance {
  const { values, previous, edited, ways: sources } = received;
  return {
    ...received,
    values: mapValues(values, change, misfits, { theirs: true, empties: true }),
    ...(previous && { previous: mapValues(previous, change, undefined, { theirs: true, empties: true }) }),
    edited: edited.flatMap((name) => change.get(name)?.field?.name ?? []),
    ...(sources && {
      ways: sources.map((source) => ({
        ...source,
        values: mapValues(source.values, change, misfits, { theirs: true, empties: true }),
      })),
    }),
  };
}

/**
 * Renames values, converts changed kinds (own moments to their local day), drops removed columns.
 * @param misfits undefined: drops values that don't fit
 * @param options `theirs`: a partner's texts that look like row ids don't fit; `empties`: emptied columns stay
 */
function mapValues(
  values: Values,
  change: Restructuring,
  misfits: Misfits | undefined,
  { theirs, empties = false }: { readonly theirs: boolean; readonly empties?: boolean },
): Values {
  const moved: Record<string, readonly string[]> = {};
  for (const [name, texts] of Object.entries(values)) {
    const { field, retyped = false, heldTexts } = change.get(name) ?? {};
    if (!field) continue;
    const isTheirs = theirs && heldTexts === true;
    const check = isTheirs ? checkTheirText : checkValue;
    // A partner's moments become days as a pull reads them.
    const isLocalDay = !theirs && field.kind === 'DateTime' && field.options.only === 'date';
    const given = isLocalDay && retyped ? texts.map(toLocalDay) : texts;
    const kept = retyped || isTheirs ? convertTexts(field, given, misfits, check) : texts;
    if (empties || kept.length > 0) moved[field.name] = kept;
  }
  return moved;
}

/**
 * Replaces titles by row ids in columns that refer to rows from now on. Texts like ids in a former text column are
 * misfits.
 */
function toRowIDs(
  row: Row,
  values: Values,
  change: Restructuring,
  { resolveReference, misfits }: { readonly resolveReference: ResolveReference; readonly misfits: Misfits },
): Values {
  const result: Record<string, readonly string[]> = { ...values };
  for (const { field, named, heldTexts } of change.values()) {
    const texts = field && values[field.name];
    if (!texts) continue;
    result[field.name] = texts.map((text, at) => {
      const id = named ? resolveReference(row, field, named, text, at) : text;
      // May be a partner's id in a kept row.
      if (id === text && heldTexts && isSurelyID(text.trim())) misfits.recordMisfit(field, text, LIKE_AN_ID);
      return id;
    });
  }
  return result;
}

const LIKE_AN_ID = said('value.like-an-id');

/** Refuses a partner's text that looks like a row id, as it would refer to a row; otherwise checks it. */
function checkTheirText(field: Field, text: string): Checked {
  return isSurelyID(text.trim()) ? refuse(LIKE_AN_ID) : checkValue(field, text);
}

/**
 * Converts texts to the column's kind, without empty ones. Misfits, and all but the first text in a column of one
 * value, stay if `misfits.keeps`; otherwise they are dropped, and noted if there are `misfits`.
 */
function convertTexts(
  field: Field,
  texts: readonly string[],
  misfits: Misfits | undefined,
  check: (field: Field, text: string) => Checked,
): readonly string[] {
  const converted: string[] = [];
  for (const text of texts) {
    const result = check(field, text);
    if ('value' in result) converted.push(result.value);
    else if (misfits?.keeps) converted.push(text);
    else misfits?.recordMisfit(field, text, result.problem);
  }
  const kept = withoutEmpties(field, converted);
  if (field.isMulti || kept.length <= 1 || misfits?.keeps) return kept;
  misfits?.recordMisfit(field, kept.join(', '), said('list.several-values'));
  return kept.slice(0, 1);
}
