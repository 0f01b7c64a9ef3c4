import type { Clock } from '../../base/clock.ts';
import {
  lineSchema,
  tokensIn,
  type TokenLine,
  type UserTokens,
} from '../../federation/partners/user-tokens.ts';
import { numberIn, textIn, type Ask, type Database } from '../../store/sql/database.ts';

/** For reading commands' token changes. */
const READ_INTERVAL_MS = 1_000;

/** The serving process sees changes within this time. */
export const KNOWN_WITHIN_MS = 2 * READ_INTERVAL_MS;

/**
 * Opens the user tokens in a table that no restore changes. Reads others' additions each second, until `isOver`. Checks
 * use what was read last.
 */
export async function openDatabaseTokens(
  database: Database,
  clock: Pick<Clock, 'after'>,
  isOver: () => boolean,
): Promise<UserTokens> {
  const lines: TokenLine[] = [];
  const listed = new Set<string>();
  const revoked = new Map<string, string>();
  let read = 0;

  /** Reads into memory the lines that other processes added since the last call. */
  async function readNewLines(): Promise<void> {
    for (const row of await database.read(
      'SELECT no, line FROM footbridge_user_token WHERE no > $1 ORDER BY no',
      [read],
    )) {
      const line = lineSchema.parse(JSON.parse(textIn(row, 'line')));
      read = numberIn(row, 'no');
      lines.push(line);
      if ('revoked' in line) revoked.set(line.revoked, line.at);
      else listed.add(line.jti);
    }
  }
  /** Schedules the next reading of lines, and so on until `isOver`; ignores errors. */
  function scheduleRead(): void {
    clock.after(READ_INTERVAL_MS, () => {
      if (!isOver())
        void readNewLines()
          .catch(() => undefined)
          .finally(scheduleRead);
    });
  }
  /** Adds a line durably; it is known here when this resolves. */
  async function addLine(line: TokenLine): Promise<void> {
    await database.transaction((ask) => insertLine(ask, line));
    await readNewLines();
  }

  await readNewLines();
  scheduleRead();
  return {
    list: () => tokensIn(lines),
    add: (token) => addLine(token),
    revoke: (jti, at) => addLine({ revoked: jti, at }),
    revocations: () => revoked,
    isRevoked: (jti) => revoked.has(jti),
    isListed: (jti) => listed.has(jti),
  };
}

/** Returns all token lines, oldest first. */
export async function tokenLinesOf(ask: Ask): Promise<readonly TokenLine[]> {
  const rows = await ask('SELECT line FROM footbridge_user_token ORDER BY no');
  return rows.map((row) => lineSchema.parse(JSON.parse(textIn(row, 'line'))));
}

/** Replaces all token lines. */
export async function putTokenLinesInto(ask: Ask, lines: readonly TokenLine[]): Promise<void> {
  await ask('DELETE FROM footbridge_user_token');
  for (const line of lines) await insertLine(ask, line);
}

/** Adds a line under the next number. */
async function insertLine(ask: Ask, line: TokenLine): Promise<void> {
  const [last] = await ask('SELECT coalesce(max(no), 0) AS no FROM footbridge_user_token');
  await ask('INSERT INTO footbridge_user_token (no, line) VALUES ($1, $2)', [
    numberIn(last, 'no') + 1,
    JSON.stringify(line),
  ]);
}
