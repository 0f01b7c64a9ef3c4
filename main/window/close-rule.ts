import type { Texts } from '../text/i18n.ts';

export interface CloseSituation {
  readonly quitting: boolean;
  readonly platform: NodeJS.Platform;
  /** False only on Linux desktops without tray icons. */
  readonly trayShown: boolean;
  readonly keepRunning: boolean;
  readonly explained: boolean;
}

export interface CloseDecision {
  /** `minimize`: if hidden, no tray could reopen it. */
  readonly action: 'close' | 'quit' | 'hide' | 'minimize';
  readonly explain?: string;
}

/**
 * Returns what closing the window does: close it while the app ends, quit if it shouldn't keep running, else hide or
 * minimize it, with an explanation the first time.
 */
export function decideClose(situation: CloseSituation, t: Texts): CloseDecision {
  if (situation.quitting) return { action: 'close' };
  if (!situation.keepRunning) return { action: 'quit' };
  const action = situation.trayShown ? 'hide' : 'minimize';
  if (situation.explained) return { action };
  const { platform } = situation;
  const where = platform === 'win32' || platform === 'darwin' ? platform : 'linux';
  return { action, explain: action === 'hide' ? t(`closing.hidden.${where}`) : t('closing.minimized') };
}
