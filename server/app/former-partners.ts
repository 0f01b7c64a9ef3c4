import type { FormerPartner } from '../contract/app/overview.ts';
import type { Federation } from '../federation/federation.ts';
import type { Ledger } from '../federation/sharing/ledger.ts';

/**
 * Returns removed partners, latest first, that were connected (and not replaced) or got rows: their sharing log stays.
 */
export async function listFormerPartners(
  { nodes }: { readonly nodes: Pick<Federation['nodes'], 'list'> },
  ledger: Pick<Ledger, 'page'>,
): Promise<FormerPartner[]> {
  const found: FormerPartner[] = [];
  for (const { nodeID, name, colour, tokenSince, deletedAt, replacedBy } of await nodes.list({
    deleted: true,
  })) {
    if (deletedAt === undefined) continue;
    const { total } = await ledger.page(nodeID, { page: 1, perPage: 1 });
    if (total > 0 || (tokenSince !== undefined && replacedBy === undefined))
      found.push({ nodeID, name, colour, until: deletedAt, left: total > 0 });
  }
  return found.sort((a, b) => (a.until < b.until ? 1 : -1));
}
