import { setTimeout } from 'node:timers/promises';
import type { Role } from '../federation/partners/identity.ts';
import { LONGEST_LIFE } from '../federation/partners/user-key.ts';
import { KNOWN_WITHIN_MS } from '../node/storage/database-tokens.ts';
import { createFolderStorage } from '../node/storage/folder-storage.ts';
import type { NodeStorage } from '../node/storage/storage.ts';
import { systemClock } from '../base/clock.ts';
import { servedDataFolder } from './data-folder.ts';
import { CommandFailure } from './failure.ts';
import { dataOrWorkingFolder, type DataOrStore } from './store-option.ts';
import { withDatabase } from './with-database.ts';

interface TokenOptions extends DataOrStore {
  readonly role: Role;
  readonly expires: number;
  readonly list?: true;
  readonly revoke?: string;
}

/**
 * `footbridge token`: prints a new token, lists those issued, or revokes one; no node needs to run. With a database,
 * first waits until serving processes know.
 */
export async function token(options: TokenOptions): Promise<void> {
  const { store } = options;
  const data = dataOrWorkingFolder(options);
  if (store !== undefined) {
    const said = await withDatabase(store, data, ({ storage }) => runTokenAction(storage, options));
    // The output must already hold for the serving process.
    if (options.list !== true) await setTimeout(KNOWN_WITHIN_MS);
    process.stdout.write(said);
    return;
  }
  const folder = createFolderStorage({ dataDir: await servedDataFolder(data), clock: systemClock });
  process.stdout.write(await runTokenAction(folder, options));
}

/**
 * Issues, lists or revokes users' tokens, and returns the text to print. Expired ones are listed for a year. Throws
 * `CommandFailure` for an unknown token, or a life of more than a year.
 */
async function runTokenAction(
  storage: Pick<NodeStorage, 'userTokens' | 'userKey'>,
  { role, expires, list, revoke }: TokenOptions,
): Promise<string> {
  const tokens = await storage.userTokens();
  if (list) {
    const now = new Date().toISOString();
    // Lists expired ones for a year, as this clock may be wrong.
    const longAgo = new Date(Date.now() - LONGEST_LIFE).toISOString();
    const lines: string[] = [];
    for (const { jti, issuedAt, expiresAt, revokedAt, ...token } of tokens.list()) {
      if (expiresAt < longAgo) continue;
      const until = expiresAt < now ? `ended ${expiresAt}` : `until ${expiresAt}`;
      const end = revokedAt === undefined ? until : `revoked ${revokedAt}`;
      lines.push(`${jti}  ${token.role.padEnd(6)}  from ${issuedAt}  ${end}\n`);
    }
    return lines.join('');
  }
  if (revoke !== undefined) {
    if (!tokens.list().some(({ jti }) => jti === revoke))
      throw new CommandFailure(`There is no token ${revoke}. Look for it with "footbridge token --list".`, 2);
    await tokens.revoke(revoke, new Date().toISOString());
    return `The token ${revoke} opens nothing any more.\n`;
  }
  if (expires > LONGEST_LIFE)
    throw new CommandFailure('A token is good for a year at the most. Give --expires 365d or less.', 2);
  const { token: text, ...made } = (await storage.userKey(tokens)).make(role, expires);
  await tokens.add(made);
  return `${text}\n`;
}
