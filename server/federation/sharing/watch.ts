import { createHmac, randomBytes } from 'node:crypto';
import { createOpaqueCursors, type OpaqueCursors } from '../../base/opaque-cursors.ts';
import type { ListsChange } from '../../lists/definitions/model.ts';
import type { Clock } from '../../base/clock.ts';
import type { Exposures } from './exposures.ts';
import type { Node } from '../model.ts';
import type { FederationChange } from '../ports.ts';
import type { ReferenceTitles } from './reference-titles.ts';

export interface News {
  readonly cursor: string;
  /** Shared definitions changed. */
  readonly structure: boolean;
  readonly modules: readonly string[];
}

/** A partner needs one; others are of abandoned connections. */
const MAX_WAITING = 4;

interface Waiting {
  readonly nodeID: string;
  /** With `go` it looks on for news; else answers now. */
  readonly wake: (go: boolean) => void;
}

/** Returns ids of added or altered columns; all of a new list. */
function changedColumns({ module, before }: Extract<ListsChange, { kind: 'list' }>): string[] {
  const stood = new Map(before?.fields.map((field) => [field.fieldID, JSON.stringify(field)]));
  const changed = module.fields.filter((field) => stood.get(field.fieldID) !== JSON.stringify(field));
  return changed.map(({ fieldID }) => fieldID);
}

interface WatchDeps {
  readonly clock: Clock;
  readonly exposures: Pick<Exposures, 'list'>;
  readonly referenceTitles: Pick<ReferenceTitles, 'countPendingTitles'>;
}

/**
 * Long poll for changes (docs/interface.md: Between Footbridges). Cursors of another run get everything at
 * once.
 */
export class Watch {
  readonly #deps: WatchDeps;
  readonly #run = randomBytes(9).toString('base64url');
  readonly #key = randomBytes(32);
  #now = 0;
  /** When rows last changed: by list, then by the partner that can't see it, if any. */
  readonly #rowsAt = new Map<string, Map<string | undefined, number>>();
  /** Likewise of a conditional share's visible rows. */
  readonly #visibleRowsAt = new Map<string, number>();
  /** Likewise of columns, by id. */
  readonly #columnsAt = new Map<string, number>();
  /** Likewise of a partner's shares. */
  readonly #sharesAt = new Map<string, number>();
  readonly #waiting = new Set<Waiting>();
  #isStopped = false;

  constructor(deps: WatchDeps) {
    this.#deps = deps;
  }

