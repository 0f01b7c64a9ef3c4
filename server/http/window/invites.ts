import { Router } from 'express';
import type { Federation } from '../../federation/federation.ts';
import { mustBeWhole } from '../../federation/partners/node-uri.ts';
import { answering } from './answering.ts';

/** `/app/invites`: making an invite for a partner, looking at one, taking one in. */
export function invitesRouter({ federation }: { federation: Federation }): Router {
  const { invites, nodes, connecting } = federation;
  const router = Router();

  answering(router, 'POST /app/invites', async ({ body: { name, contact }, by }) => {
    const { nodeID } = await nodes.create({ name, ...(contact === undefined ? {} : { contact }) }, by);
    const { uri, expiresAt } = await invites.create(nodeID);
    return { nodeID, uri, expiresAt };
  });
  answering(router, 'POST /app/invites/check', async ({ body }) => {
    mustBeWhole(body.uri);
    const { uri, secure, needsOwnNetworkConsent, alreadyKnown } = await invites.check(body.uri);
    return {
      partner: uri.name,
      address: new URL(uri.baseURL).host,
      secure,
      needsOwnNetworkConsent,
      ...(alreadyKnown === undefined ? {} : { alreadyKnown }),
    };
  });
  answering(router, 'POST /app/invites/accept', async ({ body: { uri, name, ownNetwork }, by }) => {
    mustBeWhole(uri);
    const options = { ...(name ? { name } : {}), ...(ownNetwork === undefined ? {} : { ownNetwork }) };
    const { nodeID } = await connecting.connect(uri, options, by);
    return { nodeID };
  });
  return router;
}
