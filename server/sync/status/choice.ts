import { createHash } from 'node:crypto';
import type { Mapping, SharedModule } from '../../federation/model.ts';
import type { Module } from '../../lists/definitions/model.ts';
import type { Rows } from '../../lists/rows/rows.ts';

/**
 * A short text that changes when the partner's choice of columns, the matching, or the columns that receive
 * change. A checkpoint is only good for the choice it was made under; with another one the pull starts over
 * and back-fills (docs/architecture.md: The pull engine). So it does after the rows received before were released.
 */
export function choiceOf(
  shared: Pick<SharedModule, 'fields'>,
  mapping: Pick<Mapping, 'fields'>,
  module: Pick<Module, 'fields'>,
  {
    releasedAt,
    tellsOrigins = false,
  }: { readonly releasedAt?: string | undefined; readonly tellsOrigins?: boolean } = {},
): string {
  // Numbers of rows were left out once and for all, and became what we call those rows; such lists are read once more.
  const looksUp = shared.fields.some(({ kind }) => kind === 'Record') ? ['by their words'] : [];
  // Texts that look like ids of rows of ours came into such columns once; read once more, they go.
  const refers = (name: string): boolean =>
    module.fields.some((local) => local.name === name && local.kind === 'Record');
  const withoutIDs = mapping.fields.some(({ destination }) => refers(destination.name))
    ? ['without ids']
    : [];
  // Rows that came before origins were told get theirs when they are read once more.
  const origins = tellsOrigins ? ['origins'] : [];
  const released = releasedAt === undefined ? [] : [releasedAt];
  const offered = shared.fields.map(({ name, kind, isMulti }) => [name, kind, isMulti]).sort(byName);
  const matches = mapping.fields
    .filter(({ parked }) => parked === undefined)
    .map(({ origin, destination }) => {
      const local = module.fields.find(({ name }) => name === destination.name);
      // Another column may have the name of one that is gone, and nothing of what came.
      const { fieldID, kind, isMulti, isRequired, options } = local ?? {};
      return [origin.name, destination.name, fieldID, kind, isMulti, isRequired, options];
    })
    .sort(byName);
  return createHash('sha256')
    .update(JSON.stringify([offered, matches, ...looksUp, ...withoutIDs, ...origins, ...released]))
    .digest('base64url')
    .slice(0, 22);
}

/** {@link choiceOf} as it is now, for what this partner's rows come into. */
export async function choiceNow(
  job: {
    readonly shared: Pick<SharedModule, 'nodeID' | 'fields'>;
    readonly mapping: Pick<Mapping, 'fields'>;
    readonly module: Pick<Module, 'fields'>;
    readonly installation?: string | undefined;
  },
  rows: Pick<Rows, 'releasedFrom'>,
): Promise<string> {
  const releasedAt = await rows.releasedFrom(job.shared.nodeID);
  return choiceOf(job.shared, job.mapping, job.module, {
    releasedAt,
    tellsOrigins: job.installation !== undefined,
  });
}

/** A short text that changes when columns are matched, be they the same, or matches are parked or taken up again. */
export function matchesInUse({ fields, createdAt, updatedAt }: Matched): string {
  const matches = fields
    .filter(({ parked }) => parked === undefined)
    .map(({ origin, destination }) => [origin.name, destination.name])
    .sort(byName);
  const text = JSON.stringify([updatedAt ?? createdAt, matches]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

type Matched = Pick<Mapping, 'fields' | 'createdAt' | 'updatedAt'>;

function byName(a: unknown[], b: unknown[]): number {
  return String(a[0]) < String(b[0]) ? -1 : 1;
}
