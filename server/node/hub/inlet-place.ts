import { z } from 'zod';
import type { Fence } from '../../store/sql/commit.ts';
import type { Ask, Database } from '../../store/sql/database.ts';
import { readOwn, writeOwn } from '../../store/sql/own-values.ts';
import { isLoopback, LOOPBACK } from '../../base/loopback.ts';
import { networkAddresses } from '../../http/listeners/own-address.ts';

const portSchema = z.int().min(1).max(65_535);
const placeSchema = z.object({
  host: z.string(),
  port: portSchema,
  /** Whose it is: another process at the same place is another one. */
  process: z.string(),
  /** Where the process that serves listens for partners, and for the window. */
  federation: z.object({ host: z.string(), port: portSchema }),
  window: portSchema,
  /** Whether partners are served by TLS there. */
  isEncrypted: z.boolean(),
});

/** Where the process that serves takes what comes to the others. */
export type InletPlace = z.infer<typeof placeSchema>;

const NAME = 'inlet';

/** As the one that serves has written it, or the last one that did. */
export async function readInletPlace(ask: Ask): Promise<InletPlace | undefined> {
  const text = await readOwn(ask, NAME);
  // One that a newer version wrote in its own way is not known here.
  return text === undefined ? undefined : placeSchema.safeParse(JSON.parse(text)).data;
}

/** @throws StoreError `closed` where another one serves */
export function writeInletPlace(database: Database, fence: Fence, place: InletPlace): Promise<void> {
  return database.transaction(async (ask) => {
    await fence.check(ask);
    await writeOwn(ask, NAME, JSON.stringify(place));
  });
}

export const samePlace = (one: InletPlace | undefined, other: InletPlace | undefined): boolean =>
  one?.process === other?.process && one?.host === other?.host && one?.port === other?.port;

/**
 * The address of this computer by which it reaches the database, by which the other computers of the office reach it as well;
 * loopback where the database is on this computer; undefined where somebody stands in between, or the database cannot tell.
 */
export async function ownAddressTowards(database: Database): Promise<string | undefined> {
  const rows = await database.read('SELECT host(inet_client_addr()) AS address').catch(() => undefined);
  const address = rows?.[0]?.address;
  // Of a connection that is none of a network there is no address.
  if (rows && (typeof address !== 'string' || isLoopback(address))) return LOOPBACK;
  if (typeof address !== 'string') return undefined;
  return networkAddresses().includes(address.includes(':') ? `[${address}]` : address) ? address : undefined;
}
