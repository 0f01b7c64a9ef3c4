import { Refusal } from '../../../base/refusal.ts';

/** Characters that all answers may hold together. */
const MAX_TOTAL = 256 * 1024 * 1024;

/** Bounds what all answers hold together. */
export interface HeldBudget {
  total: number;
  readonly max: number;
}

const ALL_ANSWERS: HeldBudget = { total: 0, max: MAX_TOTAL };

/**
 * Holds the pieces of one answer until all of its rows have been read. A reader that stops reading keeps them, so
 * that all answers together are bounded.
 */
export class HeldPieces {
  readonly #budget: HeldBudget;
  readonly #pieces: string[] = [];

  constructor(budget: HeldBudget = ALL_ANSWERS) {
    this.#budget = budget;
  }

  /** Holds a piece. Throws `request.busy` (503) if too much is held for all readers together. */
  add(piece: string): void {
    const { total, max } = this.#budget;
    if (total + piece.length > max && total > 0) throw busyRefusal();
    this.#pieces.push(piece);
    this.#budget.total += piece.length;
  }

  /** Yields the held pieces, and forgets each once the reader asks for the next one. */
  *release(): Generator<string> {
    for (let piece = this.#pieces[0]; piece !== undefined; piece = this.#pieces[0]) {
      yield piece;
      this.#drop();
    }
  }

  /** Forgets all pieces. */
  clear(): void {
    while (this.#pieces.length > 0) this.#drop();
  }

  /** Forgets the first piece. */
  #drop(): void {
    this.#budget.total -= this.#pieces.shift()?.length ?? 0;
  }
}

/** Builds the 503 refusal for an answer that would take too much memory beside others. */
function busyRefusal(): Refusal {
  const message =
    'Too many large answers are being read at once. Call again in a few seconds, or read the list in pages with `limit` and `pageCursor`.';
  return new Refusal('busy', 'request.busy', message, { retryAfter: 5 });
}
