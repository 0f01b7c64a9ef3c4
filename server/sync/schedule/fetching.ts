import type { Logger } from 'pino';
import type { Node } from '../../federation/model.ts';
import type { Peer } from '../../peer/peer.ts';
import type { PullJob } from '../pull/job.ts';
import { isWanted, run, type ListResult, type RunDeps, type RunResult } from '../pull/run.ts';
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

/** What fetching one partner's rows tells while it goes on. */
interface FetchingEvents {
  readonly telling: ProgressReporter;
  /** A page came. */
  readonly onPage: () => void;
  /** The pull came to stand still, or goes on. */
  readonly onStill: () => void;
}

/** The fetching of one partner's rows: what is in hand, how far it has come, and which lists rest meanwhile. */
export class Fetching {
  readonly resting: ListBackoff;
  readonly #nodeID: string;
  readonly #deps: FetchingDeps;
  readonly #events: FetchingEvents;
  readonly #meter: ProgressMeter;
  readonly #stillness: StallDetector;
  /** The list whose rows come now. */
  #inHand: { readonly job: PullJob; readonly drop: () => void } | undefined;
  /** What was matched when it began last. */
  #matched: string | undefined;

  constructor(nodeID: string, deps: FetchingDeps, events: FetchingEvents) {
    this.#nodeID = nodeID;
    this.#deps = deps;
    this.#events = events;
    this.resting = new ListBackoff(deps.clock, deps.random);
    this.#meter = createProgressMeter(nodeID, deps.clock, deps.onProgress);
    this.#stillness = createStallDetector(deps.clock, events.onStill);
  }

  get progress(): Progress | undefined {
    return this.#meter.current;
  }

  /** For how many milliseconds nothing has come of what was asked for. */
  get stoodFor(): number | undefined {
    return this.#stillness.stalledMs();
  }

  /** One pass over the partner, until {@link end} is said. @throws PartnerError, StoreError; the signal's reason */
  async run(peer: Peer, node: Node, request: RunRequest, signal: AbortSignal): Promise<RunResult> {
    this.#matched = await this.#matchedNow();
    // Before any row comes: it may know more of us than is so since our data went back, and the pull may fail.
    void this.tell(peer.footbridge);
    this.#stillness.begin(() => peer.quietFor());
    const running = run(this.#deps, peer, node, request, {
      signal,
      rests: (job) => this.resting.isBackingOff(keyOf(job)),
      onPage: ({ module }, rows, total) => {
        this.#events.onPage();
        if (rows > 0) this.#meter.page(module, rows, total);
      },
      onList: (list) => this.#listDone(node, list),
      onCut: (job, counts, milliseconds) => this.#deps.notes.listCut(node, job, counts, milliseconds),
      onJob: (job, drop) => (this.#inHand = { job, drop }),
    });
    return running.catch(async (error: unknown) => {
      throw await attributeError(error, node, peer, signal);
    });
  }

  /** The pull that it was for has ended. */
  end(): void {
    this.#inHand = undefined;
    this.#stillness.end();
    this.#meter.end();
  }

  /**
   * Tells another Footbridge how far we have come; what does not arrive is owed. Never rejects: that it could not be
   * told is no failure of what was fetched.
   */
  tell(calls: Peer['footbridge']): Promise<void> {
    const nodeID = this.#nodeID;
    return this.#events.telling.send(calls).catch((err: unknown) => {
      this.#deps.log.error({ err, nodeID }, 'how far we have come could not be told');
    });
  }

  /**
   * Lets go of the list in hand where it is not wanted any more.
   * @returns whether rows are to be fetched anew for it
   */
  async dropUnwanted(): Promise<boolean> {
    const inHand = this.#inHand;
    if (!inHand || (await isWanted(this.#deps, inHand.job))) return false;
    inHand.drop();
    return true;
  }

  /** Whether anything of this partner is matched otherwise than when fetching began last. */
  async isMatchedOtherwise(): Promise<boolean> {
    return this.#matched !== undefined && this.#matched !== (await this.#matchedNow());
  }

  async #matchedNow(): Promise<string> {
    const each = (await this.#deps.federation.mappings.list(this.#nodeID)).map(
      (mapping) => `${listKey(mapping.federationModuleID, mapping.composeModuleID)} ${matchesInUse(mapping)}`,
    );
    return each.join();
  }

  async #listDone(node: Node, list: ListResult): Promise<void> {
    this.#meter.end();
    if (list.error) this.resting.failed(keyOf(list.job));
    else this.resting.succeeded(keyOf(list.job));
    await this.#deps.notes.listFinished(node, list);
  }
}

function keyOf({ shared, module }: PullJob): string {
  return listKey(shared.moduleID, module.moduleID);
}
