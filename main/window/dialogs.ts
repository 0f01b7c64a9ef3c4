import type { UpdateState } from '../../server/contract/app/desktop.ts';
import type { LinkRefusal } from '../shell/deep-link.ts';
import type { Electron } from '../electron.ts';
import { startFailure } from '../shell/start-failure.ts';
import type { Speech } from '../text/speech.ts';

/** What the shell tells the user outside the window. Every dialog says what happened and what is safe. */
export interface Dialogs {
  /** The app did not start; resolves to what the user wants. */
  startFailed(error: unknown, report: () => Promise<string | undefined>): Promise<'retry' | 'quit'>;
  /** It crashed and runs again. */
  restarted(report: string | undefined): Promise<void>;
  /** It crashed too often; resolves to what the user wants. */
  gaveUp(error: unknown, report: string | undefined): Promise<'retry' | 'quit'>;
  /** The keyring keeps the stored secrets shut; resolves to what the user wants. */
  keyringClosed(): Promise<'go-on-without' | 'quit'>;
  linkRefused(why: LinkRefusal): Promise<void>;
  /** What looking for an update found; resolves to whether to restart into it. */
  updateFound(update: UpdateState): Promise<boolean>;
}

export function createDialogs(deps: {
  electron: Electron<'dialog' | 'shell'>;
  dataDir: string;
  /** In the language of now. */
  speech: () => Speech;
}): Dialogs {
  const { dialog, shell } = deps.electron;
  const texts = (): Speech['t'] => deps.speech().t;

  /** Shows a message; the button "Show report" or "Show folder" opens it and the question comes again. */
  async function ask(
    options: Electron.MessageBoxOptions & { buttons: string[] },
    look?: { label: string; open: () => void },
  ): Promise<number> {
    const buttons = look ? [...options.buttons, look.label] : options.buttons;
    // Linux gives a dialog no name by itself: it would be a blank entry in the task bar.
    const usual = { title: 'Footbridge', defaultId: 0, cancelId: 0 };
    for (;;) {
      const { response } = await dialog.showMessageBox({ ...usual, ...options, buttons });
      if (!look || response < options.buttons.length) return response;
      look.open();
    }
  }
  /** What nobody has to decide is not told again while it stands: nobody may be there, and more of it come by the dozen. */
  const standing = new Set<string>();
  async function tell(...what: Parameters<typeof ask>): Promise<void> {
    const said = JSON.stringify([what[0].message, what[0].detail]);
    if (standing.has(said)) return;
    standing.add(said);
    await ask(...what).finally(() => standing.delete(said));
  }
  const lookAt = (file: string | undefined): Parameters<typeof ask>[1] =>
    file === undefined
      ? undefined
      : { label: texts()('dialog.show-report'), open: () => shell.showItemInFolder(file) };

  /** A disk on which nothing can be written has no report on it either. */
  const withReport = (detail: string, report: string | undefined): string =>
    report === undefined ? detail : `${detail} ${texts()('dialog.report-written')}`;

  return {
    async startFailed(error, writeReport) {
      const t = texts();
      const failure = startFailure(error, deps.speech());
      const report = failure.report ? await writeReport() : undefined;
      const folder = { label: t('dialog.show-folder'), open: () => shell.showItemInFolder(deps.dataDir) };
      const look = failure.offerDataFolder ? folder : lookAt(report);
      const { message } = failure;
      const detail = withReport(failure.detail, report);
      const buttons = [t('dialog.try-again'), t('dialog.quit')];
      const answer = await ask({ type: 'error', message, detail, buttons, cancelId: 1 }, look);
      return answer === 0 ? 'retry' : 'quit';
    },
    async restarted(report) {
      const t = texts();
      const what = {
        message: t('dialog.restarted'),
        detail: withReport(t('dialog.restarted-detail'), report),
        buttons: [t('dialog.ok')],
      };
      await tell({ type: 'warning', ...what }, lookAt(report));
    },
    async gaveUp(error, report) {
      const t = texts();
      const { message, detail, report: unforeseen } = startFailure(error, deps.speech());
      const why = unforeseen
        ? { message: t('dialog.keeps-stopping'), detail: t('dialog.keeps-stopping-detail') }
        : { message, detail };
      const buttons = [t('dialog.try-again'), t('tray.quit')];
      const answer = await ask({ type: 'error', ...why, buttons, cancelId: 1 }, lookAt(report));
      return answer === 0 ? 'retry' : 'quit';
    },
    async keyringClosed() {
      const t = texts();
      const answer = await ask({
        type: 'warning',
        message: t('dialog.keyring-shut'),
        detail: t('dialog.keyring-shut-detail'),
        buttons: [t('dialog.quit'), t('dialog.go-on-without-keys')],
      });
      return answer === 1 ? 'go-on-without' : 'quit';
    },
    async updateFound({ state, message }) {
      const t = texts();
      const buttons = state === 'ready' ? [t('tray.restart-to-update'), t('update.later')] : [t('dialog.ok')];
      const answer = await ask({
        type: 'info',
        message: t('update.title'),
        detail: message,
        buttons,
        cancelId: 1,
      });
      return state === 'ready' && answer === 0;
    },
    async linkRefused(why) {
      const t = texts();
      const message = t(why.startsWith('link.file-') ? 'link.file-title' : 'link.title');
      await tell({ type: 'info', message, detail: t(why), buttons: [t('dialog.ok')] });
    },
  };
}
