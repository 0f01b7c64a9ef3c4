import type { Provenance, Row, Values } from '../definitions/model.ts';
import { withColumn } from '../values/value-sets.ts';
import { receivedKey } from './row-table.ts';

export interface RowCell {
  readonly value?: readonly string[];
  readonly received?: CellProvenance;
  readonly former?: CellProvenance;
}

interface CellProvenance {
  readonly value?: readonly string[];
  readonly previous?: readonly string[];
  readonly edited?: true;
  /** By {@link receivedKey}: the values each source sent. */
  readonly sources?: Readonly<Record<string, readonly string[]>>;
}

/** Returns the cell with received and former values; undefined if it has none, or the row is purged. */
export function readCell({ values, received, former, purged }: Row, name: string): RowCell | undefined {
  if (purged) return undefined;
  const kept: { -readonly [K in keyof RowCell]: RowCell[K] } = {};
  if (values[name] !== undefined) kept.value = values[name];
  const [came, cameBefore] = [readCellProvenance(received, name), readCellProvenance(former, name)];
  if (came) kept.received = came;
  if (cameBefore) kept.former = cameBefore;
  return Object.keys(kept).length > 0 ? kept : undefined;
}

/** Returns the column's part of a provenance; undefined if it has none. */
function readCellProvenance(from: Provenance | undefined, name: string): CellProvenance | undefined {
  if (!from) return undefined;
  const kept: { -readonly [K in keyof CellProvenance]: CellProvenance[K] } = {};
  if (from.values[name] !== undefined) kept.value = from.values[name];
  if (from.previous?.[name] !== undefined) kept.previous = from.previous[name];
  if (from.edited.includes(name)) kept.edited = true;
  const sources = (from.ways ?? []).flatMap(({ nodeID, recordID, values }) => {
    const texts = values[name];
    return texts === undefined ? [] : [[receivedKey(nodeID, recordID), texts] as const];
  });
  if (sources.length > 0) kept.sources = Object.fromEntries(sources);
  return Object.keys(kept).length > 0 ? kept : undefined;
}

/** Returns the row with a cell added; its column must have no content yet. */
export function withCell(row: Row, name: string, { value, received, former }: RowCell): Row {
  return {
    ...row,
    ...(value ? { values: withColumn(row.values, name, value) } : {}),
    ...(row.received && received ? { received: withProvenance(row.received, name, received) } : {}),
    ...(row.former && former ? { former: withProvenance(row.former, name, former) } : {}),
  };
}

/** Returns the provenance with a column's part added; not its `previous` and sources if the provenance lacks these. */
function withProvenance(
  from: Provenance,
  name: string,
  { value, previous, edited, sources = {} }: CellProvenance,
): Provenance {
  return {
    ...from,
    ...(value ? { values: { ...from.values, [name]: value } } : {}),
    ...(previous && from.previous ? { previous: { ...from.previous, [name]: previous } } : {}),
    ...(edited ? { edited: [...from.edited, name] } : {}),
    ...(from.ways && {
      ways: from.ways.map((source) => {
        const texts = sources[receivedKey(source.nodeID, source.recordID)];
        return texts ? { ...source, values: { ...source.values, [name]: texts } } : source;
      }),
    }),
  };
}

/** Returns the row without the cell, its received and former values too. */
export function withoutCell(row: Row, name: string): Row {
  const { received, former } = row;
  return {
    ...row,
    values: withColumn(row.values, name, []),
    ...(received && { received: withoutProvenance(received, name) }),
    ...(former && { former: withoutProvenance(former, name) }),
  };
}

/** Returns the provenance without the column, in all sources. */
function withoutProvenance(from: Provenance, name: string): Provenance {
  const rest = (values: Values): Values => withColumn(values, name, []);
  return {
    ...from,
    values: rest(from.values),
    ...(from.previous ? { previous: rest(from.previous) } : {}),
    edited: from.edited.filter((column) => column !== name),
    ...(from.ways && { ways: from.ways.map((source) => ({ ...source, values: rest(source.values) })) }),
  };
}
