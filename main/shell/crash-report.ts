import { inspect } from 'node:util';
import { redact } from '../../server/node/log.ts';

/** A report's data about where it was made. */
export interface CrashPlace {
  readonly version: string;
  readonly platform: string;
  readonly release: string;
  readonly arch: string;
  readonly electron: string;
  readonly uptimeSeconds: number;
  /** The user's home folder, removed from the report because it contains the user's name. */
  readonly home: string;
}

/** Returns an error's stack with those of its causes, five in total. */
export function stackWithCauses(error: unknown): string {
  const seen: string[] = [];
  for (let cause = error; cause !== undefined && seen.length < 5;) {
    seen.push(cause instanceof Error ? (cause.stack ?? cause.message) : inspect(cause, { depth: 2 }));
    cause = cause instanceof Error ? cause.cause : undefined;
  }
  return seen.join('\n\nCaused by: ');
}

/** Returns the text of a crash report: what happened and where, without secrets, data or the user's name. */
export function crashReport(error: unknown, during: string, at: Date, place: CrashPlace): string {
  const text = [
    `Footbridge ${place.version} stopped unexpectedly`,
    `At: ${at.toISOString()}`,
    `During: ${during}`,
    `System: ${place.platform} ${place.release} ${place.arch}, Electron ${place.electron}`,
    `Running for: ${Math.round(place.uptimeSeconds)} s`,
    '',
    stackWithCauses(error),
    '',
  ].join('\n');
  const homeless = place.home.length > 1 ? text.replaceAll(place.home, '~') : text;
  return redact(homeless);
}

/** Returns a report's file name; names sort by time. */
export const crashFileName = (at: Date): string =>
  `crash-${at.toISOString().replace(/[:.]/g, '-').slice(0, 23)}.txt`;
