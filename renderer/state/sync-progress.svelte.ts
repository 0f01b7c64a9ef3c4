import type { PartnerSummary, Progress } from '../../server/contract/app/overview.ts';

/** Running pulls by partner. A pull of a single page shows no bar, so it isn't among them. */
export interface SyncProgress {
  of(nodeID: string): Progress | undefined;
  readonly all: readonly Progress[];
  heard(progress: Progress): void;
  settle(partners: readonly PartnerSummary[]): void;
}

const isOver = ({ done, total }: Progress): boolean => total !== undefined && done >= total;

/** Creates the record of running pulls, none at first. */
export function createSyncProgress(): SyncProgress {
  let known = $state.raw<ReadonlyMap<string, Progress>>(new Map());
  /** Partners of which a report came: without a total only the second one shows that a pull is long. */
  const begun = new Set<string>();

  return {
    of: (nodeID) => known.get(nodeID),
    get all() {
      return [...known.values()];
    },
    /**
     * Stores a report of a running pull and removes a finished one. Without a total, only the second report counts.
     */
    heard(progress) {
      const next = new Map(known);
      if (isOver(progress)) next.delete(progress.nodeID);
      else if (progress.total !== undefined || begun.has(progress.nodeID))
        next.set(progress.nodeID, progress);
      begun.add(progress.nodeID);
      known = next;
    },
    /** Replaces all pulls by those of an overview, in which finished ones are missing. */
    settle(partners) {
      const running = partners.flatMap(({ progress }) => (progress && !isOver(progress) ? [progress] : []));
      known = new Map(running.map((progress) => [progress.nodeID, progress]));
      begun.clear();
      for (const nodeID of known.keys()) begun.add(nodeID);
    },
  };
}
