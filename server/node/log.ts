import { once, type EventEmitter } from 'node:events';
import { join } from 'node:path';
import pino, { type Logger } from 'pino';
import roll from 'pino-roll';
import { systemDisk } from '../store/files/disk.ts';
import { ownerNetworkOf } from '../base/network-of.ts';
import { inStoreTerms, makeDataFolder } from '../store/files/disk-steps.ts';

/** Names of values that never reach a log, wherever they stand. */
const SECRETS = [
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
/** Invites and JSON Web Tokens inside of texts: error messages quote addresses and bodies. */
const INVITE = /(\/\/\d+:)[A-Za-z0-9]{32}@/g;
const JWT = /eyJ[\w-]+\.[\w-]+\.[\w-]*/g;

/** Takes what must stay secret out of a text. */
export function redact(text: string): string {
  return text.replace(INVITE, '$1[removed]@').replace(JWT, '[removed]');
}

/** From the most to the least that is written. */
export const LOG_LEVELS: readonly string[] = [...Object.keys(pino.levels.values), 'silent'];

/** Lines of one message that are written in one window: those about one source, and all. */
const MOST_OF_SOURCE = 10;
const MOST_OF_MESSAGE = 100;
const WINDOW_MS = 3_600_000;
/** Further lines are summarised each time that their number reaches a power of ten, from this one on. */
const FIRST_SUMMARY = 100;
const MOST_MESSAGES = 1000;

/** The lines of one message in one window. */
interface Repeated {
  readonly since: number;
  readonly bySource: Map<string, number>;
  written: number;
  dropped: number;
  /** Dropped since the last line that was written. */
  untold: number;
}

/**
 * Counts log lines by message and source. Returns how many lines the next one stands for besides itself, or undefined
 * where it is not to be written: a stranger who repeats something must not rotate everything else out of the log.
 * @param now milliseconds of a clock that never goes back
 */
function createRepeatLimit(now: () => number): (message: string, source: string) => number | undefined {
  const messages = new Map<string, Repeated>();

  function windowOf(message: string): Repeated {
    const before = messages.get(message);
    if (before && now() - before.since < WINDOW_MS) return before;
    const begun = { since: now(), bySource: new Map(), written: 0, dropped: 0, untold: before?.untold ?? 0 };
    messages.delete(message);
    messages.set(message, begun);
    const [oldest] = messages.keys();
    if (messages.size > MOST_MESSAGES && oldest !== undefined) messages.delete(oldest);
    return begun;
  }

  return (message, source) => {
    const lines = windowOf(message);
    const ofSource = lines.bySource.get(source) ?? 0;
    if (lines.written < MOST_OF_MESSAGE && ofSource < MOST_OF_SOURCE) {
      lines.written++;
      lines.bySource.set(source, ofSource + 1);
    } else {
      lines.dropped++;
      lines.untold++;
      const isSummary = lines.dropped >= FIRST_SUMMARY && /^10*$/.test(String(lines.dropped));
      if (!isSummary) return undefined;
    }
    const { untold } = lines;
    lines.untold = 0;
    return untold;
  };
}

/** The network or partner that a line is about. */
function sourceOf(details: unknown): string {
  if (typeof details !== 'object' || details === null) return '';
  const { what, address, nodeID } = details as Readonly<Record<string, unknown>>;
  return JSON.stringify([what, typeof address === 'string' ? ownerNetworkOf(address) : '', nodeID]);
}

/** A log that keeps secrets out, writes repeated lines with `repeated` in place of each, and writes to `stream`. */
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
        logMethod(args, method) {
          const [first, text]: readonly unknown[] = args;
          const [details, message] = typeof first === 'string' ? [{}, first] : [first, text];
          const more = repeated(String(message), sourceOf(details));
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
      redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[removed]' },
    },
    { write: (line: string) => stream.write(redact(line)) },
  );
}

/** One that hands each line to all of these. */
export const toEach = (streams: readonly pino.DestinationStream[]): pino.DestinationStream => ({
  write: (line) => streams.forEach((stream) => stream.write(line)),
});

/** Bytes of lines that wait for a disk with room; further ones are dropped. */
const MOST_UNWRITTEN = 1_048_576;

/**
 * The rolling log files of a data folder, made where it is missing: five of 5 MB at most, readable by their owner
 * only. @throws StoreError when the folder cannot be made or written
 */
export async function logFiles(
  dataDir: string,
): Promise<pino.DestinationStream & EventEmitter & { end(): void }> {
  const folder = join(dataDir, 'logs');
  await makeDataFolder(systemDisk, dataDir);
  return inStoreTerms(async () => {
    await systemDisk.makeFolder(folder);
    const files = await roll({
      file: join(folder, 'footbridge'),
      extension: '.log',
      size: '5m',
      limit: { count: 4, removeOtherLogFiles: true },
      mode: 0o600,
      sync: false,
      maxLength: MOST_UNWRITTEN,
    });
    await once(files, 'ready');
    // On a full disk the node goes on without a log: what it tells the user does not go this way.
    files.on('error', () => undefined);
    return files;
  });
}
