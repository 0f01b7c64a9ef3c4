import { Router } from 'express';
import type { SummaryDeps } from '../../app/summary.ts';
import { parseRoute } from '../../base/routes.ts';
import { areCallableFromElsewhere } from '../../federation/partners/invites.ts';
import { mustBeWhole, parseNodeURI, type NodeURI } from '../../federation/partners/node-uri.ts';
import { handleCall } from './handle-call.ts';

/** Serves the making of invites, also as a reply to a partner's, and the checking and accepting of a partner's. */
export function invitesRouter({
  federation,
  routes: book,
}: Pick<SummaryDeps, 'federation' | 'routes'>): Router {
  const { invites, nodes, connecting } = federation;
  const relayIn = ({ routes }: NodeURI): ReturnType<NonNullable<typeof book>['findCallableRelay']> =>
    book?.findCallableRelay(routes?.texts ?? []);
  const router = Router();

  handleCall(router, 'POST /app/invites', async ({ body: { name, contact, replyTo }, by }) => {
    const answered = replyTo === undefined ? undefined : await invites.inspect(replyTo);
    const made = { name, ...(contact === undefined ? {} : { contact }) };
    const known = answered && (answered.alreadyKnown ?? (await nodes.findUnanswered(name))?.nodeID);
    const nodeID = known ?? (await nodes.create(made, by)).nodeID;
    return { nodeID, ...(await invites.create(nodeID, answered?.uri)) };
  });
  handleCall(router, 'POST /app/invites/check', async ({ body }) => {
    mustBeWhole(body.uri);
    const { uri, secure, needsOwnNetworkConsent, alreadyKnown } = await invites.inspect(body.uri);
    const onlyNearby = invites.isOnlyNearby();
    const relay = relayIn(uri)?.host;
    const others = (uri.routes?.texts ?? []).filter((text) => parseRoute(text)?.kind !== 'relay');
    return {
      partner: uri.name,
      address: new URL(uri.baseURL).host,
      secure,
      needsOwnNetworkConsent,
      ...(relay === undefined ? {} : { relay }),
      ...(relay === undefined && !areCallableFromElsewhere(others)
        ? {}
        : { reachesElsewhere: true as const }),
      ...(onlyNearby ? { onlyNearby } : {}),
      ...(alreadyKnown === undefined ? {} : { alreadyKnown }),
      ...(alreadyKnown === undefined || uri.replyTo === undefined ? {} : { isReply: true as const }),
    };
  });
  handleCall(router, 'POST /app/invites/accept', async ({ body: { uri, name, ownNetwork, relay }, by }) => {
    mustBeWhole(uri);
    const allowed = relay === true ? relayIn(parseNodeURI(uri)) : undefined;
    const options = {
      ...(name ? { name } : {}),
      ...(ownNetwork === undefined ? {} : { ownNetwork }),
      ...(allowed ? { relay: allowed } : {}),
    };
    const { nodeID } = await connecting.connect(uri, options, by);
    return { nodeID };
  });
  return router;
}
