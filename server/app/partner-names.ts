import type { Federation } from '../federation/federation.ts';

/** Returns names by our id, even of removed partners, as received rows keep their source. */
export async function partnerNames(federation: Federation): Promise<Map<string, string>> {
  const nodes = await federation.nodes.list({ deleted: true });
  return new Map(nodes.map(({ nodeID, name }) => [nodeID, name]));
}
