import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import pino, { type Logger } from 'pino';
import roll from 'pino-roll';

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

/** The rolling log files of a data folder: five of 5 MB at most, readable by their owner only. */
export async function logFiles(dataDir: string): Promise<pino.DestinationStream & { end(): void }> {
  const folder = join(dataDir, 'logs');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return roll({
    file: join(folder, 'footbridge'),
    extension: '.log',
    size: '5m',
    limit: { count: 4, removeOtherLogFiles: true },
    mode: 0o600,
    sync: false,
  });
}
