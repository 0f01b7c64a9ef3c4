import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTLS, type TLSSocket } from 'node:tls';
import { fingerprintOf } from '../../base/hashes.ts';
import { said } from '../../words/said.ts';
import { AddressRefusedError, PartnerUnreachableError } from '../guard/errors.ts';

/** One way to connect to a partner, with the proof of who answers. */
export interface Attempt {
  readonly id: string;
  /** Starts {@link LATE_MS} after the others, as it failed lately. */
  readonly isLate?: boolean;
  /** Rejects with errors for `toPartnerError`. */
  open(signal: AbortSignal): Promise<Socket>;
}

/** Until the next route starts beside pending ones (RFC 8305: 250 ms). */
export const STAGGER_MS = 275;
/** A faraway relay answers within this time. */
const LATE_MS = 3_000;

/**
 * Opens the first route that answers ("happy eyeballs", RFC 8305): they start in order, each after a failure or 275 ms
 * (late ones later); the others end. Rejects with the error of {@link chooseReportedError}.
 */
export function raceRoutes(
  attempts: readonly Attempt[],
  signal: AbortSignal,
): Promise<{ readonly id: string; readonly stream: Socket }> {
  return new Promise((resolve, reject) => {
    const ending = new AbortController();
    const abort = (): void => ending.abort(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    const failures = new Map<number, Error>();
    let next = 0;
    let timer: NodeJS.Timeout | undefined;
    let isOver = false;

    /** Ends all attempts still under way, and the timer. */
    const endRace = (): void => {
      isOver = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      ending.abort();
    };
    /** Records a failed attempt and starts the next, a late one only once all others failed; rejects after the last. */
    const recordFailure = (index: number, error: unknown): void => {
      failures.set(index, error instanceof Error ? error : new Error(String(error)));
      if (isOver) return;
      if (failures.size === attempts.length) {
        endRace();
        reject(chooseReportedError([...failures].sort(([a], [b]) => a - b).map(([, each]) => each)));
      } else if (attempts[next]?.isLate !== true || failures.size === next) {
        clearTimeout(timer);
        startNext();
      }
    };
    /**
     * Starts the next attempt, and the timer for the one after it; the first that opens ends the race, later ones are
     * closed. A no-op without one left.
     */
    const startNext = (): void => {
      const [index, attempt] = [next, attempts[next]];
      if (isOver || !attempt) return;
      next++;
      const isNextLate = attempts[next]?.isLate === true && attempt.isLate !== true;
      timer = setTimeout(startNext, isNextLate ? LATE_MS : STAGGER_MS);
      attempt.open(ending.signal).then(
        (stream) => {
          if (isOver) {
            stream.destroy();
            return;
          }
          endRace();
          resolve({ id: attempt.id, stream });
        },
        (error: unknown) => recordFailure(index, error),
      );
    };
    if (attempts.length === 0) reject(new Error('no route'));
    else startNext();
  });
}

/**
 * Returns the error to report: the first that is neither a refused address nor a wrong certificate, else the first that
 * is no wrong certificate, else the first.
 */
function chooseReportedError(failures: readonly Error[]): Error {
  const others = failures.filter((error) => !isWrongCertificate(error));
  return (
    others.find((error) => !(error instanceof AddressRefusedError)) ??
    others[0] ??
    failures[0] ??
    new Error('There is no route.')
  );
}

const isWrongCertificate = (error: unknown): boolean =>
  error instanceof PartnerUnreachableError && error.why === 'certificate';

export const wrongCertificate = (): PartnerUnreachableError =>
  new PartnerUnreachableError('certificate', said('peer.other-certificate'));

/**
 * Starts TLS on a stream and checks the certificate (certificate pinning). On failure destroys both and rejects with
 * PartnerUnreachableError `certificate`, or `elsewhere` for an answer that is no TLS, the signal's reason or Node's
 * error.
 */
export function securePinned(stream: Duplex, pin: string, signal: AbortSignal): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    // With a pin the fingerprint decides.
    const socket = connectTLS({ socket: stream, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] });
    /** Rejects and destroys both streams; says `elsewhere` if something else than TLS answered. */
    const rejectAndDestroy = (error: unknown): void => {
      signal.removeEventListener('abort', abort);
      socket.destroy();
      stream.destroy();
      const cause = error instanceof Error ? error : new Error(String(error));
      // The partner has TLS on every route.
      const isOther = /^(?:ERR_SSL_|EPROTO$)/.test((cause as NodeJS.ErrnoException).code ?? '');
      reject(
        isOther ? new PartnerUnreachableError('elsewhere', said('peer.something-else'), { cause }) : cause,
      );
    };
    const abort = (): void => rejectAndDestroy(signal.reason);
    const cut = (): void => rejectAndDestroy(Object.assign(new Error('closed'), { code: 'ECONNRESET' }));
    signal.addEventListener('abort', abort);
    stream.once('error', rejectAndDestroy);
    stream.once('close', cut);
    socket.once('error', rejectAndDestroy);
    socket.once('secureConnect', () => {
      const certificate = socket.getPeerX509Certificate();
      if (!certificate || fingerprintOf(certificate) !== pin) {
        rejectAndDestroy(wrongCertificate());
        return;
      }
      signal.removeEventListener('abort', abort);
      stream.off('close', cut);
      socket.off('error', rejectAndDestroy);
      resolve(socket);
    });
    if (signal.aborted) abort();
  });
}
