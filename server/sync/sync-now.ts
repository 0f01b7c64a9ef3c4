import { Refusal } from '../base/refusal.ts';
import { PartnerError } from '../peer/guard/errors.ts';
import { english, said } from '../words/said.ts';
import type { PullCounts } from './pull/job.ts';
import { NOTHING_WRITTEN, type RunResult } from './pull/pull-partner.ts';
import { listKey } from './status/list-states.ts';

export interface SyncNowResult extends PullCounts {
  readonly modules: readonly SyncedModule[];
}

export interface SyncedModule extends PullCounts {
  readonly moduleID: string;
  readonly composeModuleID: string;
  readonly name: string;
  /** This list's; others continued. */
  readonly error?: string;
}

/** Awaits a pull. Throws a partner's error as Refusal `partner-failed` with the same words; others unchanged. */
export async function orRefusal<T>(pull: Promise<T>): Promise<T> {
  try {
    return await pull;
  } catch (error) {
    if (!(error instanceof PartnerError)) throw error;
    throw new Refusal('partner-failed', `partner.${error.kind}`, error.words, { cause: error });
  }
}

const DROPPED = said('pull.list-changed');

/**
 * Returns a pull's counts, by list and in total, with rows written before an interruption. Failed rows count from the
 * last run only.
 */
export function toSyncNowResult({ lists, written }: RunResult): SyncNowResult {
  const total = { created: 0, updated: 0, deleted: 0, unchanged: 0, failed: 0 };
  const modules = lists.map(({ job: { shared, module }, outcome, error, dropped }) => {
    const applied = written?.get(listKey(shared.moduleID, module.moduleID)) ?? NOTHING_WRITTEN;
    const counts: PullCounts = { ...applied, failed: outcome?.counts.failed ?? 0 };
    for (const key of Object.keys(total) as (keyof PullCounts)[]) total[key] += counts[key];
    return {
      moduleID: shared.moduleID,
      composeModuleID: module.moduleID,
      name: module.name,
      ...counts,
      ...(error ? { error: error.message } : {}),
      ...(dropped ? { error: english(DROPPED) } : {}),
    };
  });
  return { ...total, modules };
}
