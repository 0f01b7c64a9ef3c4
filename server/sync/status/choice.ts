import { createHash } from 'node:crypto';
import type { Mapping, SharedModule } from '../../federation/model.ts';
import type { Module } from '../../lists/definitions/model.ts';
import type { Rows } from '../../lists/rows/rows.ts';

/**
 * Returns a digest of the offered columns, their matches in our list, `releasedAt` and `tellsOrigins`. A pull whose
 * checkpoint has another starts from the beginning.
 */
export function choiceDigest(
  shared: Pick<SharedModule, 'fields'>,
  mapping: Pick<Mapping, 'fields'>,
  module: Pick<Module, 'fields'>,
  {
    releasedAt,
    tellsOrigins = false,
  }: { readonly releasedAt?: string | undefined; readonly tellsOrigins?: boolean } = {},
): string {
  // Earlier versions dropped row numbers instead of titles: reread once.
  const looksUp = shared.fields.some(({ kind }) => kind === 'Record') ? ['by their words'] : [];
  // Earlier versions accepted texts that look like our row ids.
  const refers = (name: string): boolean =>
    module.fields.some((local) => local.name === name && local.kind === 'Record');
  const withoutIDs = mapping.fields.some(({ destination }) => refers(destination.name))
    ? ['without ids']
    : [];
  // Rereading gives rows from before origins theirs.
  const origins = tellsOrigins ? ['origins'] : [];
  const released = releasedAt === undefined ? [] : [releasedAt];
  const offered = shared.fields.map(({ name, kind, isMulti }) => [name, kind, isMulti]).sort(byName);
  const matches = mapping.fields
    .filter(({ parked }) => parked === undefined)
    .map(({ origin, destination }) => {
      const local = module.fields.find(({ name }) => name === destination.name);
      // Another column may have a deleted one's name, not its values.
      const { fieldID, kind, isMulti, isRequired, options } = local ?? {};
      return [origin.name, destination.name, fieldID, kind, isMulti, isRequired, options];
    })
    .sort(byName);
  return createHash('sha256')
    .update(JSON.stringify([offered, matches, ...looksUp, ...withoutIDs, ...origins, ...released]))
    .digest('base64url')
    .slice(0, 22);
}

/** Returns {@link choiceDigest} with the receiving list's present `releasedAt`; a known installation sends origins. */
export async function currentChoice(
  job: {
    readonly shared: Pick<SharedModule, 'nodeID' | 'fields'>;
    readonly mapping: Pick<Mapping, 'fields'>;
    readonly module: Pick<Module, 'fields'>;
    readonly installation?: string | undefined;
  },
  rows: Pick<Rows, 'releasedFrom'>,
): Promise<string> {
  const releasedAt = await rows.releasedFrom(job.shared.nodeID);
  return choiceDigest(job.shared, job.mapping, job.module, {
    releasedAt,
    tellsOrigins: job.installation !== undefined,
  });
}

/** Returns a digest of matched columns. It changes when they are saved, even unchanged, parked or resumed. */
export function digestOfMatches({ fields, createdAt, updatedAt }: Matched): string {
  const matches = fields
    .filter(({ parked }) => parked === undefined)
    .map(({ origin, destination }) => [origin.name, destination.name])
    .sort(byName);
  const text = JSON.stringify([updatedAt ?? createdAt, matches]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

type Matched = Pick<Mapping, 'fields' | 'createdAt' | 'updatedAt'>;

/** Orders by the first member, as texts. */
function byName(a: unknown[], b: unknown[]): number {
  return String(a[0]) < String(b[0]) ? -1 : 1;
}
