import type { Logger } from 'pino';
import type { Node } from '../../federation/model.ts';
import type { Peer } from '../../peer/peer.ts';
import type { ApplyCounts } from '../../lists/definitions/model.ts';
import type { PullJob } from '../pull/job.ts';
import {
  isWanted,
  run,
  sumWritten,
  type ListResult,
  type RunDeps,
  type RunResult,
  type WrittenRows,
} from '../pull/run.ts';
import { matchesInUse } from '../status/choice.ts';
import { listKey } from '../status/list-states.ts';
import type { SyncLog } from './sync-log.ts';
import { createProgressMeter, type Progress, type ProgressMeter } from './progress.ts';
import { ListBackoff } from './list-backoff.ts';
import type { RunRequest } from './pending-work.ts';
import { createStallDetector, type StallDetector } from './stall-detector.ts';
import type { ProgressReporter } from './progress-reporter.ts';
import { attributeError } from './identify-responder.ts';

export interface FetchingDeps extends RunDeps {
  readonly notes: Pick<SyncLog, 'listFinished' | 'listCut'>;
  readonly log: Pick<Logger, 'error'>;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly onProgress: (progress: Progress) => void;
}

/** Events while rows of one partner are fetched. */
interface FetchingEvents {
  readonly telling: ProgressReporter;
  /** A page arrived. */
  readonly onPage: () => void;
  /** The pull stalled or continues. */
  readonly onStill: () => void;
}

/** Fetches one partner's rows: the current list, its progress, and the lists that back off. */
export class Fetching {
  readonly resting: ListBackoff;
  readonly #nodeID: string;
  readonly #deps: FetchingDeps;
  readonly #events: FetchingEvents;
  readonly #meter: ProgressMeter;
  readonly #stallDetector: StallDetector;
  /** The list being fetched. */
  #inHand: { readonly job: PullJob; readonly drop: () => void } | undefined;
  /** The mapping at the last start. */
  #matched: string | undefined;
  /** Rows written since {@link run} began. */
  #written: WrittenRows = new Map();

  constructor(nodeID: string, deps: FetchingDeps, events: FetchingEvents) {
    this.#nodeID = nodeID;
    this.#deps = deps;
    this.#events = events;
    this.resting = new ListBackoff(deps.clock, deps.random);
    this.#meter = createProgressMeter(nodeID, deps.clock, deps.onProgress);
    this.#stallDetector = createStallDetector(deps.clock, events.onStill);
  }

  get progress(): Progress | undefined {
    return this.#meter.current;
  }

  /** Milliseconds without any data from the partner. */
  get stoodFor(): number | undefined {
    return this.#stallDetector.stalledMs();
  }

  /** Rows written by list since {@link run} began, until {@link end}: an interrupted run has no result. */
  get written(): WrittenRows {
    return this.#written;
  }

  /**
   * Fetches everything once, until {@link end}.
   * @throws PartnerError, StoreError; the signal's reason
   */
  async run(peer: Peer, node: Node, request: RunRequest, signal: AbortSignal): Promise<RunResult> {
    this.#matched = await this.#matchedNow();
    // Before any row: it may believe that we have more than we do since our data went back, and the pull may
    // fail.
    void this.tell(peer.footbridge);
    this.#stallDetector.begin(() => peer.quietFor());
    const running = run(this.#deps, peer, node, request, {
      signal,
      rests: (job) => this.resting.isBackingOff(keyOf(job)),
      onPage: ({ module }, rows, total) => {
        this.#events.onPage();
        if (rows > 0) this.#meter.page(module, rows, total);
      },
      onList: (list) => this.#listDone(node, list),
      onCut: (job, counts, milliseconds) => {
        this.#count(job, counts);
        return this.#deps.notes.listCut(node, job, counts, milliseconds);
      },
      onJob: (job, drop) => (this.#inHand = { job, drop }),
    });
    const result = await running.catch(async (error: unknown) => {
      throw await attributeError(error, node, peer, signal);
    });
    return { ...result, written: this.#written };
  }

  /** The pull has ended. */
  end(): void {
    this.#inHand = undefined;
    this.#written = new Map();
    this.#stallDetector.end();
    this.#meter.end();
  }

  /**
   * Reports our state to another Footbridge; a lost report is repeated later. Never rejects: a failed report
   * doesn't fail the pull.
   */
  tell(calls: Peer['footbridge']): Promise<void> {
    const nodeID = this.#nodeID;
    return this.#events.telling.send(calls).catch((err: unknown) => {
      this.#deps.log.error({ err, nodeID }, 'how far we have come could not be told');
    });
  }

  /** Stops fetching a list that is no longer wanted. @returns whether its rows must be fetched again */
  async dropUnwanted(): Promise<boolean> {
    const inHand = this.#inHand;
    if (!inHand || (await isWanted(this.#deps, inHand.job))) return false;
    inHand.drop();
    return true;
  }

  /** Returns whether anything of this partner is mapped differently than at the last start. */
  async isMatchedOtherwise(): Promise<boolean> {
    return this.#matched !== undefined && this.#matched !== (await this.#matchedNow());
  }

  async #matchedNow(): Promise<string> {
    const each = (await this.#deps.federation.mappings.list(this.#nodeID)).map(
      (mapping) => `${listKey(mapping.federationModuleID, mapping.composeModuleID)} ${matchesInUse(mapping)}`,
    );
    return each.join();
  }

  #count(job: PullJob, counts: ApplyCounts): void {
    this.#written = sumWritten([this.#written, new Map([[keyOf(job), counts]])]);
  }

  async #listDone(node: Node, list: ListResult): Promise<void> {
    this.#meter.end();
    if (list.outcome) this.#count(list.job, list.outcome.counts);
    if (list.error) this.resting.failed(keyOf(list.job));
    else this.resting.succeeded(keyOf(list.job));
    await this.#deps.notes.listFinished(node, list);
  }
}

function keyOf({ shared, module }: PullJob): string {
  return listKey(shared.moduleID, module.moduleID);
}
