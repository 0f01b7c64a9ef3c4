import type { CellsAnswer } from '../../../../server/contract/app/lists.ts';
import type { ListsApi } from '../../../api/lists.ts';
import type { App } from '../../../state/app.svelte.ts';
import type { Block } from './block.ts';
import { MOST_ROWS } from './copied.ts';
import type { Edits } from './edits.svelte.ts';
import type { Rows } from './rows.svelte.ts';

/** What is asked before a block goes in of which some cells do not fit. */
export interface Question {
  readonly block: Block;
  readonly trial: CellsAnswer;
  /** Columns of what was copied for which the list has none to the right. */
  readonly tooWide: number;
  answer(goOn: boolean): void;
}

/** Many cells changed at once: all that fit in one write, with one way back. */
export interface Cells {
  /** Set while the user is asked. */
  readonly asking: Question | undefined;
  /** @param tooWide columns that have no place, which is asked about as well */
  put(block: Block, tooWide?: number): Promise<boolean>;
}

export function createCells(app: App, lists: ListsApi, moduleID: string, rows: Rows, edits: Edits): Cells {
  let asking = $state.raw<Question>();

  const ask = (question: Omit<Question, 'answer'>): Promise<boolean> =>
    new Promise((resolve) => {
      asking = {
        ...question,
        answer: (goOn) => {
          asking = undefined;
          resolve(goOn);
        },
      };
    });

  const send = (block: Block, trial = false): Promise<CellsAnswer> => {
    const { decimalMark: decimal, dateOrder } = app.format;
    return lists.putCells(moduleID, { ...block, trial, decimal, dateOrder });
  };

  /** Whether it may go in: what fits is not in question. */
  async function mayGoIn(block: Block, tooWide: number): Promise<boolean> {
    if (tooWide === 0 && block.cells.every((line) => line.every(Array.isArray))) return true;
    const trial = await app.attempt(() => send(block, true));
    if (!trial) return false;
    if (tooWide === 0 && trial.unfitCells === 0) return true;
    return ask({ block, trial, tooWide });
  }

  async function takeBack(block: Block, answers: readonly CellsAnswer[]): Promise<void> {
    for (const { before, added } of answers) {
      const cells = before.map(({ values }) => block.columns.map((fieldID) => values[fieldID] ?? null));
      const held = { ...block, rows: before.map(({ recordID }) => recordID), cells };
      if (before.length > 0) await send(held);
      if (added.length > 0) await lists.deleteRows(moduleID, added);
    }
    rows.refresh();
  }

  async function put(block: Block): Promise<boolean> {
    const answers: CellsAnswer[] = [];
    const done = await app.attempt(async () => {
      for (let at = 0; at < block.rows.length; at += MOST_ROWS) {
        const end = at + MOST_ROWS;
        answers.push(
          await send({ ...block, rows: block.rows.slice(at, end), cells: block.cells.slice(at, end) }),
        );
      }
      return true;
    });
    const of = (count: (answer: CellsAnswer) => number): number =>
      answers.reduce((sum, answer) => sum + count(answer), 0);
    const [updated, created] = [of((answer) => answer.updated), of((answer) => answer.created)];
    if (updated + created > 0) {
      rows.refresh();
      edits.done(wordsFor(updated, created), () => app.attempt(() => takeBack(block, answers)));
    } else if (done) app.notices.say(app.t('cells.nothing-changed'));
    return done === true;
  }

  function wordsFor(updated: number, created: number): string {
    const changed = updated > 0 ? app.t('cells.changed', { n: updated }) : '';
    const added = created > 0 ? app.t('cells.added', { n: created }) : '';
    return `${changed} ${added}`.trim();
  }

  return {
    get asking() {
      return asking;
    },
    async put(block, tooWide = 0) {
      if (block.rows.length === 0 || block.columns.length === 0) return false;
      return (await mayGoIn(block, tooWide)) && edits.wait(put(block));
    },
  };
}
