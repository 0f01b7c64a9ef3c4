import type { Texts } from '../text/speech.ts';

/** What is known when the user closes the window. */
export interface CloseSituation {
  /** The app is on its way out: nothing may hold the window back. */
  readonly quitting: boolean;
  readonly platform: NodeJS.Platform;
  /** Something on this desktop shows tray icons. Always so on Windows and macOS. */
  readonly trayShown: boolean;
  /** The user's setting: closing leaves the app running. */
  readonly keepRunning: boolean;
  /** The user has been told once what closing does. */
  readonly explained: boolean;
}

export interface CloseDecision {
  /** `minimize`: where no tray can bring the window back, it never leaves the task bar. */
  readonly action: 'close' | 'quit' | 'hide' | 'minimize';
  /** What to tell the user, the first time. */
  readonly explain?: string;
}

/** What closing the window does. */
export function decideClose(situation: CloseSituation, t: Texts): CloseDecision {
  if (situation.quitting) return { action: 'close' };
  if (!situation.keepRunning) return { action: 'quit' };
  const action = situation.trayShown ? 'hide' : 'minimize';
  if (situation.explained) return { action };
  const { platform } = situation;
  const where = platform === 'win32' || platform === 'darwin' ? platform : 'linux';
  return { action, explain: action === 'hide' ? t(`closing.hidden.${where}`) : t('closing.minimized') };
}
