import { createHmac, randomBytes } from 'node:crypto';
import { sealedNumbers, type SealedNumbers } from '../../base/sealed-numbers.ts';
import type { ListsChange } from '../../lists/definitions/model.ts';
import type { Clock } from '../../base/clock.ts';
import type { Exposures } from './exposures.ts';
import type { Node } from '../model.ts';
import type { FederationChange } from '../ports.ts';
import type { Retitling } from './retitling.ts';

/** What is newer than a partner's cursor. */
export interface News {
  readonly cursor: string;
  /** What is shared with it changed. */
  readonly structure: boolean;
  /** Exposures with changed rows. */
  readonly modules: readonly string[];
}

/**
 * Tells partners that something changed, so that they need not ask again and again (docs/interface.md: Between
 * Footbridges). Cursors hold for this run of the node; any other is answered at once with everything.
 */
export interface Watch {
  /**
   * Resolves at once when something is newer than `since`, else with the next change or when `ms` are over; with
   * undefined when the node stops meanwhile.
   */
  wait(node: Node, since: string | undefined, ms: number, signal: AbortSignal): Promise<News | undefined>;
  listsChanged(change: ListsChange): void;
  federationChanged(change: FederationChange): void;
  /** Ends all waits, as the node stops: nobody is held who could hear now that we are gone. */
  stop(): void;
}

/** A partner needs one; more are left over from connections that it gave up, and the oldest are ended. */
const MOST_WAITING = 4;

interface Waiting {
  readonly nodeID: string;
  /** `go` on looking for news, or answer with what there is. */
  readonly wake: (go: boolean) => void;
}

/** A list that came or went is told with the shares of it. */
function changedColumns({ module, before }: Extract<ListsChange, { kind: 'list' }>): string[] {
  const stood = new Map(before?.fields.map((field) => [field.fieldID, JSON.stringify(field)]));
  const changed = module.fields.filter((field) => stood.get(field.fieldID) !== JSON.stringify(field));
  return changed.map(({ fieldID }) => fieldID);
}

export function createWatch({
  clock,
  exposures,
  retitling,
}: {
  readonly clock: Clock;
  readonly exposures: Pick<Exposures, 'list'>;
  readonly retitling: Pick<Retitling, 'waiting'>;
}): Watch {
  const run = randomBytes(9).toString('base64url');
  const key = randomBytes(32);
  let now = 0;
  /** When rows of a list, and shares of a partner, last changed. */
  const rowsAt = new Map<string, number>();
  /** The same of what is told of a list that is shared under a condition: other rows of it are no news. */
  const toldAt = new Map<string, number>();
  /** When a column of a list, by its id, last changed, and the rows with it: of others of that list nothing is told. */
  const columnsAt = new Map<string, number>();
  const sharesAt = new Map<string, number>();
  const waiting = new Set<Waiting>();
  let isStopped = false;
  /** Asked anew, as it may have changed while something was waited for. */
  const hasStopped = (): boolean => isStopped;

  /** What happens in other lists counts here too, and is nothing that a cursor may tell of. */
  const cursorsOf = (nodeID: string): SealedNumbers =>
    sealedNumbers(createHmac('sha256', key).update(nodeID).digest());

  async function newsSince({ nodeID }: Node, position: number | undefined): Promise<News> {
    const shared = await exposures.list(nodeID);
    const changedAt = shared.map(({ moduleID, composeModuleID, condition, fieldIDs }) => {
      const rows = condition === undefined ? rowsAt.get(composeModuleID) : toldAt.get(moduleID);
      const columns = fieldIDs.map((fieldID) => columnsAt.get(fieldID) ?? 0);
      return { moduleID, at: Math.max(rows ?? 0, ...columns) };
    });
    const structureAt = sharesAt.get(nodeID) ?? 0;
    const latest = Math.max(structureAt, ...changedAt.map(({ at }) => at));
    const news = changedAt.filter(({ at }) => position === undefined || at > position);
    return {
      cursor: `${run}.${cursorsOf(nodeID).seal(latest)}`,
      structure: position === undefined || structureAt > position,
      modules: news.map(({ moduleID }) => moduleID),
    };
  }

  /** Nothing is new, but something is about to be: that all is as it was is not to be said. */
  async function orUnsettled(node: Node, news: News): Promise<News> {
    if (isNews(news)) return news;
    const shared = await exposures.list(node.nodeID);
    const waiting = await Promise.all(shared.map((exposure) => retitling.waiting(exposure)));
    return { ...news, modules: shared.filter((_, at) => waiting[at]).map(({ moduleID }) => moduleID) };
  }

  const isNews = ({ structure, modules }: News): boolean => structure || modules.length > 0;

  function positionOf(nodeID: string, since: string | undefined): number | undefined {
    const [, ofRun, sealed] = /^([\w-]+)\.(\d{1,16})$/.exec(since ?? '') ?? [];
    if (ofRun !== run) return undefined;
    const position = cursorsOf(nodeID).open(Number(sealed));
    // One that was never given out is none.
    return position <= now ? position : undefined;
  }

  /** Resolves with true at the next change of anything; false: time over, partner gone or too many waits. */
  function nextChange(nodeID: string, ms: number, signal: AbortSignal): Promise<boolean> {
    const own = [...waiting].filter((each) => each.nodeID === nodeID);
    own.slice(0, Math.max(0, own.length + 1 - MOST_WAITING)).forEach(({ wake }) => wake(false));
    return new Promise((resolve) => {
      const end = (): void => entry.wake(false);
      const entry: Waiting = {
        nodeID,
        wake(go) {
          waiting.delete(entry);
          cancel();
          signal.removeEventListener('abort', end);
          resolve(go);
        },
      };
      const cancel = clock.after(ms, end);
      signal.addEventListener('abort', end);
      waiting.add(entry);
    });
  }

  function wakeAll(): void {
    for (const { wake } of [...waiting]) wake(true);
  }

  return {
    async wait(node, since, ms, signal) {
      const position = positionOf(node.nodeID, since);
      const end = clock.monotonic() + ms;
      for (let go = true; ;) {
        if (hasStopped()) return undefined;
        const seen = now;
        const news = await newsSince(node, position);
        const left = end - clock.monotonic();
        if (isNews(news) || !go || left <= 0 || signal.aborted) return orUnsettled(node, news);
        // What changed while the shares were read has woken nobody.
        if (now === seen && !hasStopped()) go = await nextChange(node.nodeID, left, signal);
      }
    },

    listsChanged(change) {
      if (change.kind === 'workspaces') return;
      now += 1;
      if (change.kind === 'list') {
        for (const fieldID of changedColumns(change)) columnsAt.set(fieldID, now);
      } else {
        if (change.rows) rowsAt.set(change.moduleID, now);
        for (const moduleID of change.audiences) toldAt.set(moduleID, now);
      }
      wakeAll();
    },

    federationChanged({ kind, nodeID, ours = false }) {
      if (kind === 'shared' || kind === 'mapping' || ours) return;
      now += 1;
      sharesAt.set(nodeID, now);
      wakeAll();
    },

    stop() {
      isStopped = true;
      wakeAll();
    },
  };
}
