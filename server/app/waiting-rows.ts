import type { WaitingRows } from '../contract/app/sharing.ts';
import type { Federation } from '../federation/federation.ts';
import type { Lists } from '../lists/lists.ts';
import { titleOf } from '../lists/rows/row-titles.ts';
import { valuesOf } from '../lists/values/value-sets.ts';
import type { HeldRow } from '../sync/tables.ts';
import type { Sync } from '../sync/sync.ts';

interface Deps {
  readonly federation: Pick<Federation, 'nodes' | 'shared' | 'mappings'>;
  readonly lists: Pick<Lists, 'rows' | 'module'>;
  readonly sync: Pick<Sync, 'waiting'>;
}

/**
 * The rows of an offer that wait for the user's word, as they are here: what each is called and what would become of
 * it. @throws Refusal `not-found`
 */
export async function waitingRows(deps: Deps, n: string, offer: string, limit: number): Promise<WaitingRows> {
  const { nodeID } = await deps.federation.nodes.get(n);
  const { moduleID } = await deps.federation.shared.get(nodeID, offer);
  const { held, mark } = await deps.sync.waiting(nodeID, moduleID);
  const shown: WaitingRows['rows'] = [];
  for (const mapping of await deps.federation.mappings.list(nodeID)) {
    if (mapping.federationModuleID !== moduleID) continue;
    const { fields } = await deps.lists.module(mapping.composeModuleID);
    const rows = await deps.lists.rows(mapping.composeModuleID);
    const first = someOfEach(held, limit);
    const came = await rows.findReceived(
      nodeID,
      first.map(({ recordID }) => recordID),
    );
    const named = await rows.getMany(first.map(({ ours }) => ours?.[0] ?? ''));
    const found = first.map((_, at) => named[at] ?? came[at]);
    const filled = new Set(
      mapping.fields.filter(({ parked }) => parked === undefined).map(({ destination }) => destination.name),
    );
    for (const [at, row] of found.entries()) {
      const waits = first[at];
      if (!row || !waits || shown.length >= limit) continue;
      const emptied = fields.filter(
        ({ name }) =>
          filled.has(name) &&
          valuesOf(row.values, name).length > 0 &&
          valuesOf(waits.row.values, name).length === 0,
      );
      shown.push({
        recordID: row.recordID,
        title: titleOf(fields, row.values),
        effect: waits.kind,
        ...(waits.kind !== 'remove' && emptied.length > 0
          ? { columns: emptied.map(({ name, label }) => label || name) }
          : {}),
      });
    }
  }
  return { total: held.length, mark, rows: shown };
}

/** Of removals, emptied rows and older ones some each: the first few show of what kinds all are. */
function someOfEach(held: readonly HeldRow[], limit: number): HeldRow[] {
  if (held.length <= limit) return [...held];
  const kinds = [...new Set(held.map(({ kind }) => kind))].map((kind) =>
    held.filter((row) => row.kind === kind),
  );
  const each = Math.floor(limit / kinds.length);
  const some = kinds.map((rows) => rows.slice(0, each));
  const more = kinds.flatMap((rows) => rows.slice(each));
  const chosen = new Set([...some.flat(), ...more.slice(0, limit - each * kinds.length)]);
  return held.filter((row) => chosen.has(row));
}
