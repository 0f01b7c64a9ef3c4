import type { UpdateState } from '../../server/contract/app/desktop.ts';
import type { LinkRefusal } from '../shell/deep-link.ts';
import type { Electron } from '../electron.ts';
import type { Translation } from '../text/i18n.ts';
import { ListenError } from '../../server/http/listeners/listen.ts';
import { StoreError } from '../../server/store/store.ts';
import { speak } from '../../server/words/said.ts';

/** Outside the window; each says what happened and what is safe. */
export interface Dialogs {
  startFailed(error: unknown, report: () => Promise<string | undefined>): Promise<'retry' | 'quit'>;
  /** The node stopped unexpectedly and runs again. */
  restarted(report: string | undefined): Promise<void>;
  /** Says why the node was given up; returns whether to retry. */
  gaveUp(error: unknown, report: string | undefined): Promise<'retry' | 'quit'>;
  /** Asks for a new key, as the keyring refuses the stored one. */
  keyringClosed(): Promise<'go-on-without' | 'quit'>;
  /** Says why a link or invite file is refused. */
  linkRefused(why: LinkRefusal): Promise<void>;
  updateFound(update: UpdateState): Promise<boolean>;
}

/** Creates the app's message boxes, in the present language. Their buttons may open a report or `dataDir`. */
export function createDialogs(deps: {
  electron: Electron<'dialog' | 'shell'>;
  dataDir: string;
  speech: () => Translation;
}): Dialogs {
  const { dialog, shell } = deps.electron;
  const texts = (): Translation['t'] => deps.speech().t;

  /**
   * Returns the index of the chosen button; for a closed message `cancelId`, or 0 if not given. That of `look` opens a
   * report or folder and shows the message again.
   */
  async function showMessage(
    options: Electron.MessageBoxOptions & { buttons: string[] },
    look?: { label: string; open: () => void },
  ): Promise<number> {
    const buttons = look ? [...options.buttons, look.label] : options.buttons;
    // On Linux an unnamed dialog is a blank entry in the task bar.
    const usual = { title: 'Footbridge', defaultId: 0, cancelId: 0 };
    for (;;) {
      const { response } = await dialog.showMessageBox({ ...usual, ...options, buttons });
      if (!look || response < options.buttons.length) return response;
      look.open();
    }
  }
  const standing = new Set<string>();
  /** Shows a message without a choice, unless the same one is open, as nobody may be at the computer. */
  async function showOnce(...what: Parameters<typeof showMessage>): Promise<void> {
    const said = JSON.stringify([what[0].message, what[0].detail]);
    if (standing.has(said)) return;
    standing.add(said);
    await showMessage(...what).finally(() => standing.delete(said));
  }
  /** Returns a button that shows the report in its folder; undefined without a report. */
  const reportButton = (file: string | undefined): Parameters<typeof showMessage>[1] =>
    file === undefined
      ? undefined
      : { label: texts()('dialog.show-report'), open: () => shell.showItemInFolder(file) };

  const withReport = (detail: string, report: string | undefined): string =>
    report === undefined ? detail : `${detail} ${texts()('dialog.report-written')}`;

  return {
    /**
     * Says why the node didn't start, and returns `retry` or `quit`; calls `writeReport` if the error is unexpected.
     */
    async startFailed(error, writeReport) {
      const t = texts();
      const failure = startFailure(error, deps.speech());
      const report = failure.report ? await writeReport() : undefined;
      const folder = { label: t('dialog.show-folder'), open: () => shell.showItemInFolder(deps.dataDir) };
      const look = failure.offerDataFolder ? folder : reportButton(report);
      const { message } = failure;
      const detail = withReport(failure.detail, report);
      const buttons = [t('dialog.try-again'), t('dialog.quit')];
      const answer = await showMessage({ type: 'error', message, detail, buttons, cancelId: 1 }, look);
      return answer === 0 ? 'retry' : 'quit';
    },
    /** Says that the node stopped unexpectedly and runs again. */
    async restarted(report) {
      const t = texts();
      const what = {
        message: t('dialog.restarted'),
        detail: withReport(t('dialog.restarted-detail'), report),
        buttons: [t('dialog.ok')],
      };
      await showOnce({ type: 'warning', ...what }, reportButton(report));
    },
    /** Says that the node was given up, and why if that is known; returns `retry` or `quit`. */
    async gaveUp(error, report) {
      const t = texts();
      const { message, detail, report: unforeseen } = startFailure(error, deps.speech());
      const why = unforeseen
        ? { message: t('dialog.keeps-stopping'), detail: t('dialog.keeps-stopping-detail') }
        : { message, detail };
      const buttons = [t('dialog.try-again'), t('tray.quit')];
      const answer = await showMessage({ type: 'error', ...why, buttons, cancelId: 1 }, reportButton(report));
      return answer === 0 ? 'retry' : 'quit';
    },
    /** Asks whether to go on with a new key, as the keyring refuses the stored one; `quit` unless the user agrees. */
    async keyringClosed() {
      const t = texts();
      const answer = await showMessage({
        type: 'warning',
        message: t('dialog.keyring-shut'),
        detail: t('dialog.keyring-shut-detail'),
        buttons: [t('dialog.quit'), t('dialog.go-on-without-keys')],
      });
      return answer === 1 ? 'go-on-without' : 'quit';
    },
    /** Says what the check for updates found. Returns whether the user wants to restart into a ready one. */
    async updateFound({ state, message }) {
      const t = texts();
      const buttons = state === 'ready' ? [t('tray.restart-to-update'), t('update.later')] : [t('dialog.ok')];
      const answer = await showMessage({
        type: 'info',
        message: t('update.title'),
        detail: message,
        buttons,
        cancelId: 1,
      });
      return state === 'ready' && answer === 0;
    },
    /** Says why a link or invite file is refused, unless that is being said already. */
    async linkRefused(why) {
      const t = texts();
      const message = t(why.startsWith('link.file-') ? 'link.file-title' : 'link.title');
      await showOnce({ type: 'info', message, detail: t(why), buttons: [t('dialog.ok')] });
    },
  };
}

export interface Failure {
  readonly message: string;
  readonly detail: string;
  /** Offers to open the folder, as to copy it. */
  readonly offerDataFolder: boolean;
  /** Unexpected, and worth a report. */
  readonly report: boolean;
}

const ABOUT_THE_FOLDER: readonly StoreError['code'][] = ['damaged', 'permission', 'foreign', 'full', 'io'];

/** Returns what to tell the user when the node didn't start; only `StoreError` and `ListenError` need no report. */
export function startFailure(error: unknown, { t, language }: Translation): Failure {
  if (error instanceof StoreError) {
    const message = t(`failure.${error.code}.message`);
    const detail = `${speak(error.words, language)}\n\n${t(`failure.${error.code}.advice`)}`;
    return { message, detail, offerDataFolder: ABOUT_THE_FOLDER.includes(error.code), report: false };
  }
  if (error instanceof ListenError) {
    // Later sentences are about the command line.
    const found = error.message.split('. ')[0] ?? '';
    const detail = `${found}.\n\n${t('failure.port.advice')}`;
    return { message: t('failure.port.message'), detail, offerDataFolder: false, report: false };
  }
  return {
    message: t('failure.unforeseen.message'),
    detail: t('failure.unforeseen.advice'),
    offerDataFolder: false,
    report: true,
  };
}
