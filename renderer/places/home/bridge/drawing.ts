import type { PartnerSummary, Progress } from '../../../../server/contract/app/overview.ts';

/** One way across: ours goes out, theirs comes in. */
export interface Lane {
  /** Rows drawn on their way; none where nothing moves. */
  readonly moving: number;
  /** Rows drawn that wait before a gap. */
  readonly waiting: number;
  /** How much of a list has arrived, from 0 to 1; undefined where that is not known. */
  readonly fill: number | undefined;
}

/** What is drawn of the bridge to one partner. It says nothing that its state does not. */
export interface Drawing {
  readonly deck: 'whole' | 'broken' | 'dotted';
  readonly rails: 'whose' | 'quiet' | 'bad';
  readonly barred: boolean;
  /** A sign on the deck: something waits for the user. */
  readonly needsYou: boolean;
  readonly out: Lane;
  readonly in: Lane;
}

export type Drawn = Pick<PartnerSummary, 'state' | 'line' | 'sharing'>;

/** More rows than this are not drawn on a lane, whatever the rate; the words have the numbers. */
export const MAX_MOVING = 6;
export const MAX_WAITING = 7;

const DECKS = { none: 'dotted', failed: 'broken', silent: 'broken', paused: 'whole', open: 'whole' } as const;
const RAILS = { none: 'quiet', failed: 'bad', silent: 'quiet', paused: 'whose', open: 'whose' } as const;

/** A few rows for few a second, more for more. */
const rowsAt = (perSecond: number): number =>
  perSecond <= 0 ? 0 : Math.min(MAX_MOVING, 2 + Math.floor(Math.log10(Math.max(1, perSecond))));

const share = ({ done, total }: Progress): number | undefined =>
  total === undefined || total === 0 ? undefined : Math.min(1, done / total);

/**
 * The picture of a state. What nobody knows any more is drawn as not heard from. Rows move only where rows move;
 * where the way is not open they wait.
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
