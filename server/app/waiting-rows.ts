import type { WaitingRows } from '../contract/app/sharing.ts';
import { createYielder } from '../base/yield.ts';
import type { Federation } from '../federation/federation.ts';
import type { Field, Row } from '../lists/definitions/model.ts';
import type { Lists } from '../lists/lists.ts';
import { takeWhileFitting } from '../lists/rows/row-size.ts';
import { titleOf } from '../lists/rows/row-titles.ts';
import { valuesOf } from '../lists/values/value-sets.ts';
import type { ReviewItem } from '../sync/deletion-guard/classify.ts';
import type { Sync } from '../sync/sync.ts';

interface Deps {
  readonly federation: Pick<Federation, 'nodes' | 'shared' | 'mappings'>;
  readonly lists: Pick<Lists, 'rows' | 'module'>;
  readonly sync: Pick<Sync, 'decisions'>;
}

/**
 * Returns up to `limit` rows of an offer that need approval, fewer if large, some of each kind, and what approval would
 * do. Throws 404 for an unknown partner or offer. Give `mark` back to approve exactly this set of waiting rows.
 */
export async function listWaitingRows(
  deps: Deps,
  ourOrSharedID: string,
  offer: string,
  limit: number,
): Promise<WaitingRows> {
  const { nodeID } = await deps.federation.nodes.get(ourOrSharedID);
  const { moduleID } = await deps.federation.shared.get(nodeID, offer);
  const { held, mark } = await deps.sync.decisions.openReview(nodeID, moduleID);
  const chosen = sampleKinds(held, limit);
  const pause = createYielder();
  /** Yields the chosen rows of each list with title, effect and emptied columns; skips rows that are gone. */
  async function* reviewRows(): AsyncGenerator<Shown> {
    for (const mapping of await deps.federation.mappings.list(nodeID)) {
      if (mapping.federationModuleID !== moduleID) continue;
      const { fields } = await deps.lists.module(mapping.composeModuleID);
      const rows = await deps.lists.rows(mapping.composeModuleID);
      const matched = mapping.fields.filter(({ parked }) => parked === undefined);
      const names = new Set(matched.map(({ destination }) => destination.name));
      const filled = fields.filter(({ name }) => names.has(name));
      for (const waits of chosen.filter((each) => each.moduleID === mapping.composeModuleID)) {
        await pause();
        const [named] = await rows.getMany([waits.ours?.[0] ?? '']);
        const row = named ?? (await rows.findReceived(nodeID, [waits.recordID]))[0];
        if (!row) continue;
        const columns = waits.kind === 'remove' ? [] : await listEmptiedColumns(waits, row, filled);
        const title = titleOf(fields, row.values);
        yield {
          recordID: row.recordID,
          title,
          effect: waits.kind,
          ...(columns.length > 0 ? { columns } : {}),
        };
      }
    }
  }
  const { first } = await takeWhileFitting(reviewRows(), lettersOf, limit);
  return { total: held.length, mark, rows: first };
}

type Shown = WaitingRows['rows'][number];

const lettersOf = ({ title, columns = [] }: Shown): number =>
  columns.reduce((sum, { length }) => sum + length, title.length);

/** Returns labels of mapped columns that have a value in our row and would have none after the update. */
async function listEmptiedColumns(
  { whole }: ReviewItem,
  row: Row,
  filled: readonly Pick<Field, 'name' | 'label'>[],
): Promise<string[]> {
  const incoming = (await whole())?.row.values ?? {};
  return filled
    .filter(({ name }) => valuesOf(row.values, name).length > 0 && valuesOf(incoming, name).length === 0)
    .map(({ name, label }) => label || name);
}

/**
 * Returns at most `limit` rows: an equal share of each kind (deletions, emptied and older rows), then others of the
 * first kinds. In the order of `held`.
 */
function sampleKinds(held: readonly ReviewItem[], limit: number): ReviewItem[] {
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
