import type { Logger } from 'pino';
import type { Clock } from '../../base/clock.ts';
import type { Partition, Table } from '../../store/store.ts';
import { everyEntry } from '../../store/every-entry.ts';
import { recordRevokedScriptTokens } from '../sharing/revocation-items.ts';
import type { UserTokens } from './user-tokens.ts';

/** By token id. */
const REVOKED: Table<{ readonly at: string }> = { name: 'user-token-revoked' };
/** Commands revoke in their file, without the node. */
const INTERVAL_MS = 5 * 60_000;

/**
 * Merges script tokens' revocations in file and store, now and every five minutes: an older copy of the file revives
 * none, and adds an inbox item. Returns checks: `isRevoked` by either, `isListed` by the file.
 */
export async function startRevocationCleanup(deps: {
  readonly system: Partition;
  readonly tokens: UserTokens;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
}): Promise<Pick<UserTokens, 'isRevoked' | 'isListed'>> {
  const { system, tokens, clock, log } = deps;
  const kept = new Map<string, string>();
  for await (const { key, value } of everyEntry(system, REVOKED)) kept.set(key, value.at);

  /**
   * Stores revocations that only the file has, and revokes in the file, with an inbox item, what only the store has.
   */
  async function mergeRevocations(): Promise<void> {
    const revoked = tokens.revocations();
    const lacking = [...kept].filter(([jti]) => !revoked.has(jti));
    const fresh = [...revoked].filter(([jti]) => !kept.has(jti));
    for (const [jti, at] of fresh) kept.set(jti, at);
    if (lacking.length + fresh.length === 0) return;
    // Store first, as duplicates are harmless.
    await system.transaction((tx) => {
      for (const [jti, at] of fresh) tx.put(REVOKED, jti, { at });
      if (lacking.length > 0) recordRevokedScriptTokens(tx, new Date(clock.now()).toISOString());
    });
    for (const [jti, at] of lacking) await tokens.revoke(jti, at);
  }
  const mergeSafely = (): Promise<void> =>
    mergeRevocations().catch((error: unknown) =>
      log.warn({ err: error }, 'revoked tokens could not be noted'),
    );
  /** Merges now and every five minutes. */
  function mergeRegularly(): void {
    void mergeSafely();
    clock.after(INTERVAL_MS, mergeRegularly);
  }

  await mergeSafely();
  clock.after(INTERVAL_MS, mergeRegularly);
  return {
    isRevoked: (jti) => kept.has(jti) || tokens.isRevoked(jti),
    isListed: (jti) => tokens.isListed(jti),
  };
}
