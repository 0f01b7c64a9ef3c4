import type { Partition, Table, Tx } from '../../store/store.ts';
import type { SurvivingRevocation, Reapplied } from '../../store/recovery/withdrawals/revocation-log.ts';
import { z } from 'zod';
import { MODULES } from '../../lists/definitions/modules.ts';
import type { Node } from '../model.ts';
import { revocable } from '../../store/recovery/withdrawals/revocable.ts';
import { EXPOSURES, NODES } from '../tables.ts';

/** For the inbox: what older data would have undone, or a restore changed. */
export interface RevocationItem {
  readonly at: string;
  readonly what:
    | 'share'
    | 'columns'
    | 'connection'
    | 'partner'
    | 'pause'
    | 'other'
    | 'scripts'
    | 'list-anew'
    | 'lists'
    | 'file';
  readonly nodeID?: string;
  readonly partner?: string;
  readonly moduleID?: string;
  readonly listName?: string;
}

/** By `what` and, if there can be several, the shared list or partner. */
const ITEMS: Table<RevocationItem> = { name: 'kept-withdrawn' };
const MAX_ITEMS = 200;

/** Drops a backup's items, which were shown before. */
export const revocableItems = revocable({
  table: ITEMS,
  note: z.never(),
  noteForChange: () => undefined,
  reapply: (item) => item,
  limitRestored: () => undefined,
});

/**
 * Stores as inbox items which revocations survived a restore or may have (except partners put on hold: their record
 * tells), whether a new revocation log was begun, and, if `areListsOlder`, that all lists are older.
 */
export async function recordSurvivingRevocations(
  tx: Tx,
  { kept, unsure, isNewLog }: Reapplied,
  { at, areListsOlder }: { readonly at: string; readonly areListsOlder: boolean },
): Promise<void> {
  // Partners on hold are reported by their record.
  const others = unsure.filter(({ table }) => table !== NODES.name);
  for (const { table, key } of [...kept, ...others]) {
    const item = await toRevocationItem(tx, table, key);
    if (item) tx.put(ITEMS, `${item.what}-${item.what === 'other' ? table : key}`, { at, ...item });
  }
  if (areListsOlder) tx.put(ITEMS, 'lists', { at, what: 'lists' });
  if (isNewLog) tx.put(ITEMS, 'list-anew', { at, what: 'list-anew' });
}

/** Puts the only inbox item that scripts' tokens were revoked, because an older file had them as valid. */
export function recordRevokedScriptTokens(tx: Tx, at: string): void {
  tx.put(ITEMS, 'scripts', { at, what: 'scripts' });
}

const isEndedHere = ({ problem }: Node): boolean =>
  typeof problem === 'object' && 'code' in problem && problem.code === 'older-data.connection-ended';

/** Returns whether the same office's other record replaced it, and is in this data too. */
async function isReplaced(tx: Tx, { replacedBy }: Node): Promise<boolean> {
  const other = replacedBy === undefined ? undefined : await tx.get(NODES, replacedBy);
  return other !== undefined && other.deletedAt === undefined;
}

/** Returns a surviving revocation as an inbox item; undefined if the user needn't know of this revocation. */
async function toRevocationItem(
  tx: Tx,
  table: SurvivingRevocation['table'],
  key: string,
): Promise<Omit<RevocationItem, 'at'> | undefined> {
  if (table === NODES.name) {
    const node = await tx.get(NODES, key);
    if (!node) return undefined;
    const about = { nodeID: node.nodeID, partner: node.name };
    if (node.deletedAt !== undefined && (await isReplaced(tx, node))) return undefined;
    if (node.deletedAt !== undefined) return { what: 'partner', partner: node.name };
    if (node.status === 'unpaired') return isEndedHere(node) ? { what: 'connection', ...about } : undefined;
    return node.paused ? { what: 'pause', ...about } : undefined;
  }
  if (table === EXPOSURES.name) {
    const exposure = await tx.get(EXPOSURES, key);
    const node = exposure && (await tx.get(NODES, exposure.nodeID));
    if (!node || node.deletedAt !== undefined || node.status === 'unpaired') return undefined;
    const about = { nodeID: node.nodeID, partner: node.name, listName: exposure.name };
    return { what: exposure.deletedAt === undefined ? 'columns' : 'share', ...about };
  }
  if (table === 'watched-file' || table === 'list-copy') {
    const list = await tx.get(MODULES, key);
    return list && { what: 'file', moduleID: key, listName: list.name };
  }
  // Tokens and invites belong to their connection.
  return table === 'window-session' || table === 'settings' ? { what: 'other' } : undefined;
}

/** Returns the first 200 items by key. */
export async function listRevocationItems(
  system: Partition,
): Promise<readonly { readonly key: string; readonly value: RevocationItem }[]> {
  return system.page(ITEMS, { limit: MAX_ITEMS });
}
