import type { Response } from 'express';

/** How long a reader may leave what waits for it, in milliseconds without any of it moving. */
export interface Patience {
  readonly noticeAfter: number;
  /** Then the connection is ended: behind a line that broke, the same partner may be waiting. */
  readonly endAfter: number;
}

/**
 * Somebody slow moves something within ten seconds over any line that deserves the name: it takes less than 4 kB a
 * second. Whoever waits for memory on its own side has three times as long.
 */
export const PATIENCE: Patience = { noticeAfter: 10_000, endAfter: 30_000 };

/** At least so many looks in a row, so that it is not our own being busy that is taken for a reader's silence. */
const LOOKS = 5;
const LOOK_EVERY = 1000;

/** What becomes of an answer. */
export interface Sending {
  /** It stands: its reader takes nothing. */
  stands(): void;
  /** It goes on after it stood, or has left whole. */
  moves(): void;
}

/** Watches an answer until it has left, and ends the connection of a reader that takes nothing of it. */
export function watchSending(res: Response, patience: Patience, told: Sending): void {
  const every = Math.min(LOOK_EVERY, patience.noticeAfter / LOOKS);
  let before = '';
  let still = 0;
  let stands = false;

  function look(): void {
    const { socket } = res;
    if (!socket) return;
    const now = `${socket.bytesWritten} ${res.writableLength}`;
    still = res.writableLength === 0 || now !== before ? 0 : still + every;
    before = now;
    if (stands && still === 0) {
      stands = false;
      told.moves();
    } else if (!stands && still >= patience.noticeAfter) {
      stands = true;
      told.stands();
    }
    if (still >= patience.endAfter) socket.destroy();
  }

  const timer = setInterval(look, every);
  timer.unref();
  res.once('close', () => {
    clearInterval(timer);
    if (res.writableFinished) told.moves();
  });
}
