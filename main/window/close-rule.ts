import type { Texts } from '../text/i18n.ts';

/** Facts when the user closes the window. */
export interface CloseSituation {
  /** The app is ending: nothing may keep the window open. */
  readonly quitting: boolean;
  readonly platform: NodeJS.Platform;
  /** The desktop shows tray icons. Always true on Windows and macOS. */
  readonly trayShown: boolean;
  /** The user's setting: closing leaves the app running. */
  readonly keepRunning: boolean;
  /** True once the user was told what closing the window does. */
  readonly explained: boolean;
}

export interface CloseDecision {
  /** `minimize`: without a tray to reopen the window, it stays in the task bar. */
  readonly action: 'close' | 'quit' | 'hide' | 'minimize';
  /** What to tell the user, the first time. */
  readonly explain?: string;
}

/** Returns what closing the window does: close, quit, hide or minimize, and the first time a text that explains it. */
export function decideClose(situation: CloseSituation, t: Texts): CloseDecision {
  if (situation.quitting) return { action: 'close' };
  if (!situation.keepRunning) return { action: 'quit' };
  const action = situation.trayShown ? 'hide' : 'minimize';
  if (situation.explained) return { action };
  const { platform } = situation;
  const where = platform === 'win32' || platform === 'darwin' ? platform : 'linux';
  return { action, explain: action === 'hide' ? t(`closing.hidden.${where}`) : t('closing.minimized') };
}
