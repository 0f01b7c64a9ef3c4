import { isOwnNetwork, isUnencrypted } from '../../federation/partners/addresses.ts';
import type { Node } from '../../federation/model.ts';
import { tokenEnd, msUntilWarnedEnd } from '../../federation/partners/token-life.ts';
import { joined, said, type Said } from '../../words/said.ts';
import type { About, Draft, InboxFacts } from './draft.ts';

/**
 * Describes a request to connect: that it used our invite, from which address, who asks if that is another connected
 * partner, and if its link is unencrypted. Marked as refused if an approval would be.
 */
function describeRequest(
  node: Node,
  asker: InboxFacts['asker'],
): Pick<Draft, 'message' | 'partner' | 'isRefused'> {
  const way = node.pairing?.link ?? node;
  const partner = asker?.isOther ? { partner: asker.partner } : undefined;
  const texts = [
    pairRequestText(partner?.partner ?? node.name, way),
    ...(asker ? [asker.text] : []),
    ...unencryptedWarning(way),
  ];
  return { message: joined(texts, ' '), ...partner, ...(asker?.renews === false ? { isRefused: true } : {}) };
}

/** Returns the id of the item about this request to remove rows, and about the end of the connection that came with it. */
export const removeRequestID = (nodeID: string, at: string): string => `remove-request-${nodeID}-${at}`;

/**
 * Returns at most one item: that the partner asks to connect, or its connection ended or ends soon. None of an end
 * that a request to remove rows tells.
 * @param now in milliseconds
 */
export function pairingItems({ node, asker, removeRequest }: InboxFacts, about: About, now: number): Draft[] {
  const at = node.updatedAt ?? node.createdAt;
  if (waitsForApproval(node)) {
    return [
      {
        ...about,
        ...describeRequest(node, asker),
        itemID: `pair-request-${node.nodeID}-${at}`,
        kind: 'pair-request',
        at,
      },
    ];
  }
  if (node.status === 'unpaired') {
    if (removeRequest) return [];
    return [
      {
        ...about,
        // Dismissed with the request, it stays so once the rows are gone.
        itemID:
          node.removeRequestedAt === undefined
            ? `connection-ended-${node.nodeID}-${at}`
            : removeRequestID(node.nodeID, node.removeRequestedAt),
        kind: 'connection-ended',
        at,
        message: node.problem ?? said('pairing.ended'),
      },
    ];
  }
  const left = (tokenEnd(node) ?? Infinity) - now;
  // A Footbridge's token renews itself and reports failures: until then a clock may be wrong.
  if (node.status === 'paired' && !node.footbridge && left <= 0) {
    return [
      {
        ...about,
        itemID: `connection-ended-${node.nodeID}-${node.tokenExpiresAt ?? ''}`,
        kind: 'connection-ended',
        at: node.tokenExpiresAt ?? at,
        message: said('inbox.ended-by-time', { partner: node.name }),
      },
    ];
  }
  const endsIn = msUntilWarnedEnd(node, now);
  if (endsIn !== undefined) {
    return [
      {
        ...about,
        itemID: `connection-ending-${node.nodeID}-${node.tokenExpiresAt ?? ''}`,
        kind: 'connection-ending',
        at: new Date(now).toISOString(),
        message: said('inbox.ends-in', { partner: node.name, span: durationText(endsIn) }),
      },
    ];
  }
  return [];
}

/** Returns a duration in words, rounded up: minutes below two hours, hours below two days, else days. */
function durationText(milliseconds: number): Said {
  const minutes = Math.ceil(milliseconds / 60_000);
  if (minutes < 120) return said('span.minutes', { n: minutes });
  const hours = Math.ceil(minutes / 60);
  return hours < 48 ? said('span.hours', { n: hours }) : said('span.days', { n: Math.ceil(hours / 24) });
}

/** Returns whether the partner waits for our approval, even while an earlier connection continues. */
function waitsForApproval({ status, role, pairing }: Node): boolean {
  if (pairing?.as === 'inviter' && pairing.yes !== undefined) return false;
  return status === 'paired' ? pairing?.as === 'inviter' : status === 'pair_requested' && role === 'inviter';
}

/** Returns the message that a partner used our invite, and from which address, if known. */
function pairRequestText(name: string, { calledFrom }: Pick<Node, 'calledFrom'>): Said {
  if (calledFrom === undefined) return said('inbox.used-invite', { partner: name });
  return isOwnNetwork(calledFrom)
    ? said('inbox.used-invite-nearby', { partner: name, address: calledFrom })
    : said('inbox.used-invite-from', { partner: name, address: calledFrom });
}

/** Returns a warning that calls to the partner could be read; [] if not. */
function unencryptedWarning({ baseURL }: Pick<Node, 'baseURL'>): Said[] {
  return isUnencrypted(baseURL) ? [said('inbox.not-encrypted')] : [];
}
