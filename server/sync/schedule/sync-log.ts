import type { Node } from '../../federation/model.ts';
import { RequestRefusedError } from '../../peer/guard/errors.ts';
import type { Clock } from '../../base/clock.ts';
import { digestOfMatches } from '../status/choice.ts';
import { settled } from '../status/rejected-counts.ts';
import type { Activity, History } from '../status/history.ts';
import type { ListState, ListStates } from '../status/list-states.ts';
import type { Reconciliation } from '../../federation/offers/offers.ts';
import type { Failure } from '../status/problems.ts';
import type { PullCounts, PullJob } from '../pull/job.ts';
import type { ListResult, RunResult } from '../pull/pull-partner.ts';
import { english, joined, said, type Words } from '../../words/said.ts';

interface SyncLogDeps {
  readonly clock: Clock;
  readonly states: ListStates;
  readonly history: History;
  readonly nameOf: (nodeID: string) => Promise<string>;
  readonly onSuccess: (nodeID: string) => Promise<void>;
}

/** Stores list states and activity. */
export class SyncLog {
  readonly #deps: SyncLogDeps;

  constructor(deps: SyncLogDeps) {
    this.#deps = deps;
  }

  /**
   * Stores a list's state after a sync. Adds activities: for a new problem only that one, otherwise for rows that newly
   * need approval and for rows received or newly failed. An unchanged problem adds none.
   */
  async recordListResult(node: Node, result: ListResult): Promise<void> {
    const { shared, module } = result.job;
    const before = this.#deps.states.get(shared.moduleID, module.moduleID);
    const state = stateAfter(node.nodeID, result, before, new Date(this.#deps.clock.now()).toISOString());
    await this.#deps.states.put(state);
    const about = activityOfList(node, result.job, result.milliseconds);
    if (result.error) {
      if (before?.problem !== undefined && english(before.problem) === result.error.message) return;
      await this.#deps.history.add({ ...about, outcome: 'failed', message: result.error.words });
      return;
    }
    if (state.brake && !before?.brake)
      await this.#deps.history.add({ ...about, outcome: 'waiting', message: BRAKED });
    if (!result.outcome) return;
    await this.#addArrived(about, { ...result.outcome.counts, failed: result.outcome.newlyFailed });
  }

  /** Adds an activity if rows came. Never rejects. */
  recordInterruptedList(node: Node, job: PullJob, counts: PullCounts, milliseconds: number): Promise<void> {
    const cut = (arrived: Words): Words => said('history.cut', { counts: arrived });
    return this.#addArrived(activityOfList(node, job, milliseconds), counts, cut).catch(() => undefined);
  }

  /** Adds an activity for each changed offer, and calls `onSuccess`. */
  async recordSuccess(node: Node, { news }: RunResult): Promise<void> {
    for (const message of offerMessages(news)) {
      await this.#deps.history.add({
        nodeID: node.nodeID,
        partner: node.name,
        kind: 'structure',
        outcome: 'ok',
        message,
      });
    }
    await this.#deps.onSuccess(node.nodeID);
  }

  /** Adds an activity for a failed connection; as waiting if the partner paused it. */
  async recordFailure(nodeID: string, { kind, message }: Failure): Promise<void> {
    const partner = await this.#deps.nameOf(nodeID);
    await this.#deps.history.add({
      nodeID,
      partner,
      kind: 'connection',
      outcome: kind === 'paused' ? 'waiting' : 'failed',
      message,
    });
  }

  /** Adds an activity for a connection that works again, in the background, ignoring errors. */
  recordRecovery(node: Node): void {
    void this.#deps.history
      .add({
        nodeID: node.nodeID,
        partner: node.name,
        kind: 'connection',
        outcome: 'ok',
        message: said('history.connected-again', { partner: node.name }),
      })
      .catch(() => undefined);
  }

  /** Adds an activity for received rows, none without any. `say` puts the counts into a sentence. */
  async #addArrived(
    about: ReturnType<typeof activityOfList>,
    counts: PullCounts,
    say = (arrived: Words): Words => arrived,
  ): Promise<void> {
    if (counts.created + counts.updated + counts.deleted + counts.failed === 0) return;
    await this.#deps.history.add({ ...about, counts, outcome: 'ok', message: say(countsMessage(counts)) });
  }
}

/** Returns the members of an activity that name the pull's partner, list and duration. */
const activityOfList = (
  node: Node,
  { module }: PullJob,
  milliseconds: number,
): Pick<Activity, 'nodeID' | 'partner' | 'kind' | 'moduleID' | 'listName' | 'milliseconds'> => ({
  nodeID: node.nodeID,
  partner: node.name,
  kind: 'pull',
  moduleID: module.moduleID,
  listName: module.name,
  milliseconds,
});

const BRAKED = said('history.held');

/** Returns the list's state after a pull; after a failure the earlier state with the problem. `now` is ISO 8601. */
function stateAfter(
  nodeID: string,
  result: ListResult,
  before: ListState | undefined,
  now: string,
): ListState {
  const { shared, mapping, module } = result.job;
  const ids = { nodeID, sharedModuleID: shared.moduleID, moduleID: module.moduleID };
  const { outcome, error } = result;
  if (!outcome) {
    return { couldNotApply: 0, ...before, ...ids, ...problemMembers(error) };
  }
  const duplicates = outcome.doubles ?? before?.doubles ?? 0;
  const stays = settled({ kept: outcome.kept, ...(before?.settled ? { settled: before.settled } : {}) });
  return {
    ...ids,
    lastPulledAt: now,
    matched: digestOfMatches(mapping),
    ...(duplicates > 0 ? { doubles: duplicates } : {}),
    ...(outcome.doubles === undefined && before?.doublesLeft !== undefined
      ? { doublesLeft: before.doublesLeft }
      : {}),
    couldNotApply: outcome.couldNotApply,
    ...(outcome.kept > 0 ? { kept: outcome.kept } : {}),
    ...(stays > 0 ? { settled: stays } : {}),
    ...(before?.differing === undefined ? {} : { differing: before.differing }),
    ...(outcome.brake ? { brake: outcome.brake } : {}),
  };
}

/** Returns an error's words and, if the partner sent one, its code; {} without an error. */
function problemMembers(error: ListResult['error']): Pick<ListState, 'problem' | 'problemCode'> {
  if (!error) return {};
  const code = error instanceof RequestRefusedError ? error.code : undefined;
  return { problem: error.words, ...(code === undefined ? {} : { problemCode: code }) };
}

/** Returns the counts as a text, without zeros. Throws TypeError if all are. */
function countsMessage(counts: { created: number; updated: number; deleted: number; failed: number }): Words {
  const parts = [
    [counts.created, said('history.new', { count: counts.created })],
    [counts.updated, said('history.changed', { count: counts.updated })],
    [counts.deleted, said('history.removed', { count: counts.deleted })],
    [counts.failed, said('history.failed', { count: counts.failed })],
  ] as const;
  const worth = parts.filter(([number]) => number > 0).map(([, words]) => words);
  return joined(worth, ', ');
}

/** Returns a sentence for each offer that was added, returned, changed or withdrawn. */
function offerMessages(news: Reconciliation | undefined): Words[] {
  if (!news) return [];
  return [
    ...news.added.map(({ name }) => said('history.offered', { list: name })),
    ...news.returned.map(({ name }) => said('history.offered-again', { list: name })),
    ...news.changed.map(({ module }) => said('history.list-changed', { list: module.name })),
    ...news.withdrawn.map(({ name }) => said('history.withdrawn', { list: name })),
  ];
}
