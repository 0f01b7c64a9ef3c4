import { omit } from '../../base/omit.ts';
import { said } from '../../words/said.ts';
import { nowOf, type FederationContext } from '../context.ts';
import type { Node } from '../model.ts';
import type { NodeTokens } from './node-tokens.ts';
import { NODES } from '../tables.ts';

/** Older versions kept the pairing in the record. */
interface OldNode extends Node {
  readonly sealedInvite?: string;
  readonly sealedOwnToken?: string;
  readonly confirmedAt?: string;
}

/**
 * Ends older versions' unfinished pairings (`failed`), as the two sides would compute different words. Disconnects
 * partners whose address such a pairing has replaced (`unpaired`). Revokes the tokens of both.
 */
export async function voidOldPairings({
  system,
  ...context
}: Pick<FederationContext, 'system' | 'clock' | 'log'> & {
  readonly tokens: Pick<NodeTokens, 'revoke'>;
}): Promise<void> {
  const old = (await system.page<OldNode>(NODES, { limit: 100_000 })).filter(({ value }) => isOld(value));
  for (const { key } of old) {
    await system.transaction(async (tx) => {
      const node = await tx.get<OldNode>(NODES, key);
      if (!node) return;
      const left: Node = omit(node, 'sealedInvite', 'sealedOwnToken', 'confirmedAt', 'pairing');
      const isMoved = node.status === 'paired' && node.sealedInvite !== undefined;
      const isHalf = node.status === 'pair_requested' || node.sealedInvite !== undefined;
      if (isMoved || isHalf) await context.tokens.revoke(tx, key);
      tx.put(NODES, key, {
        ...(isMoved || isHalf ? omit(left, 'sealedToken', 'tokenExpiresAt', 'words') : left),
        ...(isMoved
          ? { status: 'unpaired', problem: MOVED }
          : isHalf
            ? { status: 'failed', problem: HALF }
            : {}),
        updatedAt: nowOf(context),
      });
    });
    context.log.info({ nodeID: key }, 'a pairing that an older version began was ended');
  }
}

/** Returns whether a record has a pairing in an older version's form. */
function isOld(node: OldNode): boolean {
  if (node.pairing !== undefined && !('as' in node.pairing)) return true;
  if (node.sealedInvite !== undefined || node.sealedOwnToken !== undefined || node.confirmedAt !== undefined)
    return true;
  return node.status === 'pair_requested' && node.pairing === undefined;
}

const HALF = said('pairing.renewed-meanwhile');
const MOVED = said('pairing.address-changed');
