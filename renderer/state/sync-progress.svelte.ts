import type { PartnerSummary, Progress } from '../../server/contract/app/overview.ts';

/** Running pulls, updated several times a second; a pull of a single page shows no bar. */
export interface SyncProgress {
  /** Returns the progress of a partner's pull; undefined if none runs. */
  of(nodeID: string): Progress | undefined;
  /** Progress of all partners. */
  readonly all: readonly Progress[];
  heard(progress: Progress): void;
  /** Applies the running pulls of an overview, which ends finished ones. */
  settle(partners: readonly PartnerSummary[]): void;
}

const isOver = ({ done, total }: Progress): boolean => total !== undefined && done >= total;

/** Creates the record of running pulls: none at first. */
export function createSyncProgress(): SyncProgress {
  let known = $state.raw<ReadonlyMap<string, Progress>>(new Map());
  /** If the partner doesn't send a total, the second report shows that a pull is long. */
  const begun = new Set<string>();

  return {
    of: (nodeID) => known.get(nodeID),
    get all() {
      return [...known.values()];
    },
    /**
     * Stores a report of a running pull, and removes a finished one. Without a total, only the second report
     * counts, so that a short pull shows no bar.
     */
    heard(progress) {
      const next = new Map(known);
      if (isOver(progress)) next.delete(progress.nodeID);
      else if (progress.total !== undefined || begun.has(progress.nodeID))
        next.set(progress.nodeID, progress);
      begun.add(progress.nodeID);
      known = next;
    },
    /** Replaces all pulls by those of an overview, which ends finished ones. */
    settle(partners) {
      const running = partners.flatMap(({ progress }) => (progress && !isOver(progress) ? [progress] : []));
      known = new Map(running.map((progress) => [progress.nodeID, progress]));
      begun.clear();
      for (const nodeID of known.keys()) begun.add(nodeID);
    },
  };
}
