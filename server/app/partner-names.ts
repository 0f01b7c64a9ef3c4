import type { Federation } from '../federation/federation.ts';

/** Names of all partners by our id, also of those that are gone: received rows keep their mark. */
export async function partnerNames(federation: Federation): Promise<Map<string, string>> {
  const nodes = await federation.nodes.list({ deleted: true });
  return new Map(nodes.map(({ nodeID, name }) => [nodeID, name]));
}
