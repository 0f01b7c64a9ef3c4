import { Router } from 'express';
import type { InviteAnswer, InviteCheck } from '../../contract/app/invites.ts';
import { inviteAcceptRequest, inviteCheckRequest, inviteRequest } from '../../contract/app/invites.ts';
import type { Federation } from '../../federation/federation.ts';
import { mustBeWhole } from '../../federation/partners/node-uri.ts';
import { plainName } from '../../base/plain-name.ts';
import { userOf, type Guard } from './guard.ts';

/** `/app/invites`: making an invite for a partner, looking at one, taking one in. */
export function invitesRouter({ federation, guard }: { federation: Federation; guard: Guard }): Router {
  const router = Router();

  router.post('/', guard.admin, async (req, res) => {
    const { name, contact } = inviteRequest.parse(req.body);
    const node = await federation.nodes.create(
      { name, ...(contact === undefined ? {} : { contact }) },
      userOf(req),
    );
    const { uri, expiresAt } = await federation.invites.create(node.nodeID);
    res.json({ response: { nodeID: node.nodeID, uri, expiresAt } satisfies InviteAnswer });
  });

  router.post('/check', guard.admin, async (req, res) => {
    const { uri } = inviteCheckRequest.parse(req.body);
    mustBeWhole(uri);
    const check = await federation.invites.check(uri);
    const response: InviteCheck = {
      partner: plainName(check.uri.name),
      address: new URL(check.uri.baseURL).host,
      secure: check.secure,
      needsOwnNetworkConsent: check.needsOwnNetworkConsent,
      ...(check.alreadyKnown === undefined ? {} : { alreadyKnown: check.alreadyKnown }),
    };
    res.json({ response });
  });

  router.post('/accept', guard.admin, async (req, res) => {
    const { uri, name, ownNetwork } = inviteAcceptRequest.parse(req.body);
    mustBeWhole(uri);
    const options = {
      ...(name ? { name } : {}),
      ...(ownNetwork === undefined ? {} : { ownNetwork }),
    };
    const { nodeID } = await federation.nodes.connect(uri, options, userOf(req));
    res.json({ response: { nodeID } });
  });

  return router;
}