  /**
   * Resolves with exposures that changed after cursor `since` (default: all), at once or at the next change. With none
   * after `ms` milliseconds, on abort, or if the partner waits too often; with undefined if the node stops.
   */
  async wait(
    node: Node,
    since: string | undefined,
    ms: number,
    signal: AbortSignal,
  ): Promise<News | undefined> {
    const position = this.#decryptCursor(node.nodeID, since);
    const end = this.#deps.clock.monotonic() + ms;
    for (let go = true; ;) {
      if (this.#hasStopped()) return undefined;
      const seen = this.#now;
      const news = await this.#newsSince(node, position);
      const left = end - this.#deps.clock.monotonic();
      if (this.#isNews(news) || !go || left <= 0 || signal.aborted)
        return this.#withPendingTitles(node, news);
      // A change during the read has woken nobody.
      if (this.#now === seen && !this.#hasStopped()) go = await this.#nextChange(node.nodeID, left, signal);
    }
  }

  /**
   * Records in memory which columns or rows changed, not for the partner they are hidden from, and wakes all waiting
   * partners; not for changed workspaces.
   */
  listsChanged(change: ListsChange): void {
    if (change.kind === 'workspaces') return;
    this.#now += 1;
    if (change.kind === 'list') {
      for (const fieldID of changedColumns(change)) this.#columnsAt.set(fieldID, this.#now);
    } else {
      const { moduleID, rows, hiddenFrom } = change;
      if (rows && hiddenFrom !== 'all') {
        const ofList = this.#rowsAt.get(moduleID) ?? new Map<string | undefined, number>();
        this.#rowsAt.set(moduleID, ofList.set(hiddenFrom?.nodeID, this.#now));
      }
      for (const moduleID of change.filterIDs) this.#visibleRowsAt.set(moduleID, this.#now);
    }
    this.#wakeAll();
  }

  /**
   * Records a change of the partner's shares or record, and wakes all waiting partners. Ignores offers, mappings, and
   * changes that only our user sees.
   */
  federationChanged({ kind, nodeID, ours = false }: FederationChange): void {
    if (kind === 'shared' || kind === 'mapping' || ours) return;
    this.#now += 1;
    this.#sharesAt.set(nodeID, this.#now);
    this.#wakeAll();
  }

  /** Ends all waits, now and later, with undefined. */
  stop(): void {
    this.#isStopped = true;
    this.#wakeAll();
  }

  #hasStopped(): boolean {
    return this.#isStopped;
  }

  /** Returns the encryption of a partner's cursors, which count changes of other lists too. */
  #cursorsOf(nodeID: string): OpaqueCursors {
    return createOpaqueCursors(createHmac('sha256', this.#key).update(nodeID).digest());
  }

  /**
   * Returns exposures that changed after this position, by default all, and the latest cursor. `structure`: the shares
   * themselves changed.
   */
  async #newsSince({ nodeID }: Node, position: number | undefined): Promise<News> {
    const shared = await this.#deps.exposures.list(nodeID);
    const changedAt = shared.map(({ moduleID, composeModuleID, condition, fieldIDs }) => {
      const all = [...(this.#rowsAt.get(composeModuleID) ?? [])].filter(([hidden]) => hidden !== nodeID);
      const rows =
        condition === undefined ? all.map(([, at]) => at) : [this.#visibleRowsAt.get(moduleID) ?? 0];
      const columns = fieldIDs.map((fieldID) => this.#columnsAt.get(fieldID) ?? 0);
      return { moduleID, at: Math.max(0, ...rows, ...columns) };
    });
    const structureAt = this.#sharesAt.get(nodeID) ?? 0;
    const latest = Math.max(structureAt, ...changedAt.map(({ at }) => at));
    const news = changedAt.filter(({ at }) => position === undefined || at > position);
    return {
      cursor: `${this.#run}.${this.#cursorsOf(nodeID).encrypt(latest)}`,
      structure: position === undefined || structureAt > position,
      modules: news.map(({ moduleID }) => moduleID),
    };
  }

  /**
   * Returns the news; without any, the ids of shares with changed titles to come instead, so that the partner asks
   * again.
   */
  async #withPendingTitles(node: Node, news: News): Promise<News> {
    if (this.#isNews(news)) return news;
    const shared = await this.#deps.exposures.list(node.nodeID);
    const waiting = await Promise.all(
      shared.map((exposure) => this.#deps.referenceTitles.countPendingTitles(exposure)),
    );
    return { ...news, modules: shared.filter((_, at) => waiting[at]).map(({ moduleID }) => moduleID) };
  }

  /** Returns whether there is anything for the partner. */
  #isNews({ structure, modules }: News): boolean {
    return structure || modules.length > 0;
  }

  /** Returns the cursor's position; undefined unless this run of the program issued it. */
  #decryptCursor(nodeID: string, since: string | undefined): number | undefined {
    const [, ofRun, sealed] = /^([\w-]+)\.(\d{1,16})$/.exec(since ?? '') ?? [];
    if (ofRun !== this.#run) return undefined;
    const position = this.#cursorsOf(nodeID).decrypt(Number(sealed));
    return position <= this.#now ? position : undefined;
  }

  /**
   * Resolves with true at the next change; with false after `ms`, on abort, or if the partner's later waits exceed the
   * limit. Ends the partner's oldest wait above the limit.
   */
  #nextChange(nodeID: string, ms: number, signal: AbortSignal): Promise<boolean> {
    const own = [...this.#waiting].filter((each) => each.nodeID === nodeID);
    own.slice(0, Math.max(0, own.length + 1 - MAX_WAITING)).forEach(({ wake }) => wake(false));
    return new Promise((resolve) => {
      const end = (): void => entry.wake(false);
      const entry: Waiting = {
        nodeID,
        wake: (go) => {
          this.#waiting.delete(entry);
          cancel();
          signal.removeEventListener('abort', end);
          resolve(go);
        },
      };
      const cancel = this.#deps.clock.after(ms, end);
      signal.addEventListener('abort', end);
      this.#waiting.add(entry);
    });
  }

  /** Resolves all waits as if something changed for each. */
  #wakeAll(): void {
    for (const { wake } of [...this.#waiting]) wake(true);
  }
}
