import type { Lists } from '../../lists/lists.ts';
import { lastChangeTime } from '../../lists/values/times.ts';
import { createYielder } from '../../base/yield.ts';
import type { Clock } from '../../base/clock.ts';
import type { FeedEpochs } from '../sharing/feed-epochs.ts';
import { createFullScans, type ServedPage, type FullScans } from '../sharing/full-scans.ts';
import { isSharedWith } from '../sharing/visibility.ts';
import type { Exposure, Node } from '../model.ts';

/** Position in a list; another epoch has other columns or change numbers. */
interface UpTo {
  readonly epoch: string;
  readonly seq: number;
}

interface Reader {
  readonly readings: FullScans;
  left?: UpTo;
  arrived?: UpTo;
}

const AT_ONCE = 500;

interface PageReadersDeps {
  readonly lists: Pick<Lists, 'rows'>;
  readonly epochs: Pick<FeedEpochs, 'get'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Tracks partners that read by page: the request after the last page shows a list's arrival. */
export class PageReaders {
  readonly #deps: PageReadersDeps;
  readonly #began: number;
  /** By partner and exposure; an empty entry: it asked in this run. */
  readonly #known = new Map<string, Map<string, Reader>>();

  constructor(deps: PageReadersDeps) {
    this.#deps = deps;
    this.#began = deps.clock.now();
  }

  /**
   * Records a page sent to a partner without progress reports. A list's last page sets how far it was sent, unless rows
   * were skipped. It counts as arrived only after {@link recordRequest}.
   */
  async recordServed(
    exposure: Exposure,
    node: Node,
    page: ServedPage & { readonly since?: number },
  ): Promise<void> {
    const those = this.#readersOf(node.nodeID);
    const reader = those.get(exposure.moduleID) ?? { readings: createFullScans() };
    those.set(exposure.moduleID, reader);
    const seq = reader.readings.recordPage(page);
    if (seq === undefined) return;
    const epoch = await this.#deps.epochs.get(exposure, node, seq);
    const behind = this.#resendAfter(reader, exposure, epoch);
    const isWhole =
      page.since === undefined ||
      behind === undefined ||
      (await this.#coversAllSince(exposure, node, behind, page.since));
    if (isWhole) reader.left = { epoch, seq };
  }

  /**
   * Records that completely sent lists have arrived, since the partner asks again. Returns whether that is news for
   * any.
   */
  recordRequest(nodeID: string): boolean {
    let isNews = false;
    for (const reader of this.#readersOf(nodeID).values()) {
      const { left, arrived } = reader;
      if (!left) continue;
      delete reader.left;
      reader.arrived = left;
      isNews ||= left.seq !== arrived?.seq || left.epoch !== arrived.epoch;
    }
    return isNews;
  }

  /** Returns how far the list arrived in this run: 0 if its epoch ended by `lastSeq`, undefined if it never did. */
  async confirmedSeq(exposure: Exposure, node: Node, lastSeq: number): Promise<number | undefined> {
    const arrived = this.#known.get(node.nodeID)?.get(exposure.moduleID)?.arrived;
    if (!arrived) return undefined;
    return arrived.epoch === (await this.#deps.epochs.get(exposure, node, lastSeq)) ? arrived.seq : 0;
  }

  /**
   * Returns whether the partner was sent a page of this list in this run; before its first request of any kind, whether
   * the share is older than the run.
   */
  mayHaveRead({ moduleID, createdAt }: Exposure, { nodeID }: Node): boolean {
    const those = this.#known.get(nodeID);
    return those ? those.has(moduleID) : Date.parse(createdAt) < this.#began;
  }

  /** Returns the partner's readers by exposure id: a live map, made if missing. */
  #readersOf(nodeID: string): Map<string, Reader> {
    const those = this.#known.get(nodeID) ?? new Map<string, Reader>();
    this.#known.set(nodeID, those);
    return those;
  }

  /** Returns whether a request by time (`since`, milliseconds) includes all visible rows above change `behind`. */
  async #coversAllSince(exposure: Exposure, node: Node, behind: number, since: number): Promise<boolean> {
    const rows = await this.#deps.lists.rows(exposure.composeModuleID);
    const pause = createYielder();
    for (let afterSeq = behind; ;) {
      const found = await rows.changesSince({ afterSeq }, AT_ONCE);
      const isPassedOver = found.some(
        ({ value }) =>
          (behind > 0 || value.deletedAt === undefined) &&
          isSharedWith(value, exposure, node) &&
          Date.parse(lastChangeTime(value)) < since,
      );
      if (isPassedOver) return false;
      const last = found.at(-1);
      if (!last || found.length < AT_ONCE) return true;
      afterSeq = last.seq;
      await pause();
    }
  }

  /**
   * Returns the change number above which everything must be sent: what arrived in this epoch, else 0; undefined (only
   * what it asks for) if nothing arrived and the share is older than this run.
   */
  #resendAfter({ arrived }: Reader, { createdAt, updatedAt }: Exposure, epoch: string): number | undefined {
    if (arrived) return arrived.epoch === epoch ? arrived.seq : 0;
    // It may have begun in an earlier run.
    return Date.parse(updatedAt ?? createdAt) < this.#began ? undefined : 0;
  }
}
