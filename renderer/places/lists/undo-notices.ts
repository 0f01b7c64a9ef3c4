import type { RestoredAnswer, Undone, UndoStep } from '../../../server/contract/app/lists.ts';
import type { App } from '../../state/app.svelte.ts';
import { to } from '../../state/route.ts';

/**
 * Shows a notice that a list or column is restored. If partners saw it before, the notice has a button to share it
 * again with the first of them.
 */
export function notifyRestored(app: App, { name, list, sharedBefore }: RestoredAnswer): void {
  const [first] = sharedBefore;
  if (!first) {
    app.notices.say(app.t('bin.restored', { name }));
    return;
  }
  const partners = app.format.list(sharedBefore.map(({ partner }) => partner));
  app.notices.say(app.t('bin.restored-shared', { name, partners }), {
    label: app.t('bin.share-again'),
    run: () => app.go(to.shareAgain(first.nodeID, list.moduleID)),
  });
}

/** Returns in words what a step of the undo log did, with the number of rows or the columns. */
export function stepName(
  { kind, rows, file, offer = '', columns = [] }: UndoStep,
  { t, format }: App,
): string {
  if (kind === 'match' || kind === 'unmatch') return t(`step.${kind}`, { offer });
  // Of joined duplicates the filled rows and those in the bin count, while the user counts pairs.
  if (kind === 'name' || kind === 'join') return t(`step.${kind}`);
  if (kind === 'columns' || kind === 'columns-add' || kind === 'columns-delete')
    return columns.length === 0
      ? t('step.columns-order')
      : t(`step.${kind}`, { n: columns.length, columns: format.list(columns) });
  return file === undefined ? t(`step.${kind}`, { n: rows }) : t('step.import-of', { n: rows, file });
}

/**
 * Shows a notice of what was undone or redone, and how much couldn't be; if partners saw a restored column, with a
 * button to share it again with the first.
 */
export function notifyUndone(app: App, moduleID: string, key: 'undo.did' | 'redo.did', turned: Undone): void {
  const { step, left, sharedBefore } = turned;
  const did = app.t(key, { step: stepName(step, app) });
  const stays = left > 0 ? ` ${app.t(step.columns ? 'undo.left-columns' : 'undo.left', { n: left })}` : '';
  const [first] = sharedBefore;
  if (!first) {
    app.notices.say(`${did}${stays}`);
    return;
  }
  const partners = app.format.list(sharedBefore.map(({ partner }) => partner));
  app.notices.say(`${did}${stays} ${app.t('bin.not-shared-yet', { partners })}`, {
    label: app.t('bin.share-again'),
    run: () => app.go(to.shareAgain(first.nodeID, moduleID)),
  });
}
