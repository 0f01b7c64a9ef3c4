import { once, type EventEmitter } from 'node:events';
import { join } from 'node:path';
import pino, { type Logger } from 'pino';
import roll from 'pino-roll';
import { systemDisk } from '../store/files/disk.ts';
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

/** A log that keeps secrets out and writes to `stream`. */
export function createLog(stream: pino.DestinationStream, level = 'info'): Logger {
  return pino(
    {
      level,
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
