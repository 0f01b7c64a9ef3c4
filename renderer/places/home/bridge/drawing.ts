import type { PartnerSummary, Progress } from '../../../../server/contract/app/overview.ts';

interface Direction {
  readonly moving: number;
  readonly waiting: number;
  /** Arrived fraction of a list, 0 to 1. */
  readonly fill: number | undefined;
}

/** `out`: our rows, `in`: theirs. Never says more than the partner's state. */
export interface Drawing {
  readonly deck: 'whole' | 'broken' | 'dotted';
  readonly rails: 'whose' | 'quiet' | 'bad';
  readonly barred: boolean;
  readonly needsYou: boolean;
  readonly out: Direction;
  readonly in: Direction;
}

export type Drawn = Pick<PartnerSummary, 'state' | 'line' | 'sharing'>;

/** Beyond, only the text has the number. */
export const MAX_MOVING = 6;
export const MAX_WAITING = 7;

const DECKS = { none: 'dotted', failed: 'broken', silent: 'broken', paused: 'whole', open: 'whole' } as const;
const RAILS = { none: 'quiet', failed: 'bad', silent: 'quiet', paused: 'whose', open: 'whose' } as const;

/** Returns how many moving rows to draw, on a logarithmic scale. */
const rowsAt = (perSecond: number): number =>
  perSecond <= 0 ? 0 : Math.min(MAX_MOVING, 2 + Math.floor(Math.log10(Math.max(1, perSecond))));

const share = ({ done, total }: Progress): number | undefined =>
  total === undefined || total === 0 ? undefined : Math.min(1, done / total);

/**
 * Returns how to draw a partner's bridge. Rows move only over an open connection: ours that wait, theirs by `progress`,
 * which also fills the list. Ours wait at any other but `none`. An open one with expired state (`unknown`) is silent.
 */
export function drawingOf(partner: Drawn, progress: Progress | undefined, unknown: boolean): Drawing {
  const line = unknown && partner.line === 'open' ? 'silent' : partner.line;
  const isOpen = line === 'open';
  const waiting = partner.sharing?.waiting ?? 0;
  return {
    deck: DECKS[line],
    rails: RAILS[line],
    barred: line === 'paused',
    needsYou: partner.state === 'needs-you',
    out: {
      moving: isOpen ? Math.min(MAX_MOVING, waiting) : 0,
      waiting: isOpen || line === 'none' ? 0 : Math.min(MAX_WAITING, waiting),
      fill: undefined,
    },
    in: {
      moving: isOpen && progress ? rowsAt(progress.rowsPerSecond) : 0,
      waiting: 0,
      fill: progress && line !== 'none' ? share(progress) : undefined,
    },
  };
}
