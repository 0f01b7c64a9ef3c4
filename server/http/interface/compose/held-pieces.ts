import { Refusal } from '../../../base/refusal.ts';

/** Characters that all answers may hold together. */
const MAX_TOTAL = 256 * 1024 * 1024;

/** Bounds what all answers hold together. */
export interface HeldBudget {
  total: number;
  readonly max: number;
}

const ALL_ANSWERS: HeldBudget = { total: 0, max: MAX_TOTAL };

/** Holds the pieces of one answer until all of its rows are read; all answers together are bounded. */
export class HeldPieces {
  readonly #budget: HeldBudget;
  readonly #pieces: string[] = [];

  constructor(budget: HeldBudget = ALL_ANSWERS) {
    this.#budget = budget;
  }

  /** Holds a piece. Throws `request.busy` (503) if all readers together hold too much. */
  add(piece: string): void {
    const { total, max } = this.#budget;
    if (total + piece.length > max && total > 0) throw busyRefusal();
    this.#pieces.push(piece);
    this.#budget.total += piece.length;
  }

  /** Yields the held pieces, forgetting each once the reader asks for the next one. */
  *release(): Generator<string> {
    for (let piece = this.#pieces[0]; piece !== undefined; piece = this.#pieces[0]) {
      yield piece;
      this.#drop();
    }
  }

  clear(): void {
    while (this.#pieces.length > 0) this.#drop();
  }

  #drop(): void {
    this.#budget.total -= this.#pieces.shift()?.length ?? 0;
  }
}

function busyRefusal(): Refusal {
  const message =
    'Too many large answers are being read at once. Call again in a few seconds, or read the list in pages with `limit` and `pageCursor`.';
  return new Refusal('busy', 'request.busy', message, { retryAfter: 5 });
}
