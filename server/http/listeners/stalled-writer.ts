import type { Response } from 'express';

/** How long a reader may leave its answer unread, in milliseconds without progress. */
export interface StallTimeouts {
  readonly noticeAfter: number;
  /** Then the connection is ended: after a broken connection the same partner may be waiting. */
  readonly endAfter: number;
}

/** A slow reader makes progress within ten seconds at 4 kB a second. */
export const STALL_TIMEOUTS: StallTimeouts = { noticeAfter: 10_000, endAfter: 30_000 };

/** Several checks, so that a busy node isn't taken for a silent reader. */
const LOOKS = 5;
const LOOK_EVERY = 1000;

/** Progress of an answer. */
export interface StallListener {
  /** It stalls: its reader takes nothing. */
  stalled(): void;
  /** It continues after a stall, or has left completely. */
  resumed(): void;
}

/**
 * Tells the listener when the answer's reader stalls and resumes, and destroys the connection after
 * `patience.endAfter`. Calls `resumed` also when the answer is complete.
 */
export function watchForStall(res: Response, patience: StallTimeouts, listener: StallListener): void {
  const every = Math.min(LOOK_EVERY, patience.noticeAfter / LOOKS);
  let before = '';
  let still = 0;
  let stands = false;

  function checkProgress(): void {
    const { socket } = res;
    if (!socket) return;
    const now = `${socket.bytesWritten} ${res.writableLength}`;
    still = res.writableLength === 0 || now !== before ? 0 : still + every;
    before = now;
    if (stands && still === 0) {
      stands = false;
      listener.resumed();
    } else if (!stands && still >= patience.noticeAfter) {
      stands = true;
      listener.stalled();
    }
    if (still >= patience.endAfter) socket.destroy();
  }

  const timer = setInterval(checkProgress, every);
  timer.unref();
  res.once('close', () => {
    clearInterval(timer);
    if (res.writableFinished) listener.resumed();
  });
}
