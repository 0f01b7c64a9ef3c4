import { once, type EventEmitter } from 'node:events';
import { join } from 'node:path';
import pino, { type Logger } from 'pino';
import roll from 'pino-roll';
import { systemDisk } from '../store/files/disk.ts';
import { ownerNetworkOf } from '../base/network-of.ts';
import { withStoreErrors, makeDataFolder } from '../store/files/disk-steps.ts';

/** Members never logged, at any depth. */
const SECRET_MEMBERS = [
  'token',
  'authToken',
  'pairToken',
  'nodeURI',
  'uri',
  'invite',
  'password',
  'secret',
  'cookie',
  'authorization',
];
/** Error messages quote invites and tokens. */
const INVITE = /(\/\/\d+:)[A-Za-z0-9]{32}@/g;
const JWT = /eyJ[\w-]+\.[\w-]+\.[\w-]*/g;

/** Replaces invites' secrets and JSON Web Tokens in a text by `[removed]`. */
export function redact(text: string): string {
  return text.replace(INVITE, '$1[removed]@').replace(JWT, '[removed]');
}

export const LOG_LEVELS: readonly string[] = [...Object.keys(pino.levels.values), 'silent'];

/** Lines of a message an hour: by source, and in total. */
const MAX_OF_SOURCE = 10;
const MAX_OF_MESSAGE = 100;
const WINDOW_MS = 3_600_000;
/** Further ones are summarised at powers of ten, from this one on. */
const FIRST_SUMMARY = 100;
const MAX_MESSAGES = 1000;

interface Repeated {
  readonly since: number;
  readonly bySource: Map<string, number>;
  written: number;
  dropped: number;
  unreported: number;
}

/**
 * Creates a limit of repeated log lines per message, source and hour, so that strangers can't rotate all else out of
 * the log. It returns undefined to drop a line, else how many dropped ones the line sums up; the 100th, 1000th … line
 * to drop is such a line.
 */
function createRepeatLimit(now: () => number): (message: string, source: string) => number | undefined {
  const messages = new Map<string, Repeated>();

  /**
   * Returns a message's counts of the running hour (a live object), which begins with its first line, and continues the
   * earlier hour's number of unreported lines. Evicts the oldest message beyond the limit.
   */
  function currentWindow(message: string): Repeated {
    const before = messages.get(message);
    if (before && now() - before.since < WINDOW_MS) return before;
    const begun = {
      since: now(),
      bySource: new Map(),
      written: 0,
      dropped: 0,
      unreported: before?.unreported ?? 0,
    };
    messages.delete(message);
    messages.set(message, begun);
    const [oldest] = messages.keys();
    if (messages.size > MAX_MESSAGES && oldest !== undefined) messages.delete(oldest);
    return begun;
  }

  return (message, source) => {
    const lines = currentWindow(message);
    const ofSource = lines.bySource.get(source) ?? 0;
    if (lines.written < MAX_OF_MESSAGE && ofSource < MAX_OF_SOURCE) {
      lines.written++;
      lines.bySource.set(source, ofSource + 1);
    } else {
      lines.dropped++;
      lines.unreported++;
      const isSummary = lines.dropped >= FIRST_SUMMARY && /^10*$/.test(String(lines.dropped));
      if (!isSummary) return undefined;
    }
    const { unreported } = lines;
    lines.unreported = 0;
    return unreported;
  };
}

/** Returns a text for what a line is about, with its owner's network or partner; '' without details. */
function describeSource(details: unknown): string {
  if (typeof details !== 'object' || details === null) return '';
  const { what, address, nodeID } = details as Readonly<Record<string, unknown>>;
  return JSON.stringify([what, typeof address === 'string' ? ownerNetworkOf(address) : '', nodeID]);
}

/**
 * Returns a log to `stream`, in JSON lines from `level` on, without secrets; repeated lines are limited by message and
 * source.
 */
export function createLog(
  stream: pino.DestinationStream,
  level = 'info',
  now = (): number => performance.now(),
): Logger {
  const repeated = createRepeatLimit(now);
  return pino(
    {
      level,
      hooks: {
        /** Writes a line unless it is repeated too often, with the number of those dropped before. */
        logMethod(args, method) {
          const [first, text]: readonly unknown[] = args;
          const [details, message] = typeof first === 'string' ? [{}, first] : [first, text];
          const more = repeated(String(message), describeSource(details));
          if (more === undefined) return;
          const summary = {
            ...(details instanceof Error ? { err: details } : (details as object)),
            repeated: more,
          };
          const line: Parameters<typeof method> = more > 0 ? [summary, String(message)] : args;
          method.apply(this, line);
        },
      },
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: SECRET_MEMBERS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
        censor: '[removed]',
      },
    },
    { write: (line: string) => stream.write(redact(line)) },
  );
}

/** Returns a stream that writes to all of these. */
export const combineStreams = (streams: readonly pino.DestinationStream[]): pino.DestinationStream => ({
  write: (line) => streams.forEach((stream) => stream.write(line)),
});

/** Bytes that wait for a full disk; further lines are dropped. */
const MAX_UNWRITTEN = 1_048_576;

/**
 * Opens the rotated log files, five of 5 MB, for their owner only. Throws `StoreError`; later disk errors are ignored:
 * the node continues without a log.
 */
export async function openLogFiles(
  dataDir: string,
): Promise<pino.DestinationStream & EventEmitter & { end(): void }> {
  const folder = join(dataDir, 'logs');
  await makeDataFolder(systemDisk, dataDir);
  return withStoreErrors(async () => {
    await systemDisk.makeFolder(folder);
    const files = await roll({
      file: join(folder, 'footbridge'),
      extension: '.log',
      size: '5m',
      limit: { count: 4, removeOtherLogFiles: true },
      mode: 0o600,
      sync: false,
      maxLength: MAX_UNWRITTEN,
    });
    await once(files, 'ready');
    files.on('error', () => undefined);
    return files;
  });
}
