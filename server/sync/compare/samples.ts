import { rowsOf } from '../../base/incoming-row.ts';
import type { IncomingRow } from '../../lists/definitions/model.ts';
import type { SharedModule } from '../../federation/model.ts';
import { withoutForgedOrigin } from '../pull/list-session.ts';
import type { OpenPartner, SyncFederation } from '../ports.ts';

const ROWS = 50;
const PATIENCE_MS = 5_000;

/**
 * Fetches an offered list's first undeleted rows, with the origins that a pull would believe; [] on failure or after
 * five seconds.
 */
export async function sampleRows(
  deps: { readonly federation: Pick<SyncFederation, 'nodes' | 'tokens'>; readonly openPartner: OpenPartner },
  shared: SharedModule,
  most = ROWS,
): Promise<readonly IncomingRow[]> {
  const { federation, openPartner } = deps;
  const signal = AbortSignal.timeout(PATIENCE_MS);
  try {
    const node = await federation.nodes.get(shared.nodeID);
    const installation = await federation.tokens.installation(node);
    const peer = openPartner(node, await federation.tokens.tokenFor(node.nodeID));
    try {
      const {
        externalFederationModuleID: moduleID,
        externalComposeModuleID,
        externalComposeNamespaceID,
      } = shared;
      const page = peer.footbridge
        ? await peer.footbridge.changes(moduleID, { after: 0, limit: most }, signal)
        : await peer.feed.records(
            {
              moduleID,
              ...(externalComposeModuleID === undefined ? {} : { composeModuleID: externalComposeModuleID }),
              ...(externalComposeNamespaceID === undefined
                ? {}
                : { composeNamespaceID: externalComposeNamespaceID }),
            },
            {},
            signal,
          );
      for await (const { records, columns } of page.rows)
        return [...records, ...(columns ? rowsOf(columns) : [])]
          .filter(({ deletedAt }) => deletedAt === undefined)
          .slice(0, most)
          .map((record) => withoutForgedOrigin(record, installation));
      return [];
    } finally {
      await peer.close();
    }
  } catch {
    return [];
  }
}
