import { batchByCount } from '../../base/batches.ts';
import type { Federation } from '../../federation/federation.ts';
import type { Mapping } from '../../federation/model.ts';
import type { Lists } from '../../lists/lists.ts';
import type { Field, Module, Row } from '../../lists/definitions/model.ts';
import type { Rows } from '../../lists/rows/rows.ts';
import { valuesOf } from '../../lists/values/value-sets.ts';
import { sourceFrom } from '../../lists/rows/sources.ts';
import type { Sync } from '../../sync/sync.ts';

export interface HeldFileDeps {
  readonly federation: Pick<Federation, 'nodes' | 'shared' | 'mappings'>;
  readonly lists: Pick<Lists, 'rows' | 'module'>;
  readonly sync: Pick<Sync, 'decisions'>;
}

/** Few, as each may be 4 MiB. */
const PIECE = 10;

/**
 * Yields an offer's quarantined rows as CSV with the partner's column names and values. Throws 404 for an unknown
 * partner or offer.
 */
export async function* quarantinedCsv(
  deps: HeldFileDeps,
  ourOrSharedID: string,
  offer: string,
): AsyncGenerator<string> {
  const { nodeID } = await deps.federation.nodes.get(ourOrSharedID);
  const { moduleID } = await deps.federation.shared.get(nodeID, offer);
  const held = new Set(
    (await deps.sync.decisions.listPending(nodeID, moduleID)).map(({ recordID }) => recordID),
  );
  const { exportCsv } = await import('../../lists/csv/export.ts');
  const mappings = await deps.federation.mappings.list(nodeID);
  for (const mapping of mappings.filter(({ federationModuleID }) => federationModuleID === moduleID)) {
    const module = await deps.lists.module(mapping.composeModuleID);
    const columns = toPartnerColumns(mapping, module);
    const rows = await deps.lists.rows(module.moduleID);
    const theirs = { scan: () => readRowsAsSent(rows, nodeID, [...held], columns) };
    yield* exportCsv({ ...module, fields: columns.map(({ theirs: field }) => field) }, theirs, { bom: true });
  }
}

interface Column {
  readonly own: string;
  /** Our column under the partner's name and label. */
  readonly theirs: Field;
}

/** Returns the mapped columns that our list still has, each with its name and label at the partner. */
function toPartnerColumns({ fields }: Mapping, module: Module): Column[] {
  return fields.flatMap(({ origin, destination }) => {
    const own = module.fields.find(({ name }) => name === destination.name);
    return own
      ? [{ own: own.name, theirs: { ...own, name: origin.name, label: origin.label || origin.name } }]
      : [];
  });
}

/**
 * Yields these rows (ids at the partner) with the values it sent, under its column names, in pages of up to 10. Skips
 * ids of rows that aren't the partner's.
 */
async function* readRowsAsSent(
  rows: Pick<Rows, 'findReceived'>,
  nodeID: string,
  recordIDs: readonly string[],
  columns: readonly Column[],
): AsyncGenerator<readonly Row[]> {
  for (const some of batchByCount(recordIDs, PIECE)) {
    const found = await rows.findReceived(nodeID, some);
    yield found.flatMap((row) => {
      const came = row && sourceFrom(row, nodeID);
      if (!came) return [];
      const values = columns.map(({ own, theirs }) => [theirs.name, valuesOf(came.values, own)] as const);
      return [{ ...row, values: Object.fromEntries(values) }];
    });
  }
}
