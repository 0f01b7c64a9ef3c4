import type { RestoredAnswer, Undone, UndoStep } from '../../../server/contract/app/lists.ts';
import type { App } from '../../state/app.svelte.ts';
import { to } from '../../state/route.ts';

type Viewers = RestoredAnswer['sharedBefore'];

/**
 * Says `text`, and what partners who saw a restored list or column get of it. A button leads to the first one's share;
 * if none is connected, to pairing again.
 * @param connectedText says that connected ones, if any, don't see it yet
 * @param otherwise the button's effect where no partner saw it
 */
function notifyViewers(
  app: App,
  moduleID: string,
  viewers: Viewers,
  {
    text,
    connectedText,
    otherwise,
  }: {
    text: string;
    connectedText: (partners: string) => string;
    otherwise?: Parameters<App['notices']['say']>[1];
  },
): void {
  const names = (some: Viewers): string => app.format.list(some.map(({ partner }) => partner));
  const titled = viewers.filter(({ shownIn }) => shownIn);
  const [connected, ended] = [false, true].map((isEnded) =>
    viewers.filter(({ disconnected = false, shownIn }) => !shownIn && disconnected === isEnded),
  ) as [Viewers, Viewers];
  const [seeing, blind] = [false, true].map((isBlind) =>
    connected.filter(({ noRows = false }) => noRows === isBlind),
  ) as [Viewers, Viewers];
  const [first = titled[0]] = connected;
  const [firstEnded] = ended;
  const isKnown = app.overview?.partners.some(({ nodeID }) => nodeID === firstEnded?.nodeID) === true;
  const action = first
    ? {
        label: app.t('bin.share-again'),
        run: () => app.go(to.shareAgain(first.nodeID, first.shownIn?.moduleID ?? moduleID)),
      }
    : firstEnded && {
        label: app.t('bin.pair-again'),
        run: () => app.go(isKnown ? to.partner(firstEnded.nodeID, 'connection') : to.addPartner),
      };
  const sentences = [
    text,
    ...(blind.length > 0 ? [app.t('bin.no-rows-yet', { n: blind.length, partners: names(blind) })] : []),
    ...(seeing.length > 0 ? [connectedText(names(seeing))] : []),
    ...titled.map(({ partner, shownIn }) =>
      app.t('bin.no-longer-shown', { list: shownIn?.listName ?? '', partners: partner }),
    ),
    ...(firstEnded ? [app.t('bin.disconnected', { n: ended.length, partners: names(ended) })] : []),
  ];
  app.notices.say(sentences.join(' '), action ?? otherwise);
}

/**
 * Says what partners get of a restored list or column, and what it no longer receives. Offers to share it again, else
 * to pair again, else to choose the list for the offer.
 */
export function notifyRestored(app: App, restored: RestoredAnswer): void {
  const { name, list, sharedBefore, receivedElsewhere } = restored;
  const [elsewhere] = receivedElsewhere;
  const texts = receivedElsewhere.map(({ partner, listName }) =>
    app.t('bin.received-elsewhere', { partner, list: listName }),
  );
  notifyViewers(app, list.moduleID, sharedBefore, {
    text: [app.t('bin.restored', { name }), ...texts].join(' '),
    otherwise: elsewhere && {
      label: app.t('bin.choose-list'),
      run: () => app.go(to.received(elsewhere.nodeID)),
    },
    connectedText: (partners) => app.t('bin.no-longer-shared', { partners }),
  });
}

/** Returns a step's name, with the number of rows, the columns, the offer or the file. */
export function stepName(
  { kind, rows, added = 0, file, offer = '', columns = [] }: UndoStep,
  { t, format }: App,
): string {
  if (kind === 'match' || kind === 'unmatch') return t(`step.${kind}`, { offer });
  // Users count pairs; the joining step counts filled rows and those in the bin.
  if (kind === 'name' || kind === 'join') return t(`step.${kind}`);
  if (kind === 'columns' || kind === 'columns-add' || kind === 'columns-delete')
    return columns.length === 0
      ? t('step.columns-order')
      : t(`step.${kind}`, { n: columns.length, columns: format.list(columns) });
  if (added > 0) {
    const changed = rows > added ? [t('step.cells', { n: rows - added })] : [];
    return format.list([...changed, t('step.add', { n: added })]);
  }
  return file === undefined ? t(`step.${kind}`, { n: rows }) : t('step.import-of', { n: rows, file });
}

/** Returns how many rows or columns keep what was changed since, and whether the list's name does; empty for none. */
export function keptSince({ step, left, edited = 0, keepsName }: Undone, { t }: Pick<App, 't'>): string {
  const some = edited > 0 ? [t('undo.edited', { n: edited })] : [];
  if (left > 0) some.push(t(step.columns ? 'undo.left-columns' : 'undo.left', { n: left }));
  if (keepsName) some.push(t('undo.left-name'));
  return some.join(' ');
}

/**
 * Says that a step was undone or redone, in place of the offer to undo: how much couldn't be, and what partners get of
 * a restored column.
 */
export function notifyUndone(app: App, moduleID: string, key: 'undo.did' | 'redo.did', turned: Undone): void {
  const { step, sharedBefore } = turned;
  app.notices.closeUndo(step.stepID);
  const did = app.t(key, { step: stepName(step, app) });
  notifyViewers(app, moduleID, sharedBefore, {
    text: `${did} ${keptSince(turned, app)}`.trim(),
    connectedText: (partners) => app.t('bin.not-shared-yet', { partners }),
  });
}
