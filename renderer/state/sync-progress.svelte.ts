import type { PartnerSummary, Progress } from '../../server/contract/app/overview.ts';

/** The pulls that run now, told several times a second; what is over within one page is not worth a bar. */
export interface SyncProgress {
  /** How far the pull from this partner has come; undefined if none runs. */
  of(nodeID: string): Progress | undefined;
  /** Those of all partners. */
  readonly all: readonly Progress[];
  heard(progress: Progress): void;
  /** What an overview says runs; the end of a pull is told by it. */
  settle(partners: readonly PartnerSummary[]): void;
}

const isOver = ({ done, total }: Progress): boolean => total !== undefined && done >= total;

export function createSyncProgress(): SyncProgress {
  let known = $state.raw<ReadonlyMap<string, Progress>>(new Map());
  /** Where the partner does not say how many rows there are, the second word tells a pull that lasts. */
  const begun = new Set<string>();

  return {
    of: (nodeID) => known.get(nodeID),
    get all() {
      return [...known.values()];
    },
    heard(progress) {
      const next = new Map(known);
      if (isOver(progress)) next.delete(progress.nodeID);
      else if (progress.total !== undefined || begun.has(progress.nodeID))
        next.set(progress.nodeID, progress);
      begun.add(progress.nodeID);
      known = next;
    },
    settle(partners) {
      const running = partners.flatMap(({ progress }) => (progress && !isOver(progress) ? [progress] : []));
      known = new Map(running.map((progress) => [progress.nodeID, progress]));
      begun.clear();
      for (const nodeID of known.keys()) begun.add(nodeID);
    },
  };
}
