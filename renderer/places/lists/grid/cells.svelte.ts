import { MAX_STEP_CHARS } from '../../../../server/base/vocabulary.ts';
import type { CellsAnswer } from '../../../../server/contract/app/lists.ts';
import { NodeError } from '../../../api/http.ts';
import type { ListsApi } from '../../../api/lists.ts';
import type { App } from '../../../state/app.svelte.ts';
import type { CellInput } from '../../../state/drafts.svelte.ts';
import type { Block } from './block.ts';
import { MAX_ROWS } from './clipboard.ts';
import type { Edits } from './edits.svelte.ts';
import type { Rows } from './rows.svelte.ts';

/** Yields the block in pieces that the node accepts. */
function* splitBlock(block: Block): Generator<Block> {
  for (let at = 0; at < block.rows.length; at += MAX_ROWS) {
    const end = at + MAX_ROWS;
    yield { ...block, rows: block.rows.slice(at, end), cells: block.cells.slice(at, end) };
  }
}

/** Before writing a block with cells that don't fit, or that can't be undone. */
export interface Question {
  readonly block: Block;
  readonly trial: CellsAnswer;
  /** Copied columns without a target. */
  readonly tooWide: number;
  readonly isTooLarge: boolean;
  answer(goOn: boolean): void;
}

/** Writes cells as one undo step, without misfits if the user agrees. */
export class Cells {
  readonly #app: App;
  readonly #lists: ListsApi;
  readonly #moduleID: string;
  readonly #rows: Rows;
  readonly #edits: Edits;
  #asking = $state.raw<Question>();

  constructor(app: App, lists: ListsApi, moduleID: string, rows: Rows, edits: Edits) {
    this.#app = app;
    this.#lists = lists;
    this.#moduleID = moduleID;
    this.#rows = rows;
    this.#edits = edits;
  }

  /**
   * Writes a block. Asks first if cells don't fit, `tooWide` copied columns have no target or it can't be undone.
   * Returns whether what fits was written; false for an empty block, if the user declines, and after a failure, which
   * is reported.
   */
  async put(block: Block, tooWide = 0): Promise<boolean> {
    if (block.rows.length === 0 || block.columns.length === 0) return false;
    const written = await this.#inTurn(block, (replaced) => this.#writeIfFit(block, tooWide, replaced));
    if (typeof written === 'boolean') return written;
    // Other writes don't wait for the user.
    if (!(await this.#askUser(written))) return false;
    return (await this.#inTurn(block, (replaced) => this.#writePieces(block, replaced))) === true;
  }

  /** Runs a write of the block after earlier ones into its rows; it gets the inputs that wait in its cells now. */
  #inTurn<T>(block: Block, write: (replaced: readonly CellInput[]) => Promise<T>): Promise<T> {
    const replaced = this.#inputsIn(block);
    const recordIDs = block.rows.filter((recordID) => recordID !== null);
    return this.#edits.delayUndoUntil(this.#app.writes.run(recordIDs, () => write(replaced)));
  }

  /** Returns inputs into the block's cells that the node hasn't confirmed, or refused. */
  #inputsIn({ rows, columns }: Block): readonly CellInput[] {
    const { unsent, rejected } = this.#app.drafts.draftOf(this.#moduleID);
    return [...unsent, ...rejected].filter(
      ({ row, fieldID }) => rows.includes(row.recordID) && columns.includes(fieldID),
    );
  }

  /**
   * Drops inputs that a written block replaced; refused ones had their turn before it. Those typed since may replace
   * what it wrote, if the node tells.
   */
  async #settleInputs(block: Block, replaced: readonly CellInput[]): Promise<void> {
    const { drafts } = this.#app;
    for (const input of this.#inputsIn(block)) {
      if (replaced.includes(input) || 'problem' in input) drafts.dismissInput(input);
      else {
        const now = await this.#lists.row(this.#moduleID, input.row.recordID).catch(() => undefined);
        if (now) drafts.changeOver(input, [now.values[input.name] ?? []]);
      }
    }
  }

  get asking(): Question | undefined {
    return this.#asking;
  }

  /** Shows the question; resolves with the answer. */
  #askUser(question: Omit<Question, 'answer'>): Promise<boolean> {
    return new Promise((resolve) => {
      this.#asking = {
        ...question,
        answer: (goOn) => {
          this.#asking = undefined;
          resolve(goOn);
        },
      };
    });
  }

  /**
   * Sends a block to the node. `trial` writes nothing, `step` adds to that step of the undo log, `undoable` writes
   * nothing if cells don't fit, and throws `undo.too-large` without an undo.
   */
  #sendBlock(
    block: Block,
    { step, ...how }: { trial?: boolean; undoable?: boolean; step?: string | undefined } = {},
  ): Promise<CellsAnswer> {
    const { decimalMark: decimal, dateOrder } = this.#app.format;
    const of = step === undefined ? {} : { step };
    return this.#lists.putCells(this.#moduleID, { ...block, ...how, decimal, dateOrder, ...of });
  }

  /**
   * Writes the block if all its cells fit, it can be undone and `tooWide` is 0; otherwise returns what to ask. Returns
   * whether it was written; false after a failure, which is reported.
   */
  async #writeIfFit(
    block: Block,
    tooWide: number,
    replaced: readonly CellInput[],
  ): Promise<boolean | Omit<Question, 'answer'>> {
    // The first of several pieces would be written when a later one is too large to undo.
    const isOnePiece = block.rows.length <= MAX_ROWS;
    if (isOnePiece && tooWide === 0 && block.cells.every((line) => line.every(Array.isArray))) {
      const isWritten = await this.#writePieces(block, replaced, true);
      if (isWritten !== undefined) return isWritten;
    }
    let stepSize = 0;
    const trial = await this.#app.attempt(async () => {
      let all: CellsAnswer | undefined;
      for (const piece of splitBlock(block)) {
        const answer = await this.#sendBlock(piece, { trial: true });
        stepSize += answer.stepSize ?? 0;
        all = {
          ...answer,
          created: answer.created + (all?.created ?? 0),
          updated: answer.updated + (all?.updated ?? 0),
          unfitCells: answer.unfitCells + (all?.unfitCells ?? 0),
          reasons: [...(all?.reasons ?? []), ...answer.reasons],
          notes: [...(all?.notes ?? []), ...answer.notes],
        };
      }
      return all;
    });
    if (!trial) return false;
    const isTooLarge = stepSize > MAX_STEP_CHARS;
    const isFit = tooWide === 0 && trial.unfitCells === 0 && !isTooLarge;
    return isFit
      ? (await this.#writePieces(block, replaced)) === true
      : { block, trial, tooWide, isTooLarge };
  }

  /**
   * Writes the block in pieces, as one step of the undo log, refreshes, and offers an undo. Returns false if a piece
   * failed, which is reported; earlier pieces stay. Writes nothing and returns undefined if one piece should be
   * `undoable` and isn't, or has cells that don't fit.
   */
  async #writePieces(
    block: Block,
    replaced: readonly CellInput[],
    undoable = false,
  ): Promise<boolean | undefined> {
    const answers: CellsAnswer[] = [];
    let step: string | undefined;
    const done = await this.#app.attempt(async () => {
      for (const piece of splitBlock(block)) {
        const answer = await this.#sendBlock(piece, { step, undoable }).catch((problem: unknown) => {
          if (problem instanceof NodeError && problem.code === 'undo.too-large') return undefined;
          throw problem;
        });
        if (!answer || (undoable && answer.unfitCells > 0)) return 'unwritten';
        answers.push(answer);
        if (answer.updated + answer.created > 0) step = await this.#edits.lastStep('cells');
      }
      if (answers.every(({ unfitCells }) => unfitCells === 0)) await this.#settleInputs(block, replaced);
      return true;
    });
    if (done === 'unwritten') return undefined;
    const of = (count: (answer: CellsAnswer) => number): number =>
      answers.reduce((sum, answer) => sum + count(answer), 0);
    const [updated, created] = [of((answer) => answer.updated), of((answer) => answer.created)];
    if (updated + created > 0) {
      this.#rows.refresh();
      const notes = new Set(answers.flatMap((answer) => answer.notes));
      this.#edits.offerUndo([this.#countsMessage(updated, created), ...notes].join(' '), step);
    } else if (done) this.#app.notices.say(this.#app.t('cells.nothing-changed'));
    return done === true;
  }

  /** Says how many cells changed and how many rows were added; empty for none. */
  #countsMessage(updated: number, created: number): string {
    const changed = updated > 0 ? this.#app.t('cells.changed', { n: updated }) : '';
    const added = created > 0 ? this.#app.t('cells.added', { n: created }) : '';
    return `${changed} ${added}`.trim();
  }
}
